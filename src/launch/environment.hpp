/// The variables of the environment through which a mapping reaches another program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>

namespace kinjo::detail {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// The CPUs of all places together.
CpuSet all_place_cpus(const Mapping& mapping, BindLevel level);

/// The places as the preloaded library reads them, e.g. `0;2;4-5,8`.
std::string places_text(const Mapping& mapping, BindLevel level);

/// OMP_NUM_THREADS, OMP_PLACES and OMP_PROC_BIND such that thread n runs at place n; the first
/// alone if the mapping does not bind. There are as many places as threads, so that `close`, which
/// gives place p0 + n to thread n, meets each exactly once from the initial thread's place 0 on.
Variables openmp_variables(const Mapping& mapping, BindLevel level);

}  // namespace kinjo::detail
