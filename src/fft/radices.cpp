#include "fft/radices.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"

namespace kinjo::fft::detail {

namespace {

/// The prime factors, largest first.
Radices prime_factors(std::size_t n) {
  Radices factors;
  for (std::size_t p = 2; n > 1; ++p) {
    KINJO_ASSERT(p <= kLargestPrime);
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  std::reverse(factors.begin(), factors.end());
  return factors;
}

/// Factors in `count` groups, each put where the product is smallest so far.
std::vector<Radices> balanced(const Radices& factors, std::size_t count) {
  std::vector<Radices> groups(count);
  Radices products(count, 1);
  for (const std::size_t factor : factors) {
    const auto smallest = std::min_element(products.begin(), products.end());
    *smallest *= factor;
    groups[static_cast<std::size_t>(smallest - products.begin())].push_back(factor);
  }
  return groups;
}

/// Takes factors out as long as their product is at most `most`.
Radices taken_up_to(std::size_t most, Radices& factors) {
  Radices taken, left;
  for (const std::size_t factor : factors) {
    const bool fits = product(taken) * factor <= most;
    (fits ? taken : left).push_back(factor);
  }
  factors = std::move(left);
  return taken;
}

/// Twos at the end of prime factors become radices 4 and, if one is left over, 8 or 2; or only
/// radices 8, if they may. An 8 is the last one if it is usual.
Radices without_twos(Radices factors, std::size_t usual) {
  const auto twos = static_cast<std::size_t>(std::count(factors.begin(), factors.end(), 2));
  factors.resize(factors.size() - twos);
  const bool only_eights = usual == 8 && twos % 3 == 0;
  const std::size_t eights = only_eights ? twos / 3 : twos % 2 == 1 && twos > 1 ? 1 : 0;
  const Radices quads((twos - 3 * eights) / 2, 4);
  if (usual != 8) factors.insert(factors.end(), eights, 8);
  factors.insert(factors.end(), quads.begin(), quads.end());
  if (usual == 8) factors.insert(factors.end(), eights, 8);
  if (twos == 1) factors.push_back(2);
  return factors;
}

/// As many radices 8 as there are threes of `twos`, and then 4 and 2.
Radices eights(std::size_t twos) {
  for (const std::size_t rest : {4U, 2U, 1U, 0U}) {
    if (twos % 3 != rest % 3 || twos < rest) continue;
    Radices radices((twos - rest) / 3, 8);
    radices.insert(radices.end(), rest / 2, 4);
    radices.insert(radices.end(), rest % 2, 2);
    return radices;
  }
  return {};
}

/// The fewest radices up to 16, of which as few as possible are 16.
Radices sixteens(std::size_t twos) {
  const std::size_t count = (twos + 3) / 4;
  if (twos < 3 * count) return eights(twos);
  Radices radices(twos - 3 * count, 16);
  radices.insert(radices.end(), 4 * count - twos, 8);
  return radices;
}

/// Radices 4, and first an 8 or only a 2 if one is left over.
Radices fours(std::size_t twos) {
  if (twos == 1) return {2};
  Radices radices(twos % 2, 8);
  radices.insert(radices.end(), twos / 2 - twos % 2, 4);
  return radices;
}

/// Twos at the end of prime factors become radices up to `largest`, 4, 8 or 16.
Radices with_twos_together(Radices factors, std::size_t largest) {
  const auto twos = static_cast<std::size_t>(std::count(factors.begin(), factors.end(), 2));
  factors.resize(factors.size() - twos);
  const Radices radices = largest == 16  ? sixteens(twos)
                          : largest == 8 ? eights(twos)
                                         : fours(twos);
  factors.insert(factors.end(), radices.begin(), radices.end());
  return factors;
}

std::size_t radices_in(const std::vector<Radices>& groups) {
  std::size_t count = 0;
  for (const Radices& group : groups) count += group.size();
  return count;
}

/// The first group, if there are more, as large as it may be; `last` is the very last factor.
std::vector<Radices> first_large(Radices factors, std::size_t most, std::size_t last) {
  std::vector<Radices> groups;
  if (product(factors) * last > most) groups.push_back(taken_up_to(most, factors));
  for (std::size_t count = 1; count <= factors.size() + 1; ++count) {
    auto others = balanced(factors, count);
    // The smallest group takes the last radix.
    const auto smallest = std::min_element(
        others.begin(), others.end(),
        [](const Radices& a, const Radices& b) { return product(a) < product(b); });
    std::iter_swap(smallest, others.end() - 1);
    if (last != 1) others.back().push_back(last);
    const bool fit = std::all_of(others.begin(), others.end(),
                                 [most](const Radices& group) { return product(group) <= most; });
    if (!fit && count <= factors.size()) continue;
    groups.insert(groups.end(), others.begin(), others.end());
    break;
  }
  return groups;
}

}  // namespace

std::size_t product(const Radices& factors) {
  std::size_t all = 1;
  for (const std::size_t factor : factors) all *= factor;
  return all;
}

std::vector<Radices> radix_groups(std::size_t n, std::size_t most, std::size_t usual) {
  const Radices factors = prime_factors(n);
  std::vector<Radices> groups;
  for (std::size_t count = 1; count <= factors.size(); ++count) {
    groups = balanced(factors, count);
    if (std::all_of(groups.begin(), groups.end(),
                    [most](const Radices& group) { return product(group) <= most; })) {
      break;
    }
  }
  for (Radices& group : groups) group = without_twos(std::move(group), usual);
  // Powers of two at both ends if possible, since those have edge passes. The larger one is first
  // where it is usual, as a first pass multiplies with no twiddles.
  if (!groups.empty()) std::rotate(groups[0].begin(), groups[0].end() - 1, groups[0].end());
  return groups;
}

std::vector<Radices> wide_radix_groups(std::size_t n, std::size_t most, std::size_t last,
                                       std::size_t largest) {
  largest = std::min(largest, 2 * last);
  const std::size_t at_end = n % last == 0 ? last : n % 4 == 0 ? 4 : 1;
  const Radices factors = prime_factors(n / at_end);
  const auto together = first_large(with_twos_together(factors, largest), most, at_end);
  // Twos that are put together afterwards may fill groups better.
  auto apart = first_large(factors, most, at_end);
  for (Radices& group : apart) {
    const bool with_last = &group == &apart.back() && at_end != 1;
    if (with_last) group.pop_back();
    group = with_twos_together(std::move(group), largest);
    if (with_last) group.push_back(at_end);
  }
  const auto cost = [](const auto& groups) { return std::pair(groups.size(), radices_in(groups)); };
  return cost(apart) < cost(together) ? apart : together;
}

}  // namespace kinjo::fft::detail
