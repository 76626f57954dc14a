/// Numbers modulo a prime, in P. L. Montgomery's form (Modular multiplication without trial
/// division, Mathematics of Computation 44, 1985): x stands for x·2⁶⁴.
#pragma once

#include <cstdint>

namespace kinjo::paths::detail {

class ResidueField {
 public:
  /// An odd prime below 2⁶³.
  explicit ResidueField(std::uint64_t prime) : prime_(prime), inverse_(prime) {
    // Each step doubles the bits that are right, of which an odd number has three by itself.
    for (int bits = 3; bits < 64; bits *= 2) inverse_ *= 2 - prime * inverse_;
    const auto two64 = static_cast<std::uint64_t>((Wide{1} << 64) % prime);
    square_ = static_cast<std::uint64_t>(Wide{two64} * two64 % prime);
  }

  std::uint64_t from(std::uint64_t value) const { return times(value % prime_, square_); }
  std::uint64_t value(std::uint64_t x) const { return reduced(x); }
  std::uint64_t times(std::uint64_t x, std::uint64_t y) const { return reduced(Wide{x} * y); }
  std::uint64_t minus(std::uint64_t x, std::uint64_t y) const {
    return x >= y ? x - y : x + (prime_ - y);
  }
  /// 1/x of an x that is not 0.
  std::uint64_t inverse(std::uint64_t x) const {
    std::uint64_t result = from(1);
    for (std::uint64_t exponent = prime_ - 2; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = times(result, x);
      x = times(x, x);
    }
    return result;
  }

 private:
  using Wide = unsigned __int128;

  /// x / 2⁶⁴ of an x below prime·2⁶⁴.
  std::uint64_t reduced(Wide x) const {
    const std::uint64_t factor = static_cast<std::uint64_t>(x) * inverse_;
    const auto high = static_cast<std::uint64_t>(x >> 64);
    const auto taken = static_cast<std::uint64_t>((Wide{factor} * prime_) >> 64);
    return minus(high, taken);
  }

  std::uint64_t prime_, inverse_, square_ = 0;
};

}  // namespace kinjo::paths::detail
