/// Time of work that all threads of a team do at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <kinjo/team.hpp>

#include "measure/sampling.hpp"

namespace kinjo {

/// Seconds from the first thread's start to the last one's end of `work(place)`, all having waited
/// for each other before.
template <class Work>
double run_together(Team& team, Work&& work) {
  struct alignas(128) Span {  // a line of its own for each thread
    double begin = 0;
    double end = 0;
  };
  std::vector<Span> spans(team.size());
  team.run([&](const Place& me) {
    team.barrier(me);
    const double begin = now_seconds();
    work(me);
    spans[static_cast<std::size_t>(me.thread)] = {begin, now_seconds()};
  });
  const auto first = std::ranges::min_element(spans, {}, &Span::begin);
  const auto last = std::ranges::max_element(spans, {}, &Span::end);
  return last->end - first->begin;
}

/// One pinned thread on each of `cpus`, in their order; where the system pins nobody, as many
/// threads that it places itself. The CPUs must be allowed ones, and not none.
inline Mapping threads_on(const Topology& machine, const CpuSet& cpus) {
  if (!machine.support().bind_threads) return Mapping(machine, Policy::none(), cpus.count());
  return Mapping(machine, Policy::cpus({cpus.begin(), cpus.end()}), cpus.count());
}

}  // namespace kinjo
