#include "tune_output.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "report/configuration.hpp"
#include "report/local_shares.hpp"
#include "report/machine_text.hpp"
#include "report/page_sections.hpp"
#include "report/profile_file.hpp"
#include "report/suite_text.hpp"
#include "report/verdict_figure.hpp"
#include "report_file.hpp"

namespace kinjo::cli {

namespace {

std::vector<ReportSection> sections_of(const std::vector<SweptSubject>& all) {
  std::vector<ReportSection> sections;
  for (const SweptSubject& swept : all) sections.push_back(swept.section);
  return sections;
}

/// What the laboratory has counted of these workloads.
LocalShares shares_of(const std::vector<SweptSubject>& all) {
  std::vector<std::string> names;
  for (const SweptSubject& swept : all) names.push_back(counted_as(swept.section.records.front()));
  return stored_local_shares(names);
}

std::string lines_text(const ReportSection& section) {
  std::string text;
  for (const auto& [name, line] : section.lines) text += fmt::format("  {:<15}  {}\n", name, line);
  return text;
}

/// Table, sentence and lines to paste of one subject.
std::string long_text(const SweptSubject& swept) {
  return detail::printable(swept.section.workload) + '\n' + sweep_table(swept).to_text() +
         swept.section.sentence + '\n' + lines_text(swept.section);
}

/// The machine in a line, and in another one what was measured of it.
std::string machine_lines(const Topology& machine) {
  const std::string text = machine_text(machine);
  std::string lines = text.substr(0, text.find('\n') + 1);
  try {
    if (const auto profile = cached_profile(machine)) lines += profile_line(*profile);
  } catch (const Error&) {  // the report says why
  }
  return lines;
}

std::string shares_text(const std::vector<SweptSubject>& all) {
  const LocalShares shares = shares_of(all);
  if (shares.workloads.empty()) return "";
  return '\n' + local_shares_sentence(shares) + '\n' + local_shares_table(shares).to_text();
}

}  // namespace

void TuneOutput::complain(const SweptSubject& swept) const {
  for (const Trial& trial : swept.outcome.trials) {
    if (trial.fault.empty()) continue;
    note(fmt::format("{}: {}", trial.configuration.name(), trial.fault));
    for (const std::string& line : trial.last_words) note("  it wrote: " + line);
  }
  if (swept.outcome.outputs_vary) {
    note(
        "the default's output varies from run to run, so outputs are not compared; name what may "
        "vary with --ignore");
  }
  std::vector<std::string> said;
  for (const Record& record : swept.section.records) {
    for (const auto& [name, value] : record.result) {
      // What was said of one configuration beforehand holds for the others likewise.
      if (!name.ends_with("_message") || !obstacle.empty()) continue;
      const std::string& line = std::get<std::string>(value);
      if (std::ranges::count(said, line) == 0) note(said.emplace_back(line));
    }
  }
}

std::string TuneOutput::text(const std::vector<SweptSubject>& all) const {
  std::string text;
  for (const SweptSubject& swept : all) text += (text.empty() ? "" : "\n") + long_text(swept);
  return text;
}

std::string TuneOutput::suite_text(const std::vector<SweptSubject>& all) const {
  const auto sections = sections_of(all);
  std::string text =
      machine_lines(machine) + '\n' + suite_table(sections).to_text() + suite_legend() + '\n';
  for (const ReportSection& section : sections) {
    text += fmt::format("{}: {}\n", section.workload, section.sentence) + lines_text(section);
  }
  text += '\n' + suite_summary(sections, machine) + '\n' + shares_text(all);
  return options.verbose ? text + '\n' + this->text(all) : text;
}

void TuneOutput::print_results(const std::vector<SweptSubject>& all) const {
  if (options.format == Format::csv) return print(sweep_csv(all).to_csv());
  if (options.format == Format::json) {
    Json json = sweep_json(all, machine);
    if (!settings.suite.empty()) {
      json["suite"] = settings.suite;
      json["summary"] = suite_summary(sections_of(all), machine);
    }
    return print(json_text(json));
  }
  print(settings.suite.empty() ? text(all) : suite_text(all));
}

void TuneOutput::write_report(const std::vector<SweptSubject>& all) const {
  Report report{.title = settings.suite.empty()
                             ? "Placement of " + all.front().section.records.front().workload
                             : "Placement on this machine: " + settings.suite + " suite",
                .command = command_line,
                .machine = machine,
                .sections = sections_of(all)};
  if (!settings.suite.empty()) report.summary = suite_summary(report.sections, machine);
  if (!settings.is_command) report.shares = shares_of(all);
  std::vector<std::string> seen;
  for (const SweptSubject& swept : all) {
    for (const Trial& trial : swept.outcome.trials) {
      const Mapping& mapping = trial.configuration.mapping;
      const std::string name = fmt::format("{} {}", mapping.policy().name(), mapping.size());
      if (!mapping.binds() || std::ranges::count(seen, name) > 0) continue;
      seen.push_back(name);
      report.mappings.push_back(mapping);
    }
  }
  cli::write_report(std::move(report), options.report);
}

void TuneOutput::write_files(const std::vector<SweptSubject>& all) const {
  if (!options.report.empty()) write_report(all);
  if (options.picture.empty()) return;
  const auto sections = sections_of(all);
  detail::write_whole_file(options.picture,
                           verdict_svg(sections, page_policies(sections)).file_text());
  note(fmt::format("the picture is {}", options.picture));
}

int TuneOutput::status_of(const std::vector<SweptSubject>& all) const {
  for (const SweptSubject& swept : all) {
    const auto& trials = swept.outcome.trials;
    const auto failed = static_cast<std::size_t>(
        std::ranges::count_if(trials, [](const Trial& t) { return !t.fault.empty(); }));
    const bool nothing_left = failed > 0 && failed + 1 >= trials.size();
    if (!trials[0].fault.empty() || nothing_left) return kBadResult;
    if (!settings.is_command && failed > 0) return kBadResult;
  }
  return kDone;
}

}  // namespace kinjo::cli
