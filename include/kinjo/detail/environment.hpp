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

inline bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Which of a mapping's arguments the caller gave; variables stand for the others.
struct MappingArguments {
  bool policy;
  bool threads;
};

/// Of the refusal of a mapping on `machine`: names the variables that had a part in it. If all of
/// it was theirs it is bad input.
inline Error explain_refusal(const Error& error, MappingArguments given,
                             const std::string& machine) {
  const bool by_policy = !given.policy && is_set("KINJO_POLICY"),
             by_threads = !given.threads && is_set("KINJO_THREADS");
  if (!by_policy && !by_threads) return error;
  const std::string variables = by_policy && by_threads ? "KINJO_POLICY and KINJO_THREADS"
                                : by_policy             ? "KINJO_POLICY"
                                                        : "KINJO_THREADS";
  if (given.policy || given.threads) {
    return Error(error.code(), std::string(error.what()) + " (with " + variables + ")");
  }
  return Error(Errc::bad_input, variables + (by_policy && by_threads ? " do" : " does") +
                                    " not fit " + machine + ": " + error.what());
}

}  // namespace kinjo::detail
