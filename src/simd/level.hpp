/// The choice among the levels, for kernels.
///
/// A set of kernels is a struct of function pointers with one constant instance for each level. A
/// call reads the level (`chosen_level`, one relaxed load once it is known), takes the instance and
/// calls through it. Nothing is locked, and nothing is allocated but in the first call.
#pragma once

#include <array>
#include <atomic>
#include <optional>

#include <kinjo/simd.hpp>

namespace kinjo::detail {

inline constexpr std::size_t kSimdLevels = static_cast<std::size_t>(SimdLevel::neon) + 1;

/// The set of each level, by its number; null where it was not compiled.
template <class Kernels>
using KernelTable = std::array<const Kernels*, kSimdLevels>;

/// The number of the level in use, −1 until it is known.
extern std::atomic<int> chosen_level_number;

/// Chooses and remembers the level. Throws as `simd_level` does, and remembers nothing then.
int choose_level();

/// The set of kernels for the level in use, or null if that is still to be chosen.
template <class Kernels>
inline const Kernels* chosen_if_known(const KernelTable<Kernels>& table) {
  const int number = chosen_level_number.load(std::memory_order_relaxed);
  return number < 0 ? nullptr : table[static_cast<std::size_t>(number)];
}

/// The set of kernels for the level in use.
template <class Kernels>
inline const Kernels& chosen(const KernelTable<Kernels>& table) {
  if (const Kernels* known = chosen_if_known(table)) [[likely]]
    return *known;
  return *table[static_cast<std::size_t>(choose_level())];
}

/// The level that `wish` (the content of `KINJO_SIMD`; empty: none) and `available` make. Throws as
/// `simd_level` does.
SimdLevel decide_level(std::string_view wish, const std::vector<SimdLevel>& available);

/// For tests and comparisons: uses a level of `simd_levels()` as long as it lives. Not while other
/// threads call kernels.
class ForcedLevel {
 public:
  explicit ForcedLevel(SimdLevel level);
  ~ForcedLevel();
  ForcedLevel(const ForcedLevel&) = delete;
  ForcedLevel& operator=(const ForcedLevel&) = delete;

 private:
  int before_;
};

}  // namespace kinjo::detail
