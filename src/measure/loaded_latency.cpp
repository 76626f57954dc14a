#include "measure/loaded_latency.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/contract.hpp"
#include "measure/chase.hpp"
#include "measure/sampling.hpp"
#include "simd/memory_kernels.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kStepsAtOnce = 256;     // of the chase between two looks at the clock
constexpr double kWarmUp = 0.25;              // of a sample, before it begins
constexpr double kLeastSampleSeconds = 5e-3;  // threads are woken one after another

/// What a loading thread has read, on a line of its own.
struct alignas(128) Count {
  std::atomic<std::uint64_t> bytes{0};
};

/// About one cycle for each of `n`: a subtraction that needs the one before.
inline void let_pass(std::size_t n) {
  for (; n > 0; --n) asm volatile("" : "+r"(n));
}

/// One sample on its way: the team's threads share it.
struct Run {
  std::span<const std::byte> load;
  std::size_t delay_cycles = 0;
  double seconds = 0;
  void* at = nullptr;
  std::vector<Count> counts;
  std::atomic<bool> over{false};
  double latency_ns = 0;
  double bytes_per_second = 0;

  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const Count& count : counts) sum += count.bytes.load(std::memory_order_relaxed);
    return sum;
  }

  /// Walks for so long; returns the steps and, in `took`, the seconds.
  std::size_t walk(double least, double& took) {
    const double begin = now_seconds();
    std::size_t steps = 0;
    do {
      at = chase(at, kStepsAtOnce);
      steps += kStepsAtOnce;
      took = now_seconds() - begin;
    } while (took < least);
    return steps;
  }

  bool all_on_their_way() const {
    return std::ranges::all_of(
        counts, [](const Count& count) { return count.bytes.load(std::memory_order_relaxed) > 0; });
  }

  void measure() {
    double took = 0;
    do walk(kWarmUp * seconds, took);
    while (!all_on_their_way());
    const std::uint64_t before = bytes();
    const std::size_t steps = walk(seconds, took);
    bytes_per_second = static_cast<double>(bytes() - before) / took;
    latency_ns = took / static_cast<double>(steps) * 1e9;
    over.store(true, std::memory_order_relaxed);
  }

  void load_memory(std::size_t part, std::size_t parts) {
    const std::size_t requests = load.size() / kRequestBytes;
    const std::size_t begin = requests * part / parts, end = requests * (part + 1) / parts;
    std::uint64_t sum = 0;
    std::size_t next = begin;
    while (!over.load(std::memory_order_relaxed)) {
      sum += detail::memory_read(load.data() + next * kRequestBytes, kRequestBytes);
      counts[part].bytes.fetch_add(kRequestBytes, std::memory_order_relaxed);
      next = next + 1 < end ? next + 1 : begin;
      let_pass(delay_cycles);
    }
    asm volatile("" ::"r"(sum));
  }
};

void run_once(Team& team, Run& run) {
  run.over = false;
  for (Count& count : run.counts) count.bytes = 0;
  team.run([&](const Place& me) {
    team.barrier(me);
    if (me.thread == 0) return run.measure();
    run.load_memory(static_cast<std::size_t>(me.thread) - 1, team.size() - 1);
  });
}

}  // namespace

LoadedPoint measure_loaded_latency(Team& team, void* cycle, std::span<const std::byte> load,
                                   std::size_t delay_cycles, const ProbeOptions& options) {
  KINJO_ASSERT(team.size() > 1 && load.size() >= (team.size() - 1) * kRequestBytes);
  Run run{.load = load,
          .delay_cycles = delay_cycles,
          .seconds = std::max(options.sample_seconds, kLeastSampleSeconds),
          .at = cycle,
          .counts = std::vector<Count>(team.size() - 1)};
  std::vector<double> injected;
  LoadedPoint point{
      .delay_cycles = static_cast<double>(delay_cycles), .bandwidth = {}, .latency_ns = {}};
  point.latency_ns = take_samples(options, "ns", [&] {
    run_once(team, run);
    injected.push_back(run.bytes_per_second / 1e9);
    return run.latency_ns;
  });
  injected.erase(injected.begin());  // with the latency that is not counted
  point.bandwidth = figure_of(injected, "GB/s");
  return point;
}

}  // namespace kinjo
