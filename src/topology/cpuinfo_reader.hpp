/// The topology by /proc/cpuinfo (S1 section 3.1 (a)).
#pragma once

#include <string>
#include <string_view>

#include "topology/reading.hpp"

namespace kinjo::detail {

/// Reads the text: CPUs by `processor`, packages by `physical id`, cores by that and `core id`, as
/// x86 has them and s390 (`cpu number`, `processor N:`); other architectures list their CPUs alone.
/// `source` names the text. Throws `Error` (`bad_input`) with the line if a number is none or a CPU
/// is listed twice.
Reading read_cpuinfo(std::string_view text, const std::string& source);

/// The same of `ROOT/proc/cpuinfo`; without the file, a reading that says so.
Reading read_cpuinfo_of(const std::string& root);

}  // namespace kinjo::detail
