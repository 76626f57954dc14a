/// The topology by /sys/devices/system (S1 section 3.1 (b)).
#pragma once

#include <string>
#include <string_view>

#include "topology/reading.hpp"

namespace kinjo::detail {

/// Reads `ROOT/sys/devices/system` file by file: packages by `physical_package_id`, cores by the
/// lists or masks of siblings, nodes by `nodeN/cpulist` or `cpumap`, caches by
/// `cache/indexN/shared_cpu_list` or `shared_cpu_map`. CPUs that are offline are left out. Throws
/// `Error` (`bad_input`) that names the file if a list, mask or number is none.
Reading read_sysfs(const std::string& root);

/// The kernel's masks: words of 32 bits in hexadecimal, the highest first, `00000001,0000000f`;
/// leading words may be missing. Throws `Error` (`bad_input`) that quotes `what`.
CpuSet parse_mask(std::string_view text, const std::string& what);

}  // namespace kinjo::detail
