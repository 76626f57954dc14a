/// The suites of `kinjo tune --suite`: every workload at a size fit for the machine.
///
/// A run's time is kept alike on every machine: the work grows with the number of CPUs, up to what
/// one thread verifies in time, and vectors with the caches, up to what the CPUs get through. How
/// long a suite takes is then a matter of how many runs it has, which the numbers of threads decide
/// and, within bounds, a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kinjo/topology.hpp>

namespace kinjo {

enum class SuiteSize {
  quick,  ///< some five minutes
  full,   ///< an hour
};
const char* to_string(SuiteSize size) noexcept;
/// Throws `Error` (`invalid_argument`) that names both.
SuiteSize parse_suite(const std::string& text);

/// What sizes depend on.
struct SuiteMachine {
  std::size_t cpus = 1;            ///< that may be used
  std::uint64_t cache_bytes = 0;   ///< of all caches of the last level together
  std::uint64_t memory_bytes = 0;  ///< available; 0: the system does not say
};
SuiteMachine suite_machine(const Topology& machine);

/// One workload of a suite.
struct SuiteEntry {
  std::string workload;
  std::vector<std::pair<std::string, std::string>> parameters;
  double share = 1;         ///< of the time, relative to the others'
  std::uint64_t bytes = 0;  ///< of memory that a run takes at most, roughly
};

/// Every workload of the registry, in the order in which they run. None takes more than a quarter
/// of the memory that is available, if its least size does not.
std::vector<SuiteEntry> suite_entries(const SuiteMachine& machine, SuiteSize size);

/// The numbers of threads: a quarter, a half and all of the CPUs; `full` also has an eighth and a
/// sixteenth. Fewer would take as many times longer, and would not be chosen.
std::vector<std::size_t> suite_threads(SuiteSize size, std::size_t cpus);

/// How long everything may take unless a budget is given, and measuring the machine beforehand.
double suite_seconds(SuiteSize size);
double suite_measuring_seconds(SuiteSize size);

}  // namespace kinjo
