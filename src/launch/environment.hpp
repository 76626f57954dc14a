/// The environment of a program, and the variables through which a mapping reaches it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>

namespace kinjo::detail {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// The variables that a program gets, as a value: nothing here changes this process's own.
class Environment {
 public:
  /// A copy of this process's.
  static Environment inherited();

  void set(std::string_view name, std::string_view value);
  void set(const Variables& variables);
  void unset(std::string_view name);
  /// The value, or null if there is none; valid until the next change.
  const char* find(std::string_view name) const;

  /// As execve(2) takes it: `NAME=VALUE` each and a null pointer at the end. Valid until the next
  /// change.
  std::vector<char*> pointers() const;

 private:
  std::vector<std::string>::iterator locate(std::string_view name);

  std::vector<std::string> entries_;
};

/// The CPUs of all places together.
CpuSet all_place_cpus(const Mapping& mapping, BindLevel level);

/// The places as the preloaded library reads them, e.g. `0;2;4-5,8`.
std::string places_text(const Mapping& mapping, BindLevel level);

/// OMP_NUM_THREADS, OMP_PLACES and OMP_PROC_BIND such that thread n runs at place n; the first
/// alone if the mapping does not bind. There are as many places as threads, so that `close`, which
/// gives place p0 + n to thread n, meets each exactly once from the initial thread's place 0 on.
Variables openmp_variables(const Mapping& mapping, BindLevel level);

}  // namespace kinjo::detail
