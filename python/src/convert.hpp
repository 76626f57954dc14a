/// Small conversions that several parts of the extension need.
#pragma once

#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
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
  const char* text = std::getenv(variable);
  if (!text || !*text) return standard;
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(Errc::bad_input, fmt::format("{}: {}", variable, error.what()));
  }
}

}  // namespace kinjo::python
