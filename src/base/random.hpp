/// SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014;
/// Stafford's variant 13): the same numbers everywhere, unlike the distributions of <random>.
///
/// Number k of a seed is mix(seed + (k + 1) · step): a counter, and a finalizer that makes one bit
/// that differs in it change about half of the bits. So a number can also be had by its index
/// alone.
#pragma once

#include <cmath>
#include <cstdint>

namespace kinjo::detail {

/// The odd number nearest to 2⁶⁴ / golden ratio, which the counter grows by.
inline constexpr std::uint64_t kMixStep = 0x9e3779b97f4a7c15u;

/// The finalizer, which is a permutation of the words.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The numbers of a seed, one after the other.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_ += kMixStep); }
  /// In [0, bound), for a bound that is not 0; off from even by less than bound / 2⁶⁴.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  /// In [−1, 1), a multiple of 2⁻⁵².
  double uniform() { return std::ldexp(static_cast<double>(next() >> 11), -52) - 1; }

 private:
  std::uint64_t state_;
};

}  // namespace kinjo::detail
