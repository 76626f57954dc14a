#include "measure/traffic.hpp"

#include <algorithm>
#include <atomic>

#include "base/contract.hpp"
#include "measure/sampling.hpp"

namespace kinjo {

namespace {

/// When a thread began and ended, on a line of its own.
struct alignas(128) Span {
  double begin = 0;
  double end = 0;
};

/// What the loads returned goes here, so that they cannot be left out.
std::atomic<std::uint64_t> g_sink{0};

void move_once(const TrafficPlan& plan, const TrafficPart& part, std::uint64_t& sum) {
  switch (plan.traffic) {
    case Traffic::read:
      sum += detail::memory_read(part.from, part.bytes);
      break;
    case Traffic::write:
      detail::memory_write(part.to, part.bytes, ++sum, plan.store);
      break;
    case Traffic::copy:
      detail::memory_copy(part.from, part.to, part.bytes, plan.store);
      break;
  }
}

}  // namespace

const char* to_string(Traffic traffic) noexcept {
  switch (traffic) {
    case Traffic::read:
      return "read";
    case Traffic::write:
      return "write";
    case Traffic::copy:
      return "copy";
  }
  return "unknown";
}

std::uint64_t TrafficPlan::bytes() const {
  std::uint64_t sum = 0;
  for (const TrafficPart& part : parts) sum += part.bytes;
  return traffic == Traffic::copy ? 2 * sum : sum;
}

double run_traffic(Team& team, const TrafficPlan& plan, std::size_t repetitions) {
  KINJO_ASSERT(plan.parts.size() == team.size());
  std::vector<Span> spans(team.size());
  team.run([&](const Place& me) {
    const auto thread = static_cast<std::size_t>(me.thread);
    std::uint64_t sum = 0;
    team.barrier(me);
    const double begin = now_seconds();
    for (std::size_t r = 0; r < repetitions; ++r) move_once(plan, plan.parts[thread], sum);
    spans[thread] = {begin, now_seconds()};
    g_sink.fetch_add(sum, std::memory_order_relaxed);
  });
  const auto first = std::ranges::min_element(spans, {}, &Span::begin);
  const auto last = std::ranges::max_element(spans, {}, &Span::end);
  return last->end - first->begin;
}

Figure measure_bandwidth(Team& team, const TrafficPlan& plan, const ProbeOptions& options) {
  const auto bytes = static_cast<double>(plan.bytes());
  return measure(
      options, "GB/s",
      [&](std::size_t repetitions) { return run_traffic(team, plan, repetitions); },
      [&](double seconds) { return bytes / seconds / 1e9; });
}

Figure measure_latency(Team& team, void* cycle, std::size_t lines, const ProbeOptions& options) {
  // Short cycles are walked whole, so that a repetition is longer than the loop around it.
  constexpr std::size_t kSteps = 1024;
  const std::size_t steps = lines <= kSteps ? kSteps / lines * lines : kSteps;
  void* at = cycle;
  const auto walk = [&](std::size_t repetitions) {
    double took = 0;
    team.run([&](const Place& me) {
      if (me.thread != 0) return;
      const double begin = now_seconds();
      at = chase(at, repetitions * steps);
      took = now_seconds() - begin;
    });
    return took;
  };
  // Once around, so that what fits in a cache is there.
  walk((lines + steps - 1) / steps);
  return measure(options, "ns", walk,
                 [&](double seconds) { return seconds / static_cast<double>(steps) * 1e9; });
}

}  // namespace kinjo
