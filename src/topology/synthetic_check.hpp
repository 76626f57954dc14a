/// A look at a `synthetic:` description before hwloc builds it: hwloc would try to build any number
/// of CPUs, and its objects hold sets as long as the largest number in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinjo::detail {

/// The most objects of one kind: as many CPUs as a Linux kernel is built for. hwloc needs seconds
/// for them, and minutes for twice as many.
inline constexpr int kMaxSyntheticObjects = 8192;
/// The largest number of a CPU or node.
inline constexpr int kMaxSyntheticIndex = 65535;

/// Checks that levels have counts whose product is bearable, and that their numbers are. Returns
/// the first fault and what was expected, or nothing; whether the levels make a machine is hwloc's
/// to say.
std::optional<std::string> find_synthetic_fault(std::string_view text);

}  // namespace kinjo::detail
