#include <kinjo/policy.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

constexpr Policy::Order kStandardOrder = {Level::package, Level::node, Level::cache, Level::core,
                                          Level::smt};
constexpr std::string_view kCpus = "cpus:";

[[noreturn]] void reject(std::string_view text, std::string_view fault) {
  throw Error(
      Errc::invalid_argument,
      fmt::format("{} '{}': expected none, scatter, compact, compact-plus, an order of "
                  "package, node, cache, core and smt such as smt,core,node, or a list such "
                  "as cpus:0-3,8",
                  fault, detail::printable(text)));
}

/// Unlike a set, a policy's list keeps the order in which CPUs were named.
std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  const auto parts = detail::split(text, ',');
  for (std::string_view part : parts) {
    const auto run = CpuSet::parse(part, "CPU list");
    if (run.empty() && parts.size() > 1) {
      throw Error(Errc::bad_input,
                  fmt::format("malformed CPU list '{}': expected a number on both sides of a comma",
                              detail::shortened(text)));
    }
    for (int cpu : run) cpus.push_back(cpu);
  }
  return cpus;
}

/// The list that `parse_cpu_list` reads back, with runs as ranges.
std::string format_cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < cpus.size() && cpus[i + 1] == cpus[i] + 1) ++i;
    if (!text.empty()) text += ',';
    text += first == i ? fmt::format("{}", cpus[i]) : fmt::format("{}-{}", cpus[first], cpus[i]);
  }
  return text;
}

}  // namespace

const char* to_string(Level level) noexcept {
  switch (level) {
    case Level::package:
      return "package";
    case Level::node:
      return "node";
    case Level::cache:
      return "cache";
    case Level::core:
      return "core";
    case Level::smt:
      return "smt";
  }
  return "unknown";
}

Policy Policy::none() { return {Kind::none, "none", kStandardOrder}; }

Policy Policy::scatter() {
  return {Kind::scatter,
          "scatter",
          {Level::smt, Level::core, Level::cache, Level::node, Level::package}};
}

Policy Policy::compact() {
  return {
      Kind::order, "compact", {Level::package, Level::node, Level::smt, Level::cache, Level::core}};
}

Policy Policy::compact_plus() {
  return {Kind::order,
          "compact-plus",
          {Level::smt, Level::package, Level::node, Level::cache, Level::core}};
}

Policy Policy::order(const std::vector<Level>& levels) {
  std::vector<Level> all = levels;
  std::string name;
  for (Level level : levels) {
    if (!name.empty()) name += ',';
    name += to_string(level);
  }
  if (std::set<Level>(levels.begin(), levels.end()).size() != levels.size()) {
    reject(name, "a level is named twice in the policy");
  }
  if (levels.empty()) reject(name, "no level in the policy");
  for (Level level : kStandardOrder) {
    if (std::find(all.begin(), all.end(), level) == all.end()) all.push_back(level);
  }
  Order order{};
  std::copy(all.begin(), all.end(), order.begin());
  return {Kind::order, name, order};
}

Policy Policy::cpus(std::vector<int> cpus) {
  CpuSet set;
  for (int cpu : cpus) {
    if (cpu < 0 || set.contains(cpu)) {
      throw Error(Errc::invalid_argument,
                  fmt::format("CPU {} is {} the policy's list: expected each CPU once", cpu,
                              cpu < 0 ? "no number for" : "named twice in"));
    }
    set.insert(cpu);
  }
  if (cpus.empty()) {
    throw Error(Errc::invalid_argument, "the policy's list of CPUs is empty: expected cpus:0-3,8");
  }
  Policy policy(Kind::cpu_list, std::string(kCpus) + format_cpu_list(cpus), kStandardOrder);
  policy.cpus_ = std::move(cpus);
  return policy;
}

const std::vector<std::string>& Policy::names() {
  static const std::vector<std::string> names = {"none", "scatter", "compact", "compact-plus"};
  return names;
}

Policy Policy::parse(std::string_view text) {
  if (text == "none") return none();
  if (text == "scatter") return scatter();
  if (text == "compact") return compact();
  if (text == "compact-plus") return compact_plus();
  if (text.starts_with(kCpus)) return cpus(parse_cpu_list(text.substr(kCpus.size())));
  std::vector<Level> levels;
  for (std::string_view part : detail::split(text, ',')) {
    const auto level = std::find_if(kStandardOrder.begin(), kStandardOrder.end(),
                                    [&](Level l) { return to_string(l) == part; });
    if (level == kStandardOrder.end()) reject(text, "unknown policy");
    levels.push_back(*level);
  }
  return order(levels);
}

}  // namespace kinjo
