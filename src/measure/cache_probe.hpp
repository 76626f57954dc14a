/// Latency and bandwidth of each level of cache.
#pragma once

#include <cstdint>
#include <vector>

#include <kinjo/topology.hpp>

#include "measure/probe_options.hpp"
#include "measure/profile.hpp"
#include "measure/progress.hpp"

namespace kinjo {

/// One cache to be measured, and with what.
///
/// The *working set* lies between the size I of the cache inside it and its own size S: too large
/// for the inner one, which under any common replacement keeps next to nothing of what is walked
/// through in turn, and with room to spare for what else goes on. It is I + (S − I) / 4, since
/// outer caches are used by others too (on a virtual machine also by such as nobody sees here), and
/// since pages at unlucky places fill some of their sets long before the rest. The innermost cache
/// has neither trouble; there it is half.
///
/// *All threads* work on parts of their own, of one set that is at least twice as large as the
/// caches inside, all threads' together: else those would have the parts. Where that takes more
/// than three quarters of the cache, all threads read the whole working set, and writing and
/// copying cannot be measured.
struct CachePlan {
  int level = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t working_set_bytes = 0;  ///< of one thread
  std::uint64_t shared_set_bytes = 0;   ///< of all threads, in parts; 0: there is no such set
  std::uint64_t line_bytes = 0;
  CpuSet cpus;    ///< the allowed ones among those that share it
  int node = -1;  ///< of its first CPU, where the memory comes from
};

/// What is measured on a machine: of each level of data or unified caches and each size that they
/// have, the first that has an allowed CPU. Caches of unknown size are left out, and such as are
/// not larger than the one inside them.
std::vector<CachePlan> plan_caches(const Topology& machine);

/// Measures them all: latency by a blocked chase (measure/chase.hpp), bandwidth with cached stores.
/// Copying reads one half of the working set and writes the other. With `Pages::transparent`, the
/// default, the memory is advised to be of huge pages, so that neither misses of address
/// translation nor unlucky placement of small pages count as the cache's; advice that the kernel
/// need not follow.
///
/// The machine must be this one. Throws `Error` where threads cannot be started or pinned, or
/// memory is short.
std::vector<CacheProfile> probe_caches(const Topology& machine, const ProbeOptions& options,
                                       const ProgressSink& progress = {});

/// Seconds that `probe_caches` takes, roughly.
double cache_probe_seconds(const Topology& machine, const ProbeOptions& options);

}  // namespace kinjo
