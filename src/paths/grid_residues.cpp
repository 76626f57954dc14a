/// A number below the product of the primes is d₀ + d₁ p₀ + d₂ p₀ p₁ + … with dᵢ < pᵢ (its mixed
/// radix digits); modulo pᵢ only the first i + 1 terms are left, which gives dᵢ (Garner).
#include "paths/grid_residues.hpp"

#include <algorithm>

namespace kinjo::paths::detail {

namespace {

using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Wide{a} * b % modulus);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = times(result, base, modulus);
    base = times(base, base, modulus);
  }
  return result;
}

/// Whether an odd number passes Miller and Rabin's test for a base.
bool passes(std::uint64_t number, std::uint64_t base) {
  const int twos = __builtin_ctzll(number - 1);
  std::uint64_t x = power(base, (number - 1) >> twos, number);
  if (x == 1 || x == number - 1) return true;
  for (int i = 1; i < twos; ++i) {
    x = times(x, x, number);
    if (x == number - 1) return true;
  }
  return false;
}

/// The first twelve primes as bases decide for all numbers below 2⁶⁴ (Sorenson, Webster).
bool is_prime(std::uint64_t number) {
  constexpr std::uint64_t kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  return std::ranges::all_of(kBases, [&](std::uint64_t base) { return passes(number, base); });
}

constexpr std::uint64_t kAbove = std::uint64_t{1} << 63;

}  // namespace

std::vector<std::uint64_t> large_primes(std::size_t count) {
  std::vector<std::uint64_t> primes;
  for (std::uint64_t candidate = kAbove - 1; primes.size() < count; candidate -= 2) {
    if (is_prime(candidate)) primes.push_back(candidate);
  }
  return primes;
}

// The largest ones exceed 2^62.9, as many as there are needed.
std::size_t primes_for(std::size_t bits) { return bits * 10 / 629 + 1; }

Count from_residues(std::span<const std::uint64_t> residues,
                    std::span<const std::uint64_t> primes) {
  std::vector<std::uint64_t> digits;
  Count number, radix = 1;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const std::uint64_t p = primes[i];
    std::uint64_t known = 0, factor = 1;  // of the terms before, and p₀ … pᵢ₋₁, modulo p
    for (std::size_t j = 0; j < i; ++j) {
      known = (known + times(digits[j] % p, factor, p)) % p;
      factor = times(factor, primes[j] % p, p);
    }
    const std::uint64_t rest = (residues[i] % p + (p - known)) % p;
    const std::uint64_t digit = times(rest, power(factor, p - 2, p), p);
    digits.push_back(digit);
    number += radix * Count(digit);
    radix *= Count(p);
  }
  return number;
}

}  // namespace kinjo::paths::detail
