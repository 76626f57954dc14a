/// How much trouble the probes take.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kinjo/memory.hpp>

namespace kinjo {

struct ProbeOptions {
  /// At least so many samples of each figure, however long they take. Seven bound a median with
  /// 95 % (`kLeastSamples`) and have one in the middle.
  std::size_t samples = 7;
  /// What a figure may take in seconds: once there are enough samples, more are taken until then.
  double budget_seconds = 0.1;
  /// A sample repeats its work until it takes at least so long, in seconds, or longer where the
  /// clock is coarse.
  double sample_seconds = 1e-3;
  /// Pages of the memory that is measured. Huge ones keep misses of address translation, and the
  /// conflicts of pages that lie at unlucky places, out of the figures of caches.
  Pages pages = Pages::transparent;
  std::uint64_t seed = 1;  ///< of the order in which latencies are measured
};

}  // namespace kinjo
