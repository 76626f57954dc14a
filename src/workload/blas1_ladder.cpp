#include "workload/blas1_ladder.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/simd.hpp>
#include <kinjo/team.hpp>

#include "base/text.hpp"
#include "blas1/ladder.hpp"
#include "measure/clock_probe.hpp"
#include "measure/keep.hpp"
#include "measure/sampling.hpp"
#include "measure/statistics.hpp"
#include "workload/blas1_kernel.hpp"
#include "workload/blas1_run.hpp"
#include "workload/blas1_size.hpp"
#include "workload/cache_levels.hpp"

namespace kinjo {

namespace {

using detail::LadderKernel;
using detail::LadderRung;

constexpr double kBurstSeconds = 0.3e-3;

Blas1Kernel library_kernel(LadderKernel kernel) {
  return find_blas1_kernel(to_string(kernel));  // of the same name
}

/// The core's frequency, and what the clock probe says of the additions.
struct Core {
  double hertz = 0;
  double scalar_add = 0;  // cycles
  double vector_add = 0;
  double vector_fma =
      0;  // that of an addition where nothing is fused: the product is not waited for
};

Core measure_core(Team& team) {
  using detail::Operation;
  const ProbeOptions options;
  const auto latency = [&](Operation operation, OperationForm form) {
    return measure_operation_latency(team, operation, form, options).cycles.summary.median;
  };
  Core core{.hertz = measure_core_frequency(team, options).summary.median,
            .scalar_add = latency(Operation::add, OperationForm::scalar),
            .vector_add = latency(Operation::add, OperationForm::vector)};
  core.vector_fma =
      detail::has_fma() ? latency(Operation::fma, OperationForm::vector) : core.vector_add;
  return core;
}

/// What was found of one kernel at one size.
struct Climb {
  LadderKernel kernel;
  std::size_t size = 0;
  std::vector<LadderRung> rungs;
  std::vector<std::vector<double>> gflops;  // of each rung, by rounds
  std::vector<double> limits;               // GFLOP/s, by rounds
  std::vector<double> peaks;
};

class Ladder {
 public:
  Ladder(const Topology& machine, const LadderRequest& request, std::vector<std::size_t> sizes)
      : machine_(machine),
        request_(request),
        alone_(machine, Policy::none(), 1),
        team_(alone_, {.caller = Caller::joins}),
        x_(team_, std::ranges::max(sizes), {.pages = Pages::transparent}),
        y_(team_, std::ranges::max(sizes), {.pages = Pages::transparent}),
        core_(measure_core(team_)) {
    std::ranges::fill(x_.all(), 0.75);
    std::ranges::fill(y_.all(), 0.5);
    for (const LadderKernel kernel : detail::kLadderKernels) {
      for (const std::size_t size : sizes) {
        Climb climb{.kernel = kernel, .size = size, .rungs = detail::ladder_rungs(kernel)};
        climb.gflops.resize(climb.rungs.size());
        climbs_.push_back(climb);
      }
    }
  }

  std::vector<Record> run(const ProgressSink& progress) {
    const std::size_t total = request_.rounds * climbs_.size();
    std::size_t done = 0;
    for (std::size_t round = 0; round < request_.rounds; ++round) {
      for (Climb& climb : climbs_) {
        if (progress) {
          progress(
              {done, total,
               fmt::format("{} of {}", to_string(climb.kernel), detail::format_count(climb.size))});
        }
        take(climb);
        ++done;
      }
    }
    std::vector<Record> records;
    for (const Climb& climb : climbs_) {
      for (std::size_t r = 0; r < climb.rungs.size(); ++r) records.push_back(record_of(climb, r));
    }
    return records;
  }

 private:
  double time_rung(const Climb& climb, const LadderRung& rung) {
    const auto time = [&](std::size_t calls) {
      const double begin = now_seconds();
      for (std::size_t c = 0; c < calls; ++c) keep(rung.call(x_.data(), y_.data(), climb.size));
      return now_seconds() - begin;
    };
    const double once = std::min(time(1), time(1));
    const auto calls =
        static_cast<std::size_t>(std::max(1.0, kBurstSeconds / std::max(once, 1e-8)));
    double best = time(calls);
    for (int burst = 1; burst < kBlas1Bursts; ++burst) best = std::min(best, time(calls));
    return best / static_cast<double>(calls) / static_cast<double>(climb.size);
  }

  /// A sample of each rung, and of the limit.
  void take(Climb& climb) {
    const KernelCost cost = cost_of(library_kernel(climb.kernel), blas1::Mode::fast);
    for (std::size_t r = 0; r < climb.rungs.size(); ++r) {
      climb.gflops[r].push_back(cost.flops / time_rung(climb, climb.rungs[r]) / 1e9);
    }
    const std::size_t bytes = std::max<std::size_t>(climb.size * sizeof(double), 512);
    KernelLimitProbe probe(team_, cost, sizeof(double), {{x_.data(), y_.data(), bytes}},
                           level_of(climb) == "memory");
    for (int look = 0; look < kBlas1Bursts; ++look) probe.look(kBurstSeconds);
    climb.limits.push_back(cost.flops / probe.limit().seconds() / 1e9);
    climb.peaks.push_back(cost.flops / probe.limit().arithmetic / 1e9);
  }

  std::string level_of(const Climb& climb) const {
    const auto vectors = static_cast<std::size_t>(vectors_of(library_kernel(climb.kernel)));
    return kinjo::level_of(machine_, alone_, vectors * climb.size * sizeof(double));
  }

  /// Cycles from an addition to the next of the same running sum; nothing for what has none.
  std::optional<double> latency_of(const Climb& climb, const LadderRung& rung) const {
    if (rung.sums == 0) return std::nullopt;
    if (rung.lanes == 1) return core_.scalar_add;
    return climb.kernel == LadderKernel::sum ? core_.vector_add : core_.vector_fma;
  }

  Record record_of(const Climb& climb, std::size_t r) const {
    const LadderRung& rung = climb.rungs[r];
    const double peak = summarize(climb.peaks).median;
    const double limit = summarize(climb.limits).median;
    Record record{.workload = "blas1-ladder",
                  .parameters = {{"kernel", to_string(climb.kernel)},
                                 {"size", static_cast<std::int64_t>(climb.size)},
                                 {"rung", rung.name},
                                 {"rounds", static_cast<std::int64_t>(request_.rounds)}},
                  .policy = alone_.policy().name(),
                  .threads = 1,
                  .metrics = {{"gflops", "GFLOP/s", climb.gflops[r]}, {"share", "%", {}}}};
    for (std::size_t i = 0; i < climb.peaks.size(); ++i) {
      record.metrics[1].samples.push_back(100 * climb.gflops[r][i] / climb.peaks[i]);
    }
    record.result = {{"peak_gflops", peak},
                     {"limit_gflops", limit},
                     {"level", level_of(climb)},
                     {"simd", to_string(simd_level())}};
    if (const auto latency = latency_of(climb, rung)) {
      const double flops = cost_of(library_kernel(climb.kernel), blas1::Mode::fast).flops;
      const double lanes = static_cast<double>(rung.lanes);
      const double of_latency =
          static_cast<double>(rung.sums) * lanes * flops * core_.hertz / *latency / 1e9;
      record.result.push_back({"latency_cycles", *latency});
      record.result.push_back({"predicted_gflops", std::min(limit, of_latency)});
      if (rung.lanes > 1) {
        record.result.push_back({"ports", peak * 1e9 / (core_.hertz * flops * lanes)});
      }
    }
    return record;
  }

  const Topology& machine_;
  const LadderRequest& request_;
  Mapping alone_;
  Team team_;
  PartitionedArray<double> x_;
  PartitionedArray<double> y_;
  Core core_;
  std::vector<Climb> climbs_;
};

std::vector<std::size_t> sizes_of(const Topology& machine, const LadderRequest& request) {
  std::vector<std::size_t> sizes = request.sizes;
  if (sizes.empty()) {
    const Mapping alone(machine, Policy::none(), 1);
    sizes.push_back(default_blas1_sizes(machine, alone, sizeof(double)).front());
  }
  for (const std::size_t size : sizes) check_blas1_size(size, sizeof(double));
  return sizes;
}

}  // namespace

std::size_t ladder_memory(const Topology& machine, const LadderRequest& request) {
  return 2 * sizeof(double) * std::ranges::max(sizes_of(machine, request));
}

std::vector<Record> run_blas1_ladder(const Topology& machine, const LadderRequest& request,
                                     const ProgressSink& progress) {
  return Ladder(machine, request, sizes_of(machine, request)).run(progress);
}

}  // namespace kinjo
