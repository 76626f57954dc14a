/// What memory a system has, this one or a described one. `root` is prefixed to every path (`""`:
/// the running system).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinjo::detail {

/// The least of MemAvailable and of what each control group from the process's own up to the root
/// leaves, in both versions: its limit less what it uses, not counting file pages, which it gives
/// up. 0 where nothing is known.
std::uint64_t read_available_memory(const std::string& root);

/// `huge_page_bytes`: a transparent huge page's; of a kernel that has none (one for real time) that
/// of the pool's pages; the base page's where there are none either.
std::size_t read_huge_page_bytes(const std::string& root);

/// What a line such as `MemAvailable:   123 kB` of /proc/meminfo says, in bytes.
std::optional<std::uint64_t> read_meminfo_bytes(const std::string& root, std::string_view label);

}  // namespace kinjo::detail
