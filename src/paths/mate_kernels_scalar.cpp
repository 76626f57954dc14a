/// What vectors are compared with, and what serves where there are none.
#include "paths/mates.hpp"

namespace kinjo::paths::detail {

namespace {

template <unsigned kBits, std::size_t kWords, Decision kDecision>
void decide(const MateItem& item, const std::uint64_t* states, std::size_t count,
            MateArrivals& out) {
  const typename Mates<kBits, kWords>::At at(item);
  for (std::size_t i = 0; i < count; ++i) {
    State<kWords> next;
    for (std::size_t w = 0; w < kWords; ++w) next[w] = states[i * kWords + w];
    const Outcome outcome = kDecision == Decision::skip ? at.skip(next) : at.take(next);
    for (std::size_t w = 0; w < kWords; ++w) out.states[out.count * kWords + w] = next[w];
    out.from[out.count] = static_cast<std::uint16_t>(i);
    out.count += outcome == Outcome::alive ? 1 : 0;
    if (outcome == Outcome::accepted) {
      out.closed[out.closed_count++] = static_cast<std::uint16_t>(i);
    }
  }
}

template <unsigned kBits, std::size_t kWords>
constexpr MateKernelSet::Decisions decisions() {
  return {decide<kBits, kWords, Decision::skip>, decide<kBits, kWords, Decision::take>};
}

}  // namespace

const MateKernelSet kScalarMateKernels = {decisions<4, 1>(), decisions<5, 2>()};

}  // namespace kinjo::paths::detail
