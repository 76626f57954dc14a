#include "workload/blas1.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <kinjo/simd.hpp>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "measure/sampling.hpp"
#include "measure/statistics.hpp"
#include "workload/blas1_size.hpp"
#include "workload/cache_levels.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

/// What bounds the kernel, and the times of its limit for one element.
Values limit_values(const KernelLimit& limit) {
  Values values = {{"bound_by", to_string(limit.bound_by())}, {"moves_ns", limit.moves * 1e9}};
  if (limit.arithmetic > 0) values.push_back({"arithmetic_ns", limit.arithmetic * 1e9});
  return values;
}

/// Each of its times alone.
KernelLimit median_of(const std::vector<KernelLimit>& limits) {
  const auto median = [&](double KernelLimit::*time) {
    std::vector<double> times;
    for (const KernelLimit& limit : limits) times.push_back(limit.*time);
    return summarize(times).median;
  };
  return {.moves = median(&KernelLimit::moves),
          .loads = median(&KernelLimit::loads),
          .stores = median(&KernelLimit::stores),
          .arithmetic = median(&KernelLimit::arithmetic),
          .beyond_caches = limits.front().beyond_caches};
}

/// The record's first values become those of `limit`: a record keeps what one of its samples said.
void put_limit(Record& record, const KernelLimit& limit) {
  const Values values = limit_values(limit);
  KINJO_ASSERT(record.result.size() >= values.size());
  std::ranges::copy(values, record.result.begin());
}

/// What is measured, and what comes in of it.
class Rounds {
 public:
  Rounds(const Topology& machine, const Blas1Request& request)
      : machine_(machine), request_(request) {
    for (const Mapping& mapping : request.configurations) {
      std::vector<std::size_t> sizes = request.sizes;
      const std::size_t bytes = bytes_of(request.settings.precision);
      if (sizes.empty()) {
        sizes = default_blas1_sizes(machine, mapping, bytes);
        sizes.back() = fitting_blas1_size(sizes.back(), bytes);
      }
      for (const std::size_t size : sizes) check_blas1_size(size, bytes);
      sizes_.push_back(sizes);
    }
    for (const Blas1Kernel kernel : request.kernels) {
      for (std::size_t s = 0; s < most_sizes(); ++s) add_places(kernel, s);
    }
  }

  std::size_t largest() const {
    std::size_t largest = 0;
    for (const auto& sizes : sizes_) largest = std::max(largest, std::ranges::max(sizes));
    return largest;
  }

  std::vector<Record> run(const ProgressSink& progress) {
    const std::size_t configurations = request_.configurations.size();
    const std::size_t total = request_.rounds * places_.size();
    std::size_t done = 0;
    const auto announce = [&](const std::string& what) {
      if (progress) progress({done, total, what});
      ++done;
    };
    run_in_turn(request_.rounds, most_sizes(), configurations, [&](std::size_t s, std::size_t c) {
      if (s < sizes_[c].size()) run_kernels(s, c, announce);
    });
    return records();
  }

 private:
  /// One record to be.
  struct Place {
    std::size_t size;  // its rank
    std::size_t configuration;
    Blas1Subject subject;
    RecordBuilder builder;
    std::vector<KernelLimit> limits = {};
  };

  std::size_t most_sizes() const {
    return std::ranges::max(sizes_, {}, &std::vector<std::size_t>::size).size();
  }

  void add_places(Blas1Kernel kernel, std::size_t s) {
    for (std::size_t c = 0; c < request_.configurations.size(); ++c) {
      if (s >= sizes_[c].size()) continue;
      const Blas1Subject subject(machine_, request_.settings, kernel, sizes_[c][s]);
      places_.push_back({s, c, subject, RecordBuilder(subject, {request_.configurations[c]})});
      if (request_.settings.verify) places_.back().builder.set_verified(true);
    }
  }

  template <class Announce>
  void run_kernels(std::size_t s, std::size_t c, const Announce& announce) {
    const Mapping& mapping = request_.configurations[c];
    const auto run = make_blas1_run(request_.settings, mapping, sizes_[c][s]);
    for (Place& place : places_) {
      if (place.size != s || place.configuration != c) continue;
      announce(fmt::format("{} of {}, {}", to_string(place.subject.kernel()),
                           detail::format_count(sizes_[c][s]), Configuration{mapping}.name()));
      const bool beyond = place.subject.level(mapping) == "memory";
      const Blas1Sample measured = run->sample(place.subject.kernel(), beyond);
      Sample sample = place.subject.sample_of(measured, mapping);
      add_memory_values(sample, run->placement(), run->pages(), run->audit(), mapping.binds());
      place.builder.add(sample);
      place.limits.push_back(measured.limit);
    }
  }

  std::vector<Record> records() const {
    std::vector<Record> records;
    for (const Place& place : places_) {
      records.push_back(place.builder.finish());
      put_limit(records.back(), median_of(place.limits));
      records.back().parameters.push_back({"rounds", static_cast<std::int64_t>(request_.rounds)});
    }
    return records;
  }

  const Topology& machine_;
  const Blas1Request& request_;
  std::vector<std::vector<std::size_t>> sizes_;  // of each configuration
  std::vector<Place> places_;
};

}  // namespace

Blas1Subject::Blas1Subject(const Topology& machine, const Blas1Settings& settings,
                           Blas1Kernel kernel, std::size_t elements)
    : machine_(machine), settings_(settings), kernel_(kernel), elements_(elements) {
  const double flops = cost_of(kernel, settings.mode).flops;
  const double bytes = moves_of(kernel) * static_cast<double>(bytes_of(settings.precision));
  if (flops > 0) {
    metrics_.push_back({.name = "gflops", .unit = "GFLOP/s", .flops_per_byte = flops / bytes});
  }
  metrics_.push_back({.name = "bandwidth", .unit = "GB/s"});
  metrics_.push_back({.name = "limit", .unit = metrics_.front().unit});
  metrics_.push_back({.name = "share", .unit = "%"});
}

Values Blas1Subject::parameters() const {
  return {{"kernel", to_string(kernel_)},
          {"size", static_cast<std::int64_t>(elements_)},
          {"precision", to_string(settings_.precision)},
          {"mode", settings_.mode == blas1::Mode::fast ? "fast" : "reproducible"},
          {"pages", to_string(settings_.pages)},
          {"bind", to_string(settings_.bind)}};
}

std::string Blas1Subject::level(const Mapping& mapping) const {
  const auto vectors = static_cast<std::size_t>(vectors_of(kernel_));
  return level_of(machine_, mapping, vectors * elements_ * bytes_of(settings_.precision));
}

Sample Blas1Subject::sample_of(const Blas1Sample& measured, const Mapping& mapping) const {
  const double flops = cost_of(kernel_, settings_.mode).flops;
  const double bytes = moves_of(kernel_) * static_cast<double>(bytes_of(settings_.precision));
  const double limit = measured.limit.seconds();
  Sample sample;
  if (flops > 0) sample.values.push_back(flops / measured.seconds / 1e9);
  sample.values.push_back(bytes / measured.seconds / 1e9);
  sample.values.push_back((flops > 0 ? flops : bytes) / limit / 1e9);
  sample.values.push_back(100 * limit / measured.seconds);
  sample.fault = measured.fault;
  sample.result = limit_values(measured.limit);
  sample.result.push_back({"level", level(mapping)});
  sample.result.push_back({"calls", runs_alone(mapping) ? "one thread" : "team"});
  sample.result.push_back({"simd", to_string(simd_level())});
  return sample;
}

std::optional<Sample> Blas1Subject::run(const Configuration& configuration) {
  const double start = now_seconds();
  const Mapping& mapping = configuration.mapping;
  const auto run = make_blas1_run(settings_, mapping, elements_);
  Sample sample = sample_of(run->sample(kernel_, level(mapping) == "memory"), mapping);
  add_memory_values(sample, run->placement(), run->pages(), run->audit(), mapping.binds());
  sample.seconds = now_seconds() - start;
  return sample;
}

std::size_t blas1_memory(const Topology& machine, const Blas1Request& request) {
  return 2 * Rounds(machine, request).largest() * bytes_of(request.settings.precision);
}

std::vector<Record> run_blas1(const Topology& machine, const Blas1Request& request,
                              const ProgressSink& progress) {
  return Rounds(machine, request).run(progress);
}

}  // namespace kinjo
