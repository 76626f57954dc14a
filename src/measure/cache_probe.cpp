#include "measure/cache_probe.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <kinjo/memory.hpp>
#include <kinjo/partition.hpp>
#include <kinjo/team.hpp>

#include "measure/chase.hpp"
#include "measure/together.hpp"
#include "measure/traffic.hpp"

namespace kinjo {

namespace {

constexpr Traffic kTraffic[] = {Traffic::read, Traffic::write, Traffic::copy};

bool holds_data(const Cache& cache) {
  return cache.type != Cache::Type::instruction && cache.size_bytes > 0;
}

/// The largest cache of a lower level that serves `cpu`, 0 if there is none.
std::uint64_t inner_bytes(const Topology& machine, const Cache& cache, int cpu) {
  std::uint64_t most = 0;
  for (const Cache& inner : machine.caches()) {
    if (!holds_data(inner) || inner.level >= cache.level || !inner.cpus.contains(cpu)) continue;
    most = std::max(most, inner.size_bytes);
  }
  return most;
}

/// The caches of the next level inside, each counted once, of all `cpus` together.
std::uint64_t all_inner_bytes(const Topology& machine, const Cache& cache, const CpuSet& cpus) {
  int level = 0;
  for (const Cache& inner : machine.caches()) {
    if (holds_data(inner) && inner.level < cache.level && !(inner.cpus & cpus).empty()) {
      level = std::max(level, inner.level);
    }
  }
  std::uint64_t sum = 0;
  for (const Cache& inner : machine.caches()) {
    const bool counts = holds_data(inner) && inner.level == level && !(inner.cpus & cpus).empty();
    if (counts) sum += inner.size_bytes;
  }
  return sum;
}

/// The cache's line in bytes; the usual one where it is not known or cannot be true.
std::uint64_t line_of(const Cache& cache) {
  constexpr std::uint64_t kUsual = 64, kMost = 1024;
  const auto line = static_cast<std::uint64_t>(std::max(cache.line_bytes, 0));
  return std::has_single_bit(line) && line > kUsual && line <= kMost ? line : kUsual;
}

CachePlan plan_cache(const Topology& machine, const Cache& cache, const CpuSet& cpus) {
  const std::uint64_t line = line_of(cache);
  // Whole lines for every thread's half, since copying cuts parts in two.
  const std::uint64_t granule = 2 * line * cpus.count();
  const auto whole = [&](std::uint64_t bytes) {
    return std::max(bytes / granule, std::uint64_t{1}) * granule;
  };
  const std::uint64_t inner = inner_bytes(machine, cache, cpus.first());
  const std::uint64_t share = inner == 0 ? 2 : 4;
  const std::uint64_t set = whole(inner + (cache.size_bytes - inner) / share);
  const std::uint64_t parts =
      std::max(set, whole(2 * all_inner_bytes(machine, cache, cpus) + granule - 1));
  return {.level = cache.level,
          .size_bytes = cache.size_bytes,
          .working_set_bytes = set,
          .shared_set_bytes = parts <= cache.size_bytes / 4 * 3 ? parts : 0,
          .line_bytes = line,
          .cpus = cpus,
          .node = machine.find_cpu(cpus.first())->node};
}

/// The figures of one cache, with the memory that they are measured in.
class CacheProbe {
 public:
  CacheProbe(const Topology& machine, const CachePlan& plan, const ProbeOptions& options)
      : machine_(machine),
        plan_(plan),
        options_(options),
        one_(threads_on(machine, {plan.cpus.first()})),
        buffer_(allocate()) {}

  Figure latency() {
    std::size_t lines = 0;
    one_.run([&](const Place&) {
      lines = link_chase(data(), plan_.working_set_bytes,
                         {.seed = options_.seed, .stride_bytes = 2 * plan_.line_bytes});
    });
    Figure figure = measure_latency(one_, data(), lines, options_);
    if (figure.warning.empty()) figure.warning = buffer_.pages().message;
    return figure;
  }

  std::optional<Figure> one_thread(Traffic traffic) {
    return measure_bandwidth(one_, deal(traffic, {whole()}), options_);
  }

  std::optional<Figure> all_threads(Traffic traffic) {
    const std::size_t threads = plan_.cpus.count();
    const bool in_parts = plan_.shared_set_bytes > 0;
    if (!in_parts && traffic != Traffic::read) return std::nullopt;
    std::vector<Range> ranges(threads, whole());
    if (in_parts) {
      const Partition parts = Partition::block(plan_.shared_set_bytes, threads);
      for (std::size_t t = 0; t < threads; ++t) ranges[t] = parts.piece(t, 0);
    }
    Team all(threads_on(machine_, plan_.cpus));
    return measure_bandwidth(all, deal(traffic, ranges), options_);
  }

 private:
  Range whole() const { return {0, plan_.working_set_bytes}; }

  Buffer allocate() const {
    const std::uint64_t bytes = std::max(plan_.working_set_bytes, plan_.shared_set_bytes);
    const AllocOptions options{.pages = options_.pages};
    return plan_.node >= 0 ? alloc_on(plan_.node, bytes, options) : alloc(bytes, options);
  }

  char* data() const { return static_cast<char*>(buffer_.data()); }

  /// Each thread's bytes; copying reads one half of them and writes the other.
  TrafficPlan deal(Traffic traffic, const std::vector<Range>& ranges) const {
    TrafficPlan plan{.traffic = traffic};
    for (const Range& range : ranges) {
      char* const begin = data() + range.begin;
      const std::size_t bytes = traffic == Traffic::copy ? range.size() / 2 : range.size();
      plan.parts.push_back({begin, traffic == Traffic::copy ? begin + bytes : begin, bytes});
    }
    return plan;
  }

  const Topology& machine_;
  const CachePlan& plan_;
  const ProbeOptions& options_;
  Team one_;
  Buffer buffer_;
};

/// Where `traffic`'s figure is.
std::optional<Figure>& figure_of(Bandwidth& bandwidth, Traffic traffic) {
  switch (traffic) {
    case Traffic::read:
      return bandwidth.read;
    case Traffic::write:
      return bandwidth.write;
    case Traffic::copy:
      break;
  }
  return bandwidth.copy;
}

constexpr std::size_t kFiguresOfOne = 4;  // latency, read, write, copy
constexpr std::size_t kFiguresOfAll = 3;

std::size_t figures(const CachePlan& plan) {
  return kFiguresOfOne + (plan.cpus.count() > 1 ? kFiguresOfAll : 0);
}

template <class Announce>
CacheProfile probe_cache(const Topology& machine, const CachePlan& plan,
                         const ProbeOptions& options, const Announce& announce) {
  CacheProbe probe(machine, plan, options);
  CacheProfile profile{.level = plan.level,
                       .size_bytes = plan.size_bytes,
                       .working_set_bytes = plan.working_set_bytes,
                       .shared_set_bytes = plan.shared_set_bytes,
                       .cpus = plan.cpus};
  announce(fmt::format("latency of L{}", plan.level));
  profile.latency_ns = probe.latency();
  for (Traffic traffic : kTraffic) {
    announce(fmt::format("L{}, {}, one thread", plan.level, to_string(traffic)));
    figure_of(profile.one_thread, traffic) = probe.one_thread(traffic);
  }
  // One CPU alone is all that there are.
  if (plan.cpus.count() == 1) profile.all_threads = profile.one_thread;
  for (Traffic traffic : kTraffic) {
    if (plan.cpus.count() == 1) break;
    announce(fmt::format("L{}, {}, {} threads", plan.level, to_string(traffic), plan.cpus.count()));
    figure_of(profile.all_threads, traffic) = probe.all_threads(traffic);
  }
  return profile;
}

}  // namespace

std::vector<CachePlan> plan_caches(const Topology& machine) {
  std::vector<CachePlan> plans;
  std::set<std::pair<int, std::uint64_t>> seen;
  for (const Cache& cache : machine.caches()) {
    const CpuSet cpus = cache.cpus & machine.allowed_cpus();
    if (!holds_data(cache) || cpus.empty()) continue;
    if (cache.size_bytes <= inner_bytes(machine, cache, cpus.first())) continue;
    if (!seen.insert({cache.level, cache.size_bytes}).second) continue;
    plans.push_back(plan_cache(machine, cache, cpus));
  }
  return plans;
}

std::vector<CacheProfile> probe_caches(const Topology& machine, const ProbeOptions& options,
                                       const ProgressSink& progress) {
  const std::vector<CachePlan> plans = plan_caches(machine);
  std::size_t done = 0, total = 0;
  for (const CachePlan& plan : plans) total += figures(plan);
  const auto announce = [&](const std::string& what) {
    if (progress) progress({done, total, what});
    ++done;
  };
  std::vector<CacheProfile> profiles;
  for (const CachePlan& plan : plans) {
    profiles.push_back(probe_cache(machine, plan, options, announce));
  }
  return profiles;
}

double cache_probe_seconds(const Topology& machine, const ProbeOptions& options) {
  std::size_t total = 0;
  for (const CachePlan& plan : plan_caches(machine)) total += figures(plan);
  return static_cast<double>(total) *
         std::max(options.budget_seconds,
                  static_cast<double>(options.samples) * options.sample_seconds);
}

}  // namespace kinjo
