/// Small conversions that several parts of the extension need.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
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

/// Names as text. A byte that is no UTF-8 becomes what Python would write for it, such as \xe9.
inline nanobind::list to_texts(const std::vector<std::string>& names) {
  nanobind::list texts;
  for (const std::string& name : names) {
    PyObject* const text =
        PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "backslashreplace");
    if (text == nullptr) nanobind::raise_python_error();
    texts.append(nanobind::steal(text));
  }
  return texts;
}

/// What `parse` makes of the argument, else of the variable of the environment, else `standard`.
template <class Parse, class Value>
Value parse_or_environment(const std::optional<std::string>& argument, const char* variable,
                           Parse parse, Value standard) {
  if (argument) return parse(*argument);
  return kinjo::detail::from_environment(variable, parse, standard);
}

}  // namespace kinjo::python
