#include "workload/gemm.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/simd.hpp>

#include "measure/sampling.hpp"
#include "workload/cache_levels.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

/// The least that a product moves: A and B once, C in and out.
double least_bytes(const GemmShape& shape, std::size_t element_bytes) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
             k = static_cast<double>(shape.k);
  return (m * k + k * n + 2 * m * n) * static_cast<double>(element_bytes);
}

/// What is measured, and what comes in of it.
class GemmRounds {
 public:
  GemmRounds(const Topology& machine, const GemmRequest& request)
      : machine_(machine), request_(request) {
    for (std::size_t s = 0; s < request.shapes.size(); ++s) {
      check_gemm_shape(request.shapes[s], bytes_of(request.settings.precision));
      for (const std::string& plan : request.plans) add_places(s, plan);
    }
  }

  std::vector<Record> run(const ProgressSink& progress) {
    const std::size_t total = request_.rounds * places_.size();
    std::size_t done = 0;
    const auto announce = [&](const std::string& what) {
      if (progress) progress({done, total, what});
      ++done;
    };
    run_in_turn(request_.rounds, request_.shapes.size(), request_.configurations.size(),
                [&](std::size_t s, std::size_t c) { run_plans(s, c, announce); });
    std::vector<Record> records;
    for (const Place& place : places_) {
      records.push_back(place.builder.finish());
      records.back().parameters.push_back({"rounds", static_cast<std::int64_t>(request_.rounds)});
    }
    return records;
  }

 private:
  /// One record to be.
  struct Place {
    std::size_t shape, configuration;
    GemmSubject subject;
    RecordBuilder builder;
  };

  void add_places(std::size_t s, const std::string& plan) {
    for (std::size_t c = 0; c < request_.configurations.size(); ++c) {
      const Mapping& mapping = request_.configurations[c];
      const GemmSubject subject(machine_, request_.settings, request_.shapes[s], plan);
      subject.plan(mapping);  // refused now or never
      places_.push_back({s, c, subject, RecordBuilder(subject, {mapping})});
      if (request_.settings.verify) places_.back().builder.set_verified(true);
    }
  }

  template <class Announce>
  void run_plans(std::size_t s, std::size_t c, const Announce& announce) {
    const Mapping& mapping = request_.configurations[c];
    const auto run = make_gemm_run(request_.settings, mapping, request_.shapes[s]);
    for (Place& place : places_) {
      if (place.shape != s || place.configuration != c) continue;
      announce(fmt::format("{} by {}, {}", to_string(request_.shapes[s]),
                           place.subject.plan(mapping).short_form(),
                           Configuration{mapping}.name()));
      place.builder.add(place.subject.sample(*run, mapping));
    }
  }

  const Topology& machine_;
  const GemmRequest& request_;
  std::vector<Place> places_;
};

}  // namespace

GemmSubject::GemmSubject(const Topology& machine, const GemmSettings& settings,
                         const GemmShape& shape, std::string plan)
    : machine_(machine), settings_(settings), shape_(shape), plan_(std::move(plan)) {
  const double intensity = shape.flops() / least_bytes(shape, bytes_of(settings.precision));
  metrics_ = {{.name = "gflops", .unit = "GFLOP/s", .flops_per_byte = intensity},
              {.name = "cpu_gflops", .unit = "GFLOP/s"},
              {.name = "cpu_share", .unit = "%"},
              {.name = "limit", .unit = "GFLOP/s"},
              {.name = "share", .unit = "%"},
              {.name = "seconds", .unit = "s", .better = Better::lower}};
}

Values GemmSubject::parameters() const {
  return {{"size", to_string(shape_)},
          {"plan", plan_},
          {"precision", to_string(settings_.precision)},
          {"pages", to_string(settings_.pages)},
          {"bind", to_string(settings_.bind)}};
}

gemm::Plan GemmSubject::plan(const Mapping& mapping) const {
  return gemm_plan(plan_, gemm_problem(shape_, settings_.precision, mapping));
}

Values GemmSubject::result(const Mapping& mapping, const gemm::Plan& plan) const {
  const gemm::BytesMoved moved =
      plan.bytes_moved(gemm_problem(shape_, settings_.precision, mapping));
  const double bytes = gemm_bytes(shape_, bytes_of(settings_.precision));
  return {{"plan", plan.to_string()},
          {"short_plan", plan.short_form()},
          {"tasks", static_cast<std::int64_t>(plan.tasks())},
          {"memory_bytes", static_cast<std::int64_t>(moved.memory)},
          {"l3_bytes", static_cast<std::int64_t>(moved.l3)},
          {"l2_bytes", static_cast<std::int64_t>(moved.l2)},
          {"packed_bytes", static_cast<std::int64_t>(moved.packed)},
          {"level", level_of(machine_, mapping, static_cast<std::size_t>(bytes))},
          {"calls", runs_alone(mapping) ? "one thread" : "team"},
          {"simd", to_string(simd_level())}};
}

Sample GemmSubject::sample(GemmRun& run, const Mapping& mapping) const {
  const gemm::Plan plan = this->plan(mapping);
  const GemmSample measured = run.sample(plan);
  const double flops = shape_.flops();
  const auto threads = static_cast<double>(mapping.size());
  const double cpu_seconds = std::max(measured.cpu_seconds, 1e-9) / threads;
  Sample sample;
  sample.values = {flops / measured.seconds / 1e9,
                   flops / cpu_seconds / 1e9,
                   100 * cpu_seconds / measured.seconds,
                   measured.limit / 1e9,
                   100 * flops / measured.seconds / measured.limit,
                   measured.seconds};
  sample.fault = measured.fault;
  sample.result = result(mapping, plan);
  add_memory_values(sample, run.placement(), run.pages(), run.audit(), mapping.binds());
  return sample;
}

std::optional<Sample> GemmSubject::run(const Configuration& configuration) {
  const double start = now_seconds();
  const Mapping& mapping = configuration.mapping;
  Sample sample = this->sample(*make_gemm_run(settings_, mapping, shape_), mapping);
  sample.seconds = now_seconds() - start;
  return sample;
}

std::size_t gemm_memory(const Topology& machine, const GemmRequest& request) {
  const GemmRounds refusing(machine, request);
  double most = 0;
  for (const GemmShape& shape : request.shapes) {
    most = std::max(most, gemm_bytes(shape, bytes_of(request.settings.precision)));
  }
  return static_cast<std::size_t>(most);
}

std::vector<Record> run_gemm(const Topology& machine, const GemmRequest& request,
                             const ProgressSink& progress) {
  return GemmRounds(machine, request).run(progress);
}

}  // namespace kinjo
