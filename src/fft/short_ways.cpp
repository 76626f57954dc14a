#include "fft/short_ways.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/contract.hpp"
#include "simd/this_cpu.hpp"

namespace kinjo::fft::detail {

namespace {

constexpr double kCall = 30, kLoop = 4;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Instructions of a butterfly, as fft/butterfly-inl.hpp has them, and those of values for which
/// there is no register.
double operations(std::size_t radix) {
  const auto r = static_cast<double>(radix);
  switch (radix) {
    case 2:
      return 4;
    case 3:
      return 12;
    case 4:
      return 16;
    case 6:
      return 36;
    case 8:
      return 60;
    case 9:
      return 100;
    case 10:
      return 95;
    case 12:
      return 110;
    case 15:
      return 180;
    case 16:
      return 190;
    case 20:
      return 250;
    case 25:
      return 480;
    default:
      return r * r + 1.5 * r;
  }
}

/// A butterfly of a pass that is not the first one.
double butterfly(std::size_t radix, bool is_last) {
  const auto r = static_cast<double>(radix);
  return kLoop + operations(radix) + (is_last ? 6 * r : 10 * r - 6);
}

std::vector<std::size_t> radices_of(std::size_t n) {
  std::vector<std::size_t> radices;
  std::size_t rest = n;
  for (std::size_t p = 2; p <= kLargestPrime; ++p) {
    if (rest % p == 0 && p > 7) radices.push_back(p);
    while (rest % p == 0) rest /= p;
  }
  for (const std::size_t r : kShortRadices) {
    if (r != 0 && n % r == 0) radices.push_back(r);
  }
  return radices;
}

/// What a first pass leaves to the other ones: `length` blocks for each of its own.
struct Rest {
  std::size_t length;
  double cost;
  std::size_t radix;  ///< of the pass that comes next
  std::size_t passes;
};

/// For the divisors of n, in order, what is cheapest.
std::vector<Rest> rests_of(std::size_t n, const std::vector<std::size_t>& radices) {
  std::vector<Rest> rests{{1, 0, 1, 0}};
  for (std::size_t length = 2; length < n; ++length) {
    if (n % length != 0) continue;
    Rest best{length, kNever, 0, 0};
    for (const std::size_t r : radices) {
      if (length % r != 0) continue;
      const Rest& next = *std::ranges::find(rests, length / r, &Rest::length);
      const auto times = static_cast<double>(length / r);
      const double cost =
          times * butterfly(r, next.length == 1) + static_cast<double>(r) * next.cost;
      if (cost < best.cost) best = {length, cost, r, next.passes + 1};
    }
    rests.push_back(best);
  }
  return rests;
}

/// How many instructions one is worth: of vectors of 64 bytes nearly two shorter ones on CPUs that
/// do it by halves.
double instruction(std::size_t vector_bytes) {
  if (vector_bytes < 64) return 1;
  return kinjo::detail::kSplitsWideMoves ? 1.92 : 1.3;
}

double cost(std::size_t first, const Rest& rest, std::size_t lanes, std::size_t lane_bytes) {
  const auto r = static_cast<double>(first);
  const std::size_t blocks = (first + lanes - 1) / lanes;
  const std::size_t columns = (rest.length + lanes - 1) / lanes;
  const std::size_t rounds = static_cast<std::size_t>(std::bit_width(lanes)) - 1;
  const auto squares = static_cast<double>(2 * blocks * lanes * rounds);
  const double calls = static_cast<double>(1 + rest.passes) * kCall;
  // Lines of fewer columns than lanes are copied.
  const double copy = rest.length < lanes ? 20 + r * static_cast<double>(rest.length) : 0;
  const double column = operations(first) + 10 * r + squares + kLoop;
  return calls + copy +
         (static_cast<double>(columns) * column + static_cast<double>(blocks) * rest.cost) *
             instruction(lanes * lane_bytes);
}

}  // namespace

ShortWay best_short_way(std::size_t n, const std::array<std::size_t, kShortWidths>& lanes,
                        std::size_t lane_bytes) {
  const std::vector<std::size_t> radices = radices_of(n);
  const auto is_radix = [&](std::size_t r) {
    return std::ranges::find(radices, r) != radices.end();
  };
  const std::vector<Rest> rests = rests_of(n, radices);
  // In one pass, of single numbers.
  double least = is_radix(n) ? kCall + operations(n) + 4 * static_cast<double>(n) : kNever;
  const Rest* best = &rests.front();
  ShortWay way;
  for (const Rest& rest : rests) {
    const std::size_t first = n / rest.length;
    for (std::size_t width = 0; width < kShortWidths && rest.length > 1; ++width) {
      if (!is_radix(first) || lanes[width] > first) continue;
      const double c = cost(first, rest, lanes[width], lane_bytes);
      if (c >= least) continue;
      least = c;
      best = &rest;
      way.width = width;
    }
  }
  KINJO_ASSERT(least < kNever);
  way.radices.push_back(n / best->length);
  for (std::size_t left = best->length; left > 1;) {
    const Rest& rest = *std::ranges::find(rests, left, &Rest::length);
    way.radices.push_back(rest.radix);
    left /= rest.radix;
  }
  return way;
}

}  // namespace kinjo::fft::detail
