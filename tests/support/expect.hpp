/// Expectations about errors: their code and their words.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>
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

/// A gtest parameter's name: what is no letter or digit becomes an underscore.
inline std::string test_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace kinjo::test
