#include "fft/cutting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/error.hpp>

#include "fft/radices.hpp"
#include "fft/short_transform.hpp"

namespace kinjo::fft::detail {

namespace {

/// Of a smooth n.
std::vector<std::size_t> divisors(std::size_t n) {
  std::vector<std::size_t> list{1};
  for (std::size_t p = 2; n > 1; ++p) {
    const std::size_t others = list.size();
    for (std::size_t power = p; n % p == 0; n /= p, power *= p) {
      for (std::size_t i = 0; i < others; ++i) list.push_back(list[i] * power);
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

/// Numbers of a sweep's buffer, whose places are counted in 32 bits, real and imaginary parts
/// apart, and with empty rows between them.
constexpr std::size_t kMostInBuffer = std::size_t{1} << 30;

template <class... Args>
[[noreturn]] void refuse(const Cut& cut, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Errc::invalid_argument,
              fmt::format("fft: cut '{}': {}", cut.to_string(),
                          fmt::format(format, std::forward<Args>(args)...)));
}

void check_factors(const Cut& cut, std::size_t n) {
  std::size_t product = 1;
  for (const std::size_t factor : cut.factors) {
    const bool fits = factor != 0 && factor <= n / product;
    product = fits ? product * factor : 0;
    if (!fits) break;
  }
  if (product != n) refuse(cut, "expected factors that make a line of {}", n);
  const std::size_t count = cut.factors.size();
  if (count == 0 || count > 3) refuse(cut, "expected one to three factors");
  // A sweep of lines of 1 element transforms nothing.
  if (count > 1 && std::ranges::find(cut.factors, std::size_t{1}) != cut.factors.end()) {
    refuse(cut, "expected factors from 2");
  }
  if (!is_smooth(n)) refuse(cut, "a factor of {} exceeds {}", n, kLargestPrime);
}

void check_buffers(const Cut& cut, const Line& line, std::size_t element_bytes) {
  const std::size_t unit = 128 / element_bytes;
  for (const std::size_t length : cut.factors) {
    const std::size_t lanes = cut.factors.size() == 1 ? line.lanes : line.n / length;
    const std::size_t width = std::bit_ceil(std::max(unit, std::min(cut.width, lanes)));
    if (length <= kMostInBuffer / width) continue;
    refuse(cut, "{} lines of {} at a time: expected buffers of at most {} numbers", width, length,
           kMostInBuffer);
  }
}

void check_direct(const Cut& cut, const Line& line) {
  if (cut.factors.size() > 1 || line.n < 2) refuse(cut, "expected for 'direct' one factor from 2");
  if (line.stride != 1) {
    refuse(cut, "elements lie {} apart: expected 1 with 'direct'", line.stride);
  }
}

/// Whether the last cache is one that many cores share, far from each: where L2 is large.
bool is_last_cache_far(const Conditions& conditions) {
  return conditions.l2 > std::size_t{1} << 20;
}

/// Of lines of fewer numbers vectors rather hold those of different lines, if there are enough for
/// it: passes of so few are half-filled vectors, or single numbers. Unless they are done in one.
constexpr std::size_t kLeastOfOneLine = 48;

/// Bytes of the longest line that is done directly.
///
/// The buffer passes through L1 once for each group of passes: in L2, or a last cache that is near,
/// that is faster than what sweeps do between their passes. But it is one thread that does it. To a
/// last cache that is far sweeps go half as often.
std::size_t most_direct(const Conditions& conditions) {
  if (conditions.lanes < conditions.threads) return conditions.l2;
  if (is_last_cache_far(conditions)) return conditions.l2 / 2 * 3;
  return std::max(4 * conditions.l2, std::min(conditions.l3 / 8, std::size_t{4} << 20));
}

}  // namespace

void check_element_bytes(std::size_t element_bytes) {
  if (element_bytes == sizeof(float) || element_bytes == sizeof(double)) return;
  throw Error(
      Errc::invalid_argument,
      fmt::format("fft: elements of {} bytes: expected 4 (float) or 8 (double)", element_bytes));
}

void check_cut(const Cut& cut, const Line& line, std::size_t element_bytes) {
  check_factors(cut, line.n);
  if (cut.in_cache == InCache::direct) return check_direct(cut, line);
  check_buffers(cut, line, element_bytes);
}

std::size_t nearest_divisor(std::size_t n, double wish) {
  const auto distance = [&](std::size_t d) {
    return std::abs(std::log(static_cast<double>(d) / wish));
  };
  std::size_t best = 1;
  for (const std::size_t d : divisors(n)) {
    if (distance(d) < distance(best)) best = d;
  }
  return best;
}

Conditions conditions_here(std::size_t element_bytes, std::size_t threads, std::size_t lanes) {
  return {element_bytes, threads, lanes, 1, cache_sizes().l1, cache_sizes().l2, cache_sizes().l3};
}

bool is_smooth(std::size_t n) {
  for (std::size_t p = 2; p <= kLargestPrime; ++p) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

bool has_whole_rows(std::size_t n, std::size_t element_bytes) {
  const std::size_t width = 128 / element_bytes;
  if (n % width != 0 || n < 2 * width * width) return false;
  for (const std::size_t p : {2U, 3U, 5U, 7U}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

bool can_be_direct(std::size_t n) { return n >= 2 && is_smooth(n); }

Cut choose_cut(std::size_t n, const Conditions& conditions) {
  const std::size_t e = conditions.element_bytes, lanes = 128 / e;
  const bool many = conditions.lanes >= lanes;
  Cut cut;
  if (conditions.direct && conditions.stride == 1 && can_be_direct(n) &&
      n * e <= most_direct(conditions) && (n >= kLeastOfOneLine || !many || is_short_pair(n, e))) {
    return {{n}, 0, InCache::direct, Overlap::automatic};
  }
  // Elements that lie apart are read once, whole cache lines of them.
  const std::size_t share =
      conditions.stride > 1 ? conditions.l3 / 4 / conditions.threads : conditions.l2 / 2;
  if (n < 32 || (many && n * lanes * e <= share)) {
    cut.factors = {n};
    return cut;
  }
  // A sweep's buffer of the narrowest lines must fit a thread's share of the last cache.
  const std::size_t most =
      std::max<std::size_t>(1, conditions.l3 / 2 / conditions.threads / (lanes * e));
  const std::size_t parts = n / most < most ? 2 : 3;
  std::size_t rest = n;
  for (std::size_t i = parts; i > 1; --i) {
    const double wish = std::pow(static_cast<double>(rest), 1.0 / static_cast<double>(i));
    cut.factors.push_back(nearest_divisor(rest, wish));
    rest /= cut.factors.back();
  }
  cut.factors.push_back(rest);
  std::erase(cut.factors, std::size_t{1});
  if (cut.factors.empty()) cut.factors = {n};
  return cut;
}

std::size_t choose_width(std::size_t length, std::size_t lanes, const Conditions& conditions,
                         Residence residence) {
  const std::size_t unit = 128 / conditions.element_bytes;
  const auto most = [&](std::size_t width) {
    if (residence == Residence::memory) {
      return width <= 2 * unit ? conditions.l3 / 4 / conditions.threads : 0;
    }
    if (is_last_cache_far(conditions)) return conditions.l2;
    return std::max(conditions.l1, width <= 2 * unit ? conditions.l2 / 2 : conditions.l2 / 4);
  };
  std::size_t width = unit;
  while (width < 4 * unit && width < lanes &&
         2 * width * length * conditions.element_bytes <= most(2 * width)) {
    width *= 2;
  }
  return width;
}

Residence residence_of(std::size_t n, const Conditions& conditions) {
  return 3 * n * conditions.element_bytes > conditions.l3 ? Residence::memory : Residence::cache;
}

Residence residence_of_sweeps(std::size_t n, const Conditions& conditions) {
  const std::size_t bytes = n * conditions.element_bytes;
  if (bytes >= conditions.l2 * conditions.threads) {
    // Threads take over each other's lines in a cache that they share, unless it is far from all.
    const bool shares = conditions.together && !is_last_cache_far(conditions);
    if (!shares || 8 * bytes > conditions.l3) return Residence::memory;
  }
  return residence_of(n, conditions);
}

Residence residence_of_lines(std::size_t n, std::size_t length, const Conditions& conditions) {
  constexpr std::size_t kMany = 32, kRow = 256;
  const std::size_t bytes = n * conditions.element_bytes;
  const bool passes_by = is_last_cache_far(conditions) && length * kRow > conditions.l1 &&
                         bytes >= std::max(kMany, conditions.threads) * conditions.l2;
  return passes_by ? Residence::memory : residence_of(n, conditions);
}

std::size_t padded_length(std::size_t least) {
  // Radix 4 is two levels at once, odd radices cost more for what they do. There is no 3, whose
  // error is 1.3 times the others', and a convolution has the error of two transforms.
  constexpr struct {
    std::size_t radix;
    double cost;
  } kinds[] = {{2, 1.0}, {5, 2.75}, {7, 3.9}};
  const std::size_t most = 2 * least;
  std::size_t best = 0;
  double best_cost = 0;
  // What is beyond `most` may be beyond all numbers: powers are made by dividing that.
  for (std::size_t seven = 1, sevens = most; sevens > 0; seven *= 7, sevens /= 7) {
    for (std::size_t five = seven, fives = sevens; fives > 0; five *= 5, fives /= 5) {
      std::size_t n = five;
      while (n < least) n *= 2;
      if (n > most) continue;
      double levels = 0;
      std::size_t rest = n;
      for (const auto& [radix, cost] : kinds) {
        for (; rest % radix == 0; rest /= radix) levels += cost;
      }
      const double total = static_cast<double>(n) * (levels + 4);
      if (best == 0 || total < best_cost) {
        best = n;
        best_cost = total;
      }
    }
  }
  return best;
}

}  // namespace kinjo::fft::detail
