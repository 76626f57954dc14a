/// Natural numbers of any size: how many paths, sets, or diagrams' members there are.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo {

/// A natural number. A value like an integer; arithmetic beyond addition is GMP's.
class Count {
 public:
  Count() = default;
  /// A number of the machine, wherever a count is asked for.
  Count(std::uint64_t value) : Count(std::span<const std::uint64_t>(&value, 1)) {}
  /// The number Σ limbs[i] · 2^(64 i).
  explicit Count(std::span<const std::uint64_t> limbs);

  /// Reads decimal digits. Throws `Error` (`invalid_argument`) for anything else.
  static Count parse(std::string_view digits);

  /// Σ limbs()[i] · 2^(64 i); the last one is not 0, and 0 has none.
  std::span<const std::uint64_t> limbs() const { return limbs_; }
  /// Bits up to the highest that is set.
  std::size_t bits() const;
  /// The nearest double; infinity beyond its range.
  double to_double() const;
  /// Decimal digits.
  std::string to_string() const;

  Count& operator+=(const Count& other);
  Count& operator*=(const Count& other);
  friend Count operator+(Count a, const Count& b) { return a += b; }
  friend Count operator*(Count a, const Count& b) { return a *= b; }
  bool operator==(const Count& other) const = default;
  std::strong_ordering operator<=>(const Count& other) const;

 private:
  std::vector<std::uint64_t> limbs_;
};

}  // namespace kinjo
