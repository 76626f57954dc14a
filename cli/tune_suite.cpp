#include "tune_suite.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "cells_result.hpp"
#include "machine_profile.hpp"
#include "measure/sampling.hpp"
#include "report/profile_file.hpp"
#include "workload/cells.hpp"

namespace kinjo::cli {

namespace {

constexpr double kFreshDays = 30;
constexpr double kMostMeasuring = 0.2;  ///< of the budget

/// Days since a time in ISO 8601; nothing where it is none. A day is what a zone does not matter
/// to.
std::optional<double> days_since(const std::string& iso) {
  std::tm time{};
  std::istringstream text(iso);
  text >> std::get_time(&time, "%Y-%m-%dT%H:%M:%S");
  if (!text) return std::nullopt;
  return std::difftime(std::time(nullptr), timegm(&time)) / 86400;
}

/// A kept profile of this machine that is not old.
std::optional<MachineProfile> fresh_profile(const Topology& machine) {
  try {
    auto profile = cached_profile(machine);
    if (!profile) return std::nullopt;
    const auto days = days_since(profile->measured);
    return days && *days < kFreshDays ? std::move(profile) : std::nullopt;
  } catch (const Error&) {  // of another machine, damaged, or nowhere to keep one
    return std::nullopt;
  }
}

/// Seconds that it took to have a profile.
double measure_first(const TuneSettings& settings, const Topology& machine) {
  if (const auto profile = fresh_profile(machine)) {
    note(fmt::format("the profile of this machine of {} is used: kinjo measure makes a new one",
                     profile->measured));
    return 0;
  }
  ProfileRequest request;
  request.budget_seconds = static_cast<int>(suite_measuring_seconds(parse_suite(settings.suite)));
  const ProfilePlan plan = plan_profile(request, machine);
  if (plan.seconds > kMostMeasuring * *settings.budget_s) {
    note(
        fmt::format("the machine is not measured: that takes about {:.0f} s, too much of a budget "
                    "of {:g} s; kinjo measure does it",
                    std::ceil(plan.seconds), *settings.budget_s));
    return 0;
  }
  const double begin = now_seconds();
  keep_for_others(measure_machine(plan, machine));
  return now_seconds() - begin;
}

void announce(const TuneSettings& settings, const Topology& machine) {
  const SuiteSize size = parse_suite(settings.suite);
  std::uint64_t bytes = 0;
  const auto entries = suite_entries(suite_machine(machine), size);
  for (const SuiteEntry& entry : entries) bytes = std::max(bytes, entry.bytes);
  const double seconds = *settings.budget_s;
  const std::string time = seconds < 120 ? fmt::format("{:.0f} s", std::ceil(seconds))
                                         : fmt::format("{:.0f} minutes", std::ceil(seconds / 60));
  note(
      fmt::format("suite {}: {} workloads within about {}, or what verdicts take at least, in "
                  "up to {} of memory",
                  settings.suite, entries.size(), time, detail::format_bytes(bytes)));
}

}  // namespace

void expand_suite(TuneSettings& settings, const SuiteMachine& machine) {
  const SuiteSize size = parse_suite(settings.suite);
  if (settings.is_command || !settings.words.empty()) {
    throw Error(Errc::invalid_argument,
                "--suite runs every workload of its own: expected no workload and no command "
                "beside it");
  }
  std::vector<std::string> parameters;
  for (const SuiteEntry& entry : suite_entries(machine, size)) {
    settings.words.push_back(entry.workload);
    for (const auto& [name, value] : entry.parameters) {
      parameters.push_back(fmt::format("{}.{}={}", entry.workload, name, value));
    }
  }
  settings.parameters.insert(settings.parameters.begin(), parameters.begin(), parameters.end());
  if (!settings.budget_s) settings.budget_s = suite_seconds(size);
}

void prepare_suite(TuneSettings& settings, const Topology& machine) {
  announce(settings, machine);
  *settings.budget_s = std::max(0.0, *settings.budget_s - measure_first(settings, machine));
}

double suite_share(const TuneSettings& settings, const std::string& workload) {
  if (settings.suite.empty()) return 1;
  const auto entries = suite_entries({}, parse_suite(settings.suite));
  const auto at = std::ranges::find(entries, workload, &SuiteEntry::workload);
  return at == entries.end() ? 1 : at->share;
}

std::optional<Picture> waits_of(const Subject& subject, const Mapping& mapping) {
  const auto* cells = dynamic_cast<const CellsSubject*>(&subject);
  if (!cells) return std::nullopt;
  const auto runs = cells_timelines(cells->traced(mapping));
  if (runs.empty()) return std::nullopt;
  return timeline_picture(fmt::format("Who waits when: cells, {}", Configuration{mapping}.name()),
                          runs);
}

}  // namespace kinjo::cli
