/// Highway's targets that can run here.
#pragma once

#include <cstdint>

namespace kinjo::detail {

/// As bits, those that kinjo compiles for. On x86 they are looked up without Highway's library,
/// which is one more to load, and loads that of C++.
std::int64_t targets_here();

}  // namespace kinjo::detail
