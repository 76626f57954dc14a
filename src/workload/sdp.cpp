#include "workload/sdp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <kinjo/sdp_generators.hpp>

#include "measure/sampling.hpp"

namespace kinjo {

namespace {

std::int64_t whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

/// JSON has no numbers that are not finite.
void push_finite(Values& values, const std::string& name, double value) {
  if (std::isfinite(value)) values.push_back({name, value});
}

}  // namespace

SdpSubject::SdpSubject(const SdpSettings& settings) : settings_(settings) {
  metrics_ = {{.name = "seconds", .unit = "s", .better = Better::lower}};
  for (std::size_t p = 0; p < sdp::kPhases; ++p) {
    const std::string phase = sdp::to_string(static_cast<sdp::Phase>(p));
    metrics_.push_back({.name = phase + "_seconds", .unit = "s", .better = Better::lower});
  }
  metrics_.push_back({.name = "iterations", .unit = "", .better = Better::lower});
}

Values SdpSubject::parameters() const {
  const sdp::Options& options = settings_.options;
  Values values = {{"problem", settings_.problem},
                   {"preset", settings_.preset},
                   {"tolerance", options.tolerance},
                   {"lambda_star", options.lambda_star},
                   {"beta_star", options.beta_star},
                   {"beta_bar", options.beta_bar},
                   {"gamma_star", options.gamma_star},
                   {"max_iteration", whole(options.max_iteration)},
                   {"precision", std::string(options.extended_precision ? "extended" : "double")},
                   {"bind", to_string(settings_.bind)}};
  if (sdp::is_rule(settings_.problem)) {
    values.insert(values.begin() + 1, {"seed", whole(settings_.seed)});
  }
  return values;
}

Values sdp_plan_values(const sdp::Plan& plan) {
  return {{"symmetric_blocks", whole(plan.symmetric_blocks)},
          {"largest_block", whole(plan.largest_block)},
          {"sparse_blocks", whole(plan.sparse_blocks)},
          {"linear", whole(plan.linear)},
          {"schur", std::string(plan.sparse_schur ? "sparse" : "dense")},
          {"schur_entries", whole(plan.schur_entries)},
          {"factor_entries", whole(plan.factor_entries)},
          {"f1_columns", whole(plan.formulas[0])},
          {"f2_columns", whole(plan.formulas[1])},
          {"f3_columns", whole(plan.formulas[2])},
          {"planned_bytes", whole(plan.bytes)}};
}

Sample SdpSubject::sample_of(const SdpRun& run) {
  const sdp::Solution& solution = run.solution;
  Sample sample;
  sample.values = {run.seconds};
  sample.values.insert(sample.values.end(), run.phase_seconds.begin(), run.phase_seconds.end());
  const std::size_t iterations = sdp_iterations(solution);
  sample.values.push_back(static_cast<double>(iterations));
  sample.result = {{"status", std::string(sdp::to_string(solution.status))}};
  push_finite(sample.result, "primal_objective", solution.primal_objective);
  push_finite(sample.result, "dual_objective", solution.dual_objective);
  push_finite(sample.result, "relative_gap", relative_gap(solution));
  const auto& errors = solution.dimacs_errors;
  if (std::ranges::all_of(errors, [](double error) { return std::isfinite(error); })) {
    sample.result.push_back({"dimacs_errors", std::vector<double>(errors.begin(), errors.end())});
  }
  sample.result.push_back({"iterations", whole(iterations)});
  sample.result.push_back(
      {"precision", std::string(solution.extended_precision ? "extended" : "double")});
  for (auto& value : sdp_plan_values(solution.plan)) sample.result.push_back(std::move(value));
  return sample;
}

std::optional<Sample> SdpSubject::run(const Configuration& configuration) {
  const double start = now_seconds();
  Team team(configuration.mapping, {.bind = settings_.bind, .caller = Caller::joins});
  if (!problem_) problem_ = load_sdp(settings_);
  const SdpRun run = run_sdp(team, *problem_, settings_.options);
  Sample sample = sample_of(run);
  sample.fault = sdp_fault(*problem_, run, settings_.options.tolerance);
  sample.seconds = now_seconds() - start;
  return sample;
}

}  // namespace kinjo
