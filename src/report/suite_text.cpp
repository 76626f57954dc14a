#include "report/suite_text.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/axes.hpp"
#include "report/configuration.hpp"
#include "report/page_sections.hpp"
#include "report/roofline_model.hpp"
#include "report/verdict_figure.hpp"

namespace kinjo {

namespace {

using State = VerdictCell::State;

std::string gain_text(double gain) { return fmt::format("{:.{}f}", gain, gain < 10 ? 2 : 0); }

std::string cell_text(const VerdictCell& cell) {
  switch (cell.state) {
    case State::failed:
      return "failed";
    case State::not_measured:
      return "-";
    case State::alone:
      return cell.median;
    default:
      break;
  }
  const char* mark = cell.state == State::better        ? "▲ "
                     : cell.state == State::worse       ? "▼ "
                     : cell.state == State::unconfirmed ? "~ "
                                                        : "";
  const std::string gain = cell.state == State::baseline ? "1" : gain_text(cell.gain);
  return fmt::format("{}{} ({})", mark, gain, cell.best->threads);
}

std::string default_text(const Judgement& judgement) {
  const Metric* metric =
      judgement.baseline ? measured(*judgement.baseline, judgement.metric) : nullptr;
  if (!metric) return "failed";
  const std::string unit = metric->unit.empty() ? "" : " " + metric->unit;
  return short_number(summarize(metric->samples).median) + unit;
}

/// `stream (1.31 times, scatter with 16 threads)`.
std::string winner_text(const ReportSection& section) {
  const Verdict& verdict = *section.verdict;
  const Record& best = section.records[verdict.best];
  return fmt::format("{} ({:.2f} times, {} with {})", section.workload, verdict.gain, best.policy,
                     thread_count(best.threads));
}

const Roof* find_roof(const std::vector<Roof>& roofs, const std::string& name) {
  const auto at = std::ranges::find_if(
      roofs, [&](const Roof& r) { return r.name == name && r.threads == Roof::Threads::all; });
  return at == roofs.end() ? nullptr : &*at;
}

/// `96 ns`, `96 to 104 ns`, or nothing.
std::string latency_text(const NodesProfile& nodes, bool own) {
  std::vector<double> found;
  for (const NodePairProfile& pair : nodes.pairs) {
    if ((pair.cpu_node == pair.memory_node) == own && pair.latency_ns) {
      found.push_back(pair.latency_ns->summary.median);
    }
  }
  if (found.empty()) return "";
  const auto [low, high] = std::ranges::minmax(found);
  const std::string from = short_number(low), to = short_number(high);
  return (from == to ? from : from + " to " + to) + " ns";
}

}  // namespace

Table suite_table(std::span<const ReportSection> sections) {
  const auto policies = page_policies(sections);
  std::vector<std::string> header = {"workload", "judged by", "default"};
  header.insert(header.end(), policies.begin(), policies.end());
  Table table(header);
  for (const ReportSection& section : sections) {
    const Judgement judgement = judgement_of(section);
    std::vector<std::string> row = {section.workload, judgement.metric, default_text(judgement)};
    for (const VerdictCell& cell : verdict_cells(section, policies)) row.push_back(cell_text(cell));
    table.add(row);
  }
  return table;
}

std::string suite_legend() {
  return "How many times as good as the default each policy's best number of threads (in brackets) "
         "is:\n▲ better and ▼ worse by 95 % bounds, ~ not confirmed, no mark: no measurable "
         "difference.\n";
}

std::string suite_summary(std::span<const ReportSection> sections, const Topology& machine) {
  std::vector<std::string> winners, failed;
  for (const ReportSection& section : sections) {
    if (!section.verdict) failed.push_back(section.workload);
    if (section.verdict && section.verdict->recommends()) winners.push_back(winner_text(section));
  }
  std::string text =
      winners.empty()
          ? fmt::format(
                "No placement is measurably better than the default in any of {} workloads.",
                sections.size())
          : fmt::format("A placement is better than the default in {} of {} workloads: {}.",
                        winners.size(), sections.size(), fmt::join(winners, "; "));
  if (machine.nodes().size() == 1) {
    text += " This machine has one node, so all memory is equally near.";
  }
  if (!failed.empty()) {
    text += fmt::format(" Nothing could be compared in {}.", fmt::join(failed, ", "));
  }
  return text;
}

std::string profile_line(const MachineProfile& profile) {
  const auto roofs = roofs_of(profile);
  std::vector<std::string> parts;
  if (const Roof* memory = find_roof(roofs, "memory")) {
    parts.push_back(fmt::format("memory {} GB/s", short_number(memory->value)));
  }
  if (const Roof* peak = find_roof(roofs, "peak")) {
    parts.push_back(fmt::format("arithmetic {} GFLOP/s", short_number(peak->value)));
  }
  if (profile.nodes) {
    const std::string own = latency_text(*profile.nodes, true);
    const std::string others = latency_text(*profile.nodes, false);
    if (!own.empty()) parts.push_back("latency " + own);
    if (!others.empty()) parts.push_back("to other nodes " + others);
  }
  return fmt::format("measured {}: {}\n", profile.measured,
                     parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", ")));
}

}  // namespace kinjo
