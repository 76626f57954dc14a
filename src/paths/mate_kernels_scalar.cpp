/// What vectors are compared with, and what serves where there are none.
#include "paths/mates.hpp"

namespace kinjo::paths::detail {

namespace {

template <unsigned kBits, std::size_t kWords, Decision kDecision>
void decide(const MateItem& item, const MateBlock& block, MateArrivals& out) {
  const typename Mates<kBits, kWords>::At at(item);
  for (std::size_t i = 0; i < block.count; ++i) {
    State<kWords> next;
    for (std::size_t w = 0; w < kWords; ++w) next[w] = block.states[i * kWords + w];
    const Outcome outcome = kDecision == Decision::skip ? at.skip(next) : at.take(next);
    for (std::size_t w = 0; w < kWords; ++w) out.states[out.count * kWords + w] = next[w];
    out.from[out.count] = block.from[i];
    out.count += outcome == Outcome::alive ? 1 : 0;
    if (outcome == Outcome::accepted) {
      out.closed[out.closed_count++] = static_cast<std::uint16_t>(i);
    }
  }
}

template <unsigned kBits, std::size_t kWords>
void either(const MateItem& item, const MateBlock& block, MateArrivals& out) {
  const typename Mates<kBits, kWords>::At at(item);
  for (std::size_t i = 0; i < block.count; ++i) {
    State<kWords> skipped, taken;
    for (std::size_t w = 0; w < kWords; ++w) skipped[w] = taken[w] = block.states[i * kWords + w];
    const bool skips = at.skip(skipped) == Outcome::alive;
    const Outcome take = at.take(taken);
    const State<kWords>& next = skips ? skipped : taken;
    for (std::size_t w = 0; w < kWords; ++w) out.states[out.count * kWords + w] = next[w];
    out.from[out.count] = block.from[i];
    out.count += skips || take == Outcome::alive ? 1 : 0;
    if (take == Outcome::accepted) out.closed[out.closed_count++] = static_cast<std::uint16_t>(i);
  }
}

template <unsigned kBits, std::size_t kWords>
constexpr MateKernelSet::Decisions decisions() {
  return {decide<kBits, kWords, Decision::skip>, decide<kBits, kWords, Decision::take>,
          either<kBits, kWords>};
}

}  // namespace

const MateKernelSet kScalarMateKernels = {decisions<4, 1>(), decisions<5, 2>()};

}  // namespace kinjo::paths::detail
