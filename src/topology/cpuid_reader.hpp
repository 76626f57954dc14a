/// The topology by APIC ids (S1 section 3.1 (c)).
#pragma once

#include <map>
#include <string>

#include "topology/cpuid.hpp"
#include "topology/reading.hpp"

namespace kinjo::detail {

/// Packages, cores and caches by what each CPU says of itself.
Reading read_cpuid(const std::map<int, CpuidFacts>& facts, const std::string& source);

/// Executes CPUID on each of `cpus`, in a thread that is pinned there. On other architectures than
/// x86, and where the system refuses to pin, a reading that says so.
Reading read_cpuid_here(const CpuSet& cpus);

/// What hwloc-gather-cpuid has recorded: the files `puN` of `ROOT/cpuid`. Without them a reading
/// that says so. Throws `Error` (`bad_input`) that names the file and line.
Reading read_cpuid_of(const std::string& root);

}  // namespace kinjo::detail
