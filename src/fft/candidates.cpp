/// The cuts of a line that are worth trying.
#include <algorithm>
#include <cmath>

#include <kinjo/fft_plan.hpp>

#include "fft/cutting.hpp"

namespace kinjo::fft {

std::vector<Cut> candidates(std::size_t n, std::size_t element_bytes, std::size_t threads) {
  using namespace detail;
  std::vector<Cut> cuts;
  if (n == 0 || !is_smooth(n)) return cuts;
  const auto add = [&](const Cut& cut) {
    if (std::find(cuts.begin(), cuts.end(), cut) == cuts.end()) cuts.push_back(cut);
  };
  const Conditions conditions = conditions_here(2 * element_bytes, threads, 1);
  const Cut chosen = choose_cut(n, conditions);
  add(chosen);
  if (n <= 64) add({{n}});
  const std::size_t unit = 64 / element_bytes;
  const bool in_memory = residence_of(n, conditions) == Residence::memory;
  for (const double ratio : {1.0, 0.25, 4.0}) {
    const std::size_t first = nearest_divisor(n, ratio * std::sqrt(static_cast<double>(n)));
    if (first == 1 || first == n) continue;
    for (std::size_t width = unit; width <= 8 * unit; width *= 2) {
      add({{first, n / first}, width});
      if (in_memory) add({{first, n / first}, width, InCache::automatic, Overlap::on});
    }
  }
  Cut stockham = chosen;
  stockham.in_cache = InCache::stockham;
  add(stockham);
  return cuts;
}

std::uint64_t Profile::bytes() const {
  std::uint64_t sum = 0;
  for (const Sweep& sweep : sweeps) {
    for (const SweepProfile& thread : sweep.threads) {
      sum += thread.load.bytes + thread.compute.bytes + thread.store.bytes;
    }
  }
  return sum;
}

}  // namespace kinjo::fft
