#include "configurations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "report/configuration.hpp"

namespace kinjo::cli {

void ConfigurationOptions::add_to(CLI::App& command) {
  auto* const option =
      command
          .add_option(
              "--policy", policies,
              "a placement policy (see kinjo map --help), or all; may be given several times")
          ->envname("KINJO_POLICY")
          ->take_all()
          ->allow_extra_args(false);
  if (!policies.empty()) option->capture_default_str();
  command
      .add_option("--threads", threads,
                  "a number, a list such as 1,2,4, or all: 1, 2, 4 … every allowed CPU; default: "
                  "every allowed CPU, with --policy all: all")
      ->envname("KINJO_THREADS")
      ->check(not_empty("numbers"));
  command.add_flag("--oversubscribe", oversubscribe, "allow more threads than CPUs");
  add_bind(command, bind);
}

std::vector<Policy> ConfigurationOptions::parsed_policies() const {
  std::vector<Policy> parsed;
  for (const std::string& name : policies) {
    if (name == "all") {
      for (const std::string& each : Policy::names()) parsed.push_back(Policy::parse(each));
    } else {
      parsed.push_back(Policy::parse(name));
    }
  }
  return parsed;
}

std::vector<std::size_t> ConfigurationOptions::thread_counts(std::size_t cpus) const {
  const bool sweep = std::ranges::find(policies, "all") != policies.end();
  if (threads.empty() && !sweep) return {cpus};
  return parse_thread_counts(threads.empty() ? "all" : threads, cpus);
}

std::vector<Mapping> ConfigurationOptions::mappings(const Topology& machine) const {
  std::vector<Mapping> mappings;
  const auto over = oversubscribe ? Oversubscribe::wrap : Oversubscribe::refuse;
  for (const Policy& policy : parsed_policies()) {
    for (const std::size_t count : thread_counts(default_threads(machine, policy))) {
      mappings.emplace_back(machine, policy, count, over);
    }
  }
  return mappings;
}

std::vector<Mapping> ConfigurationOptions::mappings_or_alone(const Topology& machine) const {
  if (!policies.empty()) return mappings(machine);
  ConfigurationOptions given = *this;
  std::vector<Mapping> all;
  const std::size_t cpus = machine.allowed_cpus().count();
  for (const std::size_t count : parse_thread_counts(threads.empty() ? "1" : threads, cpus)) {
    given.policies = {count == 1 ? "none" : "scatter"};
    given.threads = std::to_string(count);
    for (const Mapping& mapping : given.mappings(machine)) all.push_back(mapping);
  }
  return all;
}

std::vector<std::string> parts_of(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    for (const std::string_view part : detail::split(value, ',')) parts.emplace_back(part);
  }
  return parts;
}

const Value* find_result(const Record& record, const std::string& name) {
  const auto at = std::ranges::find(record.result, name, &std::pair<std::string, Value>::first);
  return at == record.result.end() ? nullptr : &at->second;
}

namespace {

/// Notes what the system said where it refused to place memory, each once.
void note_refusals(std::span<const Record> records) {
  std::vector<std::string> said;
  for (const Record& record : records) {
    for (const char* name : {"pages_message", "placement_message"}) {
      const Value* message = find_result(record, name);
      if (!message || std::ranges::count(said, std::get<std::string>(*message)) > 0) continue;
      note(said.emplace_back(std::get<std::string>(*message)));
    }
  }
}

}  // namespace

void note_faults(std::span<const Record> records,
                 const std::function<std::string(const Record&)>& describe) {
  note_refusals(records);
  for (const Record& record : records) {
    const Value* fault = find_result(record, "fault");
    if (!fault) continue;
    note(fmt::format("{}, {} with {}: {}", describe(record), record.policy,
                     thread_count(record.threads), std::get<std::string>(*fault)));
  }
}

int status_of(std::span<const Record> records) {
  const bool good =
      std::ranges::all_of(records, [](const Record& r) { return r.verified.value_or(true); });
  return good ? kDone : kBadResult;
}

void add_pages(CLI::App& command, std::string& pages) {
  command
      .add_option("--pages", pages,
                  "normal, transparent (huge pages), or huge (of the system's pool)")
      ->check(CLI::IsMember({"normal", "transparent", "huge"}))
      ->capture_default_str();
}

Pages parse_pages(const std::string& pages) {
  if (pages == "normal") return Pages::normal;
  return pages == "huge" ? Pages::huge : Pages::transparent;
}

}  // namespace kinjo::cli
