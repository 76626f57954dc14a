#include "report/kernel_curves.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/configuration.hpp"

namespace kinjo {

namespace {

template <class Number>
std::optional<Number> number_of(const Values& values, const char* name) {
  const auto text = value_text_of(values, name);
  return text ? detail::parse_number<Number>(*text) : std::nullopt;
}

Curve& curve_for(CurveSet& set, const std::string& name) {
  const auto at = std::ranges::find(set.curves, name, &Curve::name);
  return at != set.curves.end() ? *at : set.curves.emplace_back(Curve{name, {}});
}

void add_point(CurveSet& set, const std::string& name, std::size_t at, const Summary& summary) {
  auto& points = curve_for(set, name).points;
  points.insert(std::ranges::lower_bound(points, at, {}, &Curve::Point::at), {at, summary});
}

Summary exactly(double value) {
  return {.count = 1, .min = value, .median = value, .max = value, .low = value, .high = value};
}

CurveSet& set_for(std::vector<CurveSet>& sets, const std::string& metric, const std::string& unit,
                  const std::string& variant, CurveAxis axis) {
  const auto at = std::ranges::find_if(
      sets, [&](const CurveSet& s) { return s.metric == metric && s.variant == variant; });
  if (at != sets.end()) return *at;
  return sets.emplace_back(CurveSet{metric, unit, variant, {}, axis});
}

bool one_configuration(std::span<const Record> records) {
  return std::ranges::all_of(records, [&](const Record& r) {
    return r.policy == records.front().policy && r.threads == records.front().threads;
  });
}

/// The number of running sums that a rung's name tells.
std::optional<std::size_t> sums_of(const std::string& rung) {
  std::size_t sums = 0;
  const auto [end, error] = std::from_chars(rung.data(), rung.data() + rung.size(), sums);
  if (error != std::errc{} || !std::string_view(end).starts_with(" vector")) return std::nullopt;
  return sums;
}

}  // namespace

bool is_by_size(const ReportSection& section) {
  return !section.verdict && !section.records.empty() &&
         std::ranges::all_of(section.records, [](const Record& record) {
           return value_text_of(record.parameters, "kernel") &&
                  number_of<std::size_t>(record.parameters, "size");
         });
}

std::vector<CurveSet> size_sets(std::span<const Record> records) {
  std::vector<CurveSet> sets;
  const bool one = one_configuration(records);
  for (const Record& record : records) {
    const Metric* limit = measured(record, "limit");
    const auto kernel = value_text_of(record.parameters, "kernel");
    const auto size = number_of<std::size_t>(record.parameters, "size");
    if (!limit || !kernel || !size || failure_of(record)) continue;
    const Metric* reached = measured(record, limit->unit == "GFLOP/s" ? "gflops" : "bandwidth");
    if (!reached) continue;
    CurveSet& set = set_for(sets, *kernel, limit->unit, "", CurveAxis::elements);
    const std::string name =
        one ? "reached" : fmt::format("{} × {}", record.policy, record.threads);
    add_point(set, name, *size, summarize(reached->samples));
    add_point(set, one ? "limit" : name + ", limit", *size, summarize(limit->samples));
  }
  return sets;
}

std::vector<CurveSet> ladder_sets(std::span<const Record> records) {
  std::vector<CurveSet> sets;
  for (const Record& record : records) {
    const Metric* reached = measured(record, "gflops");
    const auto kernel = value_text_of(record.parameters, "kernel");
    const auto rung = value_text_of(record.parameters, "rung");
    const auto size = number_of<std::size_t>(record.parameters, "size");
    if (!reached || !kernel || !rung || !size || *kernel == "axpy") continue;
    CurveSet& set = set_for(sets, *kernel, reached->unit, detail::format_count(*size) + " elements",
                            CurveAxis::sums);
    if (const auto sums = sums_of(*rung)) {
      add_point(set, "vectors", *sums, summarize(reached->samples));
      if (const auto predicted = number_of<double>(record.result, "predicted_gflops")) {
        add_point(set, "predicted", *sums, exactly(*predicted));
      }
    } else {
      add_point(set, *rung, *rung == "plain" ? 1 : 8, summarize(reached->samples));
    }
  }
  return sets;
}

}  // namespace kinjo
