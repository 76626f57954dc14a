/// Expectations about errors: their code and their words.
#pragma once

#include <ostream>
#include <string>

#include <gtest/gtest.h>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

namespace kinjo {

/// How gtest shows a set that is not the expected one.
template <class Tag>
void PrintTo(const IndexSet<Tag>& set, std::ostream* out) {
  *out << '{' << set.to_string() << '}';
}

}  // namespace kinjo

namespace kinjo::test {

/// `code: message` of the `Error` that `f` throws, or what it did instead.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace kinjo::test
