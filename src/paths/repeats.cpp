#include "paths/repeats.hpp"

#include <algorithm>
#include <utility>

namespace kinjo::paths::detail {

namespace {

constexpr std::uint32_t kFree = ~std::uint32_t{0};

std::uint64_t hash(std::span<const std::uint64_t> sequence) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t mixed = sequence.size();
  for (const std::uint64_t number : sequence) {
    mixed ^= number;
    mixed = (mixed ^ mixed >> 32) * kOdd;
  }
  return mixed ^ mixed >> 32;
}

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

std::uint32_t SequenceNumbers::of(std::span<const std::uint64_t> sequence) {
  if (2 * (begins_.size() + 1) > slots_.size()) make_room();
  std::uint32_t& slot = slot_of(sequence);
  if (slot == kFree) {
    slot = static_cast<std::uint32_t>(begins_.size());
    begins_.push_back(all_.size());
    all_.insert(all_.end(), sequence.begin(), sequence.end());
  }
  return slot;
}

std::span<const std::uint64_t> SequenceNumbers::known(std::size_t number) const {
  const bool is_last = number + 1 == begins_.size();
  const std::size_t end = is_last ? all_.size() : begins_[number + 1];
  return std::span(all_).subspan(begins_[number], end - begins_[number]);
}

std::uint32_t& SequenceNumbers::slot_of(std::span<const std::uint64_t> sequence) {
  std::size_t at = hash(sequence) & (slots_.size() - 1);
  while (slots_[at] != kFree && !std::ranges::equal(known(slots_[at]), sequence)) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at];
}

void SequenceNumbers::make_room() {
  constexpr std::size_t kFewest = 64;
  slots_.assign(std::max(2 * slots_.size(), kFewest), kFree);
  for (std::uint32_t number = 0; number < begins_.size(); ++number) {
    slot_of(known(number)) = number;
  }
}

Repeats longest_repeats(const std::vector<std::uint32_t>& classes) {
  Repeats longest;
  for (std::size_t period = 1; period <= std::min(kMostPeriod, classes.size() / 2); ++period) {
    const Repeats repeats = longest_of_period(classes, period);
    if (repeats.end - repeats.first > longest.end - longest.first) longest = repeats;
  }
  return longest;
}

std::vector<std::uint32_t> last_alike(const std::vector<std::uint32_t>& run_classes) {
  std::vector<std::uint32_t> last, before;
  for (std::uint32_t run = 0; run < run_classes.size(); ++run) {
    const std::uint32_t of_run = run_classes[run];
    if (of_run >= last.size()) last.resize(of_run + std::size_t{1}, kNoRun);
    before.push_back(std::exchange(last[of_run], run));
  }
  return before;
}

}  // namespace kinjo::paths::detail
