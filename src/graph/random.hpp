/// Random numbers by index: word k of item i is a function of the seeds, i and k, so that any
/// thread makes any part of a list.
///
/// Each item has a stream of SplitMix64 (base/random.hpp) of its own, begun at a hash of its index.
#pragma once

#include <bit>
#include <cstdint>

#include <kinjo/graph_generators.hpp>

#include "base/random.hpp"

namespace kinjo::graph::detail {

using kinjo::detail::kMixStep;
using kinjo::detail::mix;

class Stream {
 public:
  Stream(const Seeds& seeds, std::uint64_t item)
      : state_(mix(seeds.first ^ mix(seeds.second + kMixStep * (item + 1)))) {}
  std::uint64_t next() { return mix(state_ += kMixStep); }
  /// A number in [0, bound), off from even by less than bound/2⁶⁴.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(next()) * bound >> 64);
  }

 private:
  std::uint64_t state_;
};

/// A permutation of 0 … n − 1 that is computed and not stored: rounds of multiply and fold on the
/// least power of two ≥ n, again and again until it falls below n.
class Permutation {
 public:
  Permutation(std::uint64_t n, const Seeds& seeds)
      : n_(n), bits_(n <= 2 ? 1 : static_cast<unsigned>(std::bit_width(n - 1))) {
    Stream random(seeds, ~std::uint64_t{1});
    for (int r = 0; r < kRounds; ++r) {
      factor_[r] = random.next() | 1;
      term_[r] = random.next();
    }
  }
  std::uint64_t operator()(std::uint64_t v) const {
    do v = once(v);
    while (v >= n_);
    return v;
  }

 private:
  static constexpr int kRounds = 4;
  std::uint64_t once(std::uint64_t v) const {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits_);
    const unsigned fold = (bits_ + 1) / 2;
    for (int r = 0; r < kRounds; ++r) {
      v = (v * factor_[r] + term_[r]) & mask;
      v ^= v >> fold;
    }
    return v;
  }
  std::uint64_t n_;
  unsigned bits_;
  std::uint64_t factor_[kRounds], term_[kRounds];
};

}  // namespace kinjo::graph::detail
