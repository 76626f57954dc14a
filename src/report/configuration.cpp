#include "report/configuration.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/policy.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

std::string value_text(const Value& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

const Value* find_value(const Values& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &std::pair<std::string, Value>::first);
  return at == values.end() ? nullptr : &at->second;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// The names of the parameters that are not the same in all records.
std::vector<std::string> differing_parameters(std::span<const Record> records) {
  std::map<std::string, std::pair<std::string, std::size_t>> first;  // value, records that have it
  std::vector<std::string> differing;
  for (const Record& record : records) {
    for (const auto& [name, value] : record.parameters) {
      auto& [text, count] = first.try_emplace(name, value_text(value), 0).first->second;
      if (text == value_text(value)) ++count;
    }
  }
  for (const auto& [name, found] : first) {
    if (found.second < records.size()) differing.push_back(name);
  }
  return differing;
}

}  // namespace

std::optional<std::string> value_text_of(const Values& values, const std::string& name) {
  const Value* value = find_value(values, name);
  return value ? std::optional(value_text(*value)) : std::nullopt;
}

std::optional<std::string> failure_of(const Record& record) {
  const Value* fault = find_value(record.result, "fault");
  if (fault) return value_text(*fault);
  if (!record.verified.value_or(true)) return "its result is wrong";
  const bool sampled = std::ranges::any_of(
      record.metrics, [&](const Metric& m) { return measured(record, m.name) != nullptr; });
  return sampled ? std::nullopt : std::optional<std::string>("nothing was measured");
}

const Metric* measured(const Record& record, const std::string& metric) {
  const auto at = std::ranges::find(record.metrics, metric, &Metric::name);
  if (at == record.metrics.end() || at->samples.empty()) return nullptr;
  const bool finite = std::ranges::all_of(at->samples, [](double v) { return std::isfinite(v); });
  return finite ? &*at : nullptr;
}

std::vector<std::string> metric_names(std::span<const Record> records) {
  std::vector<std::string> names;
  for (const Record& record : records) {
    for (const Metric& metric : record.metrics) add_once(names, metric.name);
  }
  return names;
}

std::vector<std::string> policies_of(const Record& record) {
  std::vector<std::string> names = {record.policy};
  if (const Value* same = find_value(record.result, "same_as")) {
    const std::string text = value_text(*same);
    for (std::string_view name : detail::split(text, ' ')) {
      if (!name.empty()) names.emplace_back(name);
    }
  }
  return names;
}

bool stands_for(const Record& record, const std::string& policy) {
  const auto names = policies_of(record);
  return std::ranges::find(names, policy) != names.end();
}

std::vector<std::string> ordered_policies(std::span<const std::string> names) {
  std::vector<std::string> ordered;
  for (const std::string& name : Policy::names()) {
    if (std::ranges::find(names, name) != names.end()) ordered.push_back(name);
  }
  for (const std::string& name : names) add_once(ordered, name);
  return ordered;
}

std::vector<std::string> variants_of(std::span<const Record> records) {
  const auto parameters = differing_parameters(records);
  const bool memory = std::ranges::any_of(
      records, [&](const Record& r) { return r.memory != records.front().memory; });
  std::vector<std::string> variants;
  for (const Record& record : records) {
    std::string& text = variants.emplace_back();
    const auto add = [&](const std::string& name, const std::string& value) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    };
    if (memory) add("memory", record.memory.empty() ? "by the threads" : record.memory);
    for (const std::string& name : parameters) {
      if (const Value* value = find_value(record.parameters, name)) add(name, value_text(*value));
    }
  }
  return variants;
}

std::optional<KernelSize> kernel_size_of(const Record& record) {
  const auto size = value_text_of(record.parameters, "size");
  if (!size) return std::nullopt;
  if (const auto kernel = value_text_of(record.parameters, "kernel")) {
    const auto elements = detail::parse_number<std::size_t>(*size);
    return elements ? std::optional<KernelSize>({*kernel, *elements}) : std::nullopt;
  }
  if (record.workload != "gemm") return std::nullopt;
  double volume = 1;
  const auto sides = detail::split(*size, 'x');
  for (const std::string_view side : sides) {
    volume *= static_cast<double>(detail::parse_number<std::size_t>(side).value_or(0));
  }
  const double rows = std::pow(volume, 1 / static_cast<double>(sides.size()));
  return KernelSize{record.workload, static_cast<std::size_t>(std::llround(rows))};
}

std::string thread_count(std::size_t threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

}  // namespace kinjo
