/// Small conversions that several parts of the extension need.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <kinjo/detail/environment.hpp>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::python {

/// Members in ascending order.
template <class Tag>
std::vector<int> to_list(const IndexSet<Tag>& set) {
  return {set.begin(), set.end()};
}

template <class T>
std::vector<T> to_list(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// What `parse` makes of the argument, else of the variable of the environment, else `standard`.
template <class Parse, class Value>
Value parse_or_environment(const std::optional<std::string>& argument, const char* variable,
                           Parse parse, Value standard) {
  if (argument) return parse(*argument);
  return kinjo::detail::from_environment(variable, parse, standard);
}

}  // namespace kinjo::python
