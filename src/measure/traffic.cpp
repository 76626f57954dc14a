#include "measure/traffic.hpp"

#include "base/contract.hpp"
#include "measure/keep.hpp"
#include "measure/sampling.hpp"
#include "measure/together.hpp"

namespace kinjo {

namespace {

void move(const TrafficPlan& plan, const TrafficPart& part, std::size_t repetitions) {
  switch (plan.traffic) {
    case Traffic::read:
      return keep(detail::memory_read(part.from, part.bytes, repetitions));
    case Traffic::write:
      for (std::size_t r = 1; r <= repetitions; ++r) {
        detail::memory_write(part.to, part.bytes, r, plan.store);
      }
      return;
    case Traffic::copy:
      for (std::size_t r = 0; r < repetitions; ++r) {
        detail::memory_copy(part.from, part.to, part.bytes, plan.store);
      }
      return;
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
  return run_together(team, [&](const Place& me) {
    move(plan, plan.parts[static_cast<std::size_t>(me.thread)], repetitions);
  });
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
