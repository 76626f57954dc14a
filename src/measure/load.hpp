/// What others do on the CPUs while something is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/index_set.hpp>

namespace kinjo {

/// What CPUs did since the system started, in its ticks (`/proc/stat`).
struct CpuTime {
  std::uint64_t busy = 0;   ///< programs, the kernel and interrupts
  std::uint64_t steal = 0;  ///< a hypervisor ran something else
  std::uint64_t total = 0;  ///< with the rest: idle, waiting
};

/// Of the CPUs together; nothing if a CPU's line is missing, there twice, or not as the
/// kernel writes it.
std::optional<CpuTime> parse_cpu_time(std::string_view stat, const CpuSet& cpus);

/// A look at the load.
struct LoadLook {
  std::optional<CpuTime> time;  ///< of the allowed CPUs
  double own_seconds = 0;       ///< CPU time of this process
};
LoadLook read_load(const std::string& root, const CpuSet& cpus);

/// What others had of the CPUs between two looks. `when` ends the sentence: `before the
/// measurement`. Shares up to 5 % are let pass, and so is what the ticks cannot tell (one for each
/// CPU).
std::vector<std::string> judge_load(const LoadLook& from, const LoadLook& to, std::size_t cpus,
                                    double ticks_per_second, std::string_view when);

/// The same in one sentence without figures, for whatever was measured between the looks at the
/// CPUs `cpus`; empty where nothing speaks against it.
std::string load_warning(const LoadLook& from, const LoadLook& to, std::size_t cpus);

}  // namespace kinjo
