/// Variables of the environment as values, for the parts that read them.
#pragma once

#include <cstdlib>
#include <string>

#include <kinjo/error.hpp>

namespace kinjo::detail {

/// What `parse` makes of a variable, or `standard` if it is unset or empty. An unacceptable value
/// is bad input, whatever it would be as an argument: throws `Error` (`bad_input`), `VARIABLE:
/// WHY`.
template <class Parse, class Value>
Value from_environment(const char* variable, Parse parse, Value standard) {
  const char* const text = std::getenv(variable);
  if (!text || !*text) return standard;
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(Errc::bad_input, std::string(variable) + ": " + error.what());
  }
}

}  // namespace kinjo::detail
