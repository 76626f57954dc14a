#include "paths/repeats.hpp"

#include <algorithm>

namespace kinjo::paths::detail {

namespace {

Repeats longest_of_period(const std::vector<std::uint32_t>& classes, std::size_t period) {
  Repeats longest;
  std::size_t first = 0;
  for (std::size_t i = period; i <= classes.size(); ++i) {
    if (i < classes.size() && classes[i] == classes[i - period]) continue;
    if (i - first > longest.end - longest.first) longest = {first, i, period};
    first = i + 1 - period;
  }
  return longest.end - longest.first >= 2 * period ? longest : Repeats{};
}

}  // namespace

std::size_t SequenceNumbers::Hash::operator()(const std::vector<std::uint64_t>& sequence) const {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t mixed = sequence.size();
  for (const std::uint64_t number : sequence) {
    mixed ^= number;
    mixed = (mixed ^ mixed >> 32) * kOdd;
  }
  return mixed ^ mixed >> 32;
}

Repeats longest_repeats(const std::vector<std::uint32_t>& classes) {
  Repeats longest;
  for (std::size_t period = 1; period <= std::min(kMostPeriod, classes.size() / 2); ++period) {
    const Repeats repeats = longest_of_period(classes, period);
    if (repeats.end - repeats.first > longest.end - longest.first) longest = repeats;
  }
  return longest;
}

}  // namespace kinjo::paths::detail
