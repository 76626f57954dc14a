/// An error in words, for tests and for programs that tests run.
#pragma once

#include <string>

#include <kinjo/error.hpp>

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
