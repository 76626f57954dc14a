#include "report/graph_curves.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/configuration.hpp"

namespace kinjo {

namespace {

/// `grid:8` and `grid:8x8` are 8 of the rule `grid`.
struct GraphSize {
  std::string rule;
  std::size_t size = 0;
};

std::optional<GraphSize> graph_size_of(const Record& record) {
  const auto graph = value_text_of(record.parameters, "graph");
  const std::size_t colon = graph ? graph->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  const auto sides = detail::split(std::string_view(*graph).substr(colon + 1), 'x');
  const auto size = detail::parse_number<std::size_t>(sides.front());
  const bool square = std::ranges::all_of(sides, [&](std::string_view side) {
    return detail::parse_number<std::size_t>(side) == size;
  });
  if (!size || !square) return std::nullopt;
  return GraphSize{graph->substr(0, colon), *size};
}

/// A record that stands for a point.
struct Measured {
  const Record* record;
  GraphSize graph;
};

std::vector<Measured> measured_graphs(std::span<const ReportSection> sections) {
  std::vector<Measured> found;
  for (const ReportSection& section : sections) {
    for (const Record& record : section.records) {
      const auto graph = graph_size_of(record);
      if (graph && !failure_of(record)) found.push_back({&record, *graph});
    }
  }
  return found;
}

/// The default has all CPUs also where fewer threads were asked for; with policies it is no rival
/// then.
std::size_t most_threads(const std::vector<Measured>& found) {
  std::size_t placed = 0, all = 0;
  for (const auto& [record, graph] : found) {
    all = std::max(all, record->threads);
    if (record->policy != "none") placed = std::max(placed, record->threads);
  }
  return placed != 0 ? placed : all;
}

CurveSet& set_for(std::vector<CurveSet>& sets, const Metric& metric, const std::string& variant) {
  const auto at = std::ranges::find_if(sets, [&](const CurveSet& set) {
    return set.metric == metric.name && set.variant == variant;
  });
  if (at != sets.end()) return *at;
  return sets.emplace_back(CurveSet{metric.name, metric.unit, variant, {}, CurveAxis::graphs});
}

bool has_several_sizes(const CurveSet& set) {
  std::set<std::size_t> sizes;
  for (const Curve& curve : set.curves) {
    for (const Curve::Point& point : curve.points) sizes.insert(point.at);
  }
  return sizes.size() > 1;
}

}  // namespace

std::vector<CurveSet> graph_sets(std::span<const ReportSection> sections) {
  std::vector<CurveSet> sets;
  const auto found = measured_graphs(sections);
  const std::size_t threads = most_threads(found);
  for (const auto& [record, graph] : found) {
    if (record->threads != threads) continue;
    const std::string variant = fmt::format("{}:N, {}", graph.rule, thread_count(threads));
    for (const Metric& metric : record->metrics) {
      if (!measured(*record, metric.name)) continue;
      add_points(set_for(sets, metric, variant), *record, metric, graph.size);
    }
  }
  std::erase_if(sets, [](const CurveSet& set) { return !has_several_sizes(set); });
  return sets;
}

}  // namespace kinjo
