/// `available_memory_bytes` of a described system.
#pragma once

#include <cstdint>
#include <string>

namespace kinjo::detail {

/// The least of MemAvailable and of what each control group from the process's own up to the root
/// leaves, in both versions: its limit less what it uses, not counting file pages, which it gives
/// up. `root` is prefixed to every path (`""`: the running system). 0 where nothing is known.
std::uint64_t read_available_memory(const std::string& root);

}  // namespace kinjo::detail
