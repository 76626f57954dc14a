/// What the tests of workloads share.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/topology.hpp>

#include "measure/record.hpp"

namespace kinjo::test {

inline const Topology& machine() { return Topology::this_machine(); }

/// A value as text, or `absent`.
inline std::string text_of(const Values& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &std::pair<std::string, Value>::first);
  if (at == values.end()) return "absent";
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, at->second);
}

}  // namespace kinjo::test
