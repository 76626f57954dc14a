/// The cuts of a line that are worth trying.
#include <kinjo/fft_plan.hpp>

namespace kinjo::fft {

std::vector<Cut> candidates(std::size_t n, std::size_t, std::size_t) { return {Cut{{n}}}; }

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
