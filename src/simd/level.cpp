#include "simd/level.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "simd/targets.hpp"
#include "simd/targets_here.hpp"
// The choice of targets must come before Highway.
#include <hwy/targets.h>

namespace kinjo {

namespace detail {

std::atomic<int> chosen_level_number{-1};

namespace {

constexpr SimdLevel kAllLevels[] = {SimdLevel::scalar, SimdLevel::sse2, SimdLevel::avx2,
                                    SimdLevel::avx512, SimdLevel::neon};

/// `scalar, sse2 and avx2` without the last word's "and": names in a list.
template <class Levels>
std::string names(const Levels& levels) {
  std::vector<std::string> all;
  for (SimdLevel level : levels) all.emplace_back(to_string(level));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

SimdLevel decide_level(std::string_view wish, const std::vector<SimdLevel>& available) {
  if (wish.empty()) return available.back();
  const auto* known = std::ranges::find(
      kAllLevels, wish, [](SimdLevel level) { return std::string_view(to_string(level)); });
  if (known == std::end(kAllLevels)) {
    throw Error(Errc::bad_input, fmt::format("KINJO_SIMD: unknown level '{}': expected one of {}",
                                             printable(wish), names(kAllLevels)));
  }
  if (std::ranges::find(available, *known) == available.end()) {
    throw Error(Errc::not_supported,
                fmt::format("KINJO_SIMD: this CPU has no {}: it has {}", wish, names(available)));
  }
  return *known;
}

int choose_level() {
  const char* wish = std::getenv("KINJO_SIMD");
  const int number = static_cast<int>(decide_level(wish ? wish : "", simd_levels()));
  // Another thread may have chosen meanwhile, and then the same; whoever comes first is kept, so
  // that the level never changes under a thread that has seen it.
  int expected = -1;
  chosen_level_number.compare_exchange_strong(expected, number);
  return expected < 0 ? number : expected;
}

ForcedLevel::ForcedLevel(SimdLevel level)
    : before_(chosen_level_number.exchange(static_cast<int>(level))) {}
ForcedLevel::~ForcedLevel() { chosen_level_number = before_; }

}  // namespace detail

const char* to_string(SimdLevel level) noexcept {
  switch (level) {
    case SimdLevel::scalar:
      return "scalar";
    case SimdLevel::sse2:
      return "sse2";
    case SimdLevel::avx2:
      return "avx2";
    case SimdLevel::avx512:
      return "avx512";
    case SimdLevel::neon:
      return "neon";
  }
  return "unknown";
}

std::vector<SimdLevel> simd_levels() {
  std::vector<SimdLevel> levels{SimdLevel::scalar};
#if KINJO_SIMD_SSE2
  levels.push_back(SimdLevel::sse2);
#endif
  [[maybe_unused]] const auto here = detail::targets_here();
#if KINJO_SIMD_AVX2
  if (here & HWY_AVX2) levels.push_back(SimdLevel::avx2);
#endif
#if KINJO_SIMD_AVX512
  if (here & HWY_AVX3) levels.push_back(SimdLevel::avx512);
#endif
#if KINJO_SIMD_NEON
  if (here & HWY_NEON) levels.push_back(SimdLevel::neon);
#endif
  return levels;
}

SimdLevel simd_level() {
  const int number = detail::chosen_level_number.load(std::memory_order_relaxed);
  return static_cast<SimdLevel>(number < 0 ? detail::choose_level() : number);
}

}  // namespace kinjo
