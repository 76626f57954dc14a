/// Matrix products under one configuration: a team, three matrices, and samples of plans on them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <kinjo/binding.hpp>
#include <kinjo/gemm_plan.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/partitioned_array.hpp>

#include "workload/gemm_size.hpp"
#include "workload/numbers.hpp"

namespace kinjo {

struct GemmSettings {
  Precision precision = Precision::double_;
  Pages pages = Pages::transparent;
  BindLevel bind = BindLevel::cpu;
  bool verify = false;
};

/// Bursts of which a sample is the best, where a product takes less than a quarter of a second;
/// a longer one is computed once.
inline constexpr int kGemmBursts = 4;

/// The name of the plan that `gemm::Plan::choose` makes.
inline constexpr const char* kChosenPlan = "chosen";

/// What plans need to know of the product under a mapping.
gemm::Problem gemm_problem(const GemmShape& shape, Precision precision, const Mapping& mapping);

/// The plan of that text, or the one that is chosen. Throws `Error` as `gemm::Plan::parse`.
gemm::Plan gemm_plan(const std::string& text, const gemm::Problem& problem);

struct GemmSample {
  double seconds = 0;      ///< of one product
  double cpu_seconds = 0;  ///< the same of all threads together, waiting without sleep included
  double limit = 0;        ///< operations in a second that the team does in registers
  std::string fault;       ///< what the verifier said; empty if nothing, or if it was not asked
};

/// A team with A, B and C, row-major, rows dealt to the threads' nodes; A and B of random numbers
/// of magnitude 0.5 to 1 and both signs.
class GemmRun {
 public:
  virtual ~GemmRun() = default;
  /// C ← A·B: bursts of products of about 10 ms or one product each, in turn with looks at the
  /// limit.
  virtual GemmSample sample(const gemm::Plan& plan) = 0;
  virtual ArrayAudit audit() = 0;
  virtual const PlacementReport& placement() = 0;
  virtual const PagesReport& pages() = 0;
};

/// Starts the threads and fills the matrices. Throws `Error`.
std::unique_ptr<GemmRun> make_gemm_run(const GemmSettings& settings, const Mapping& mapping,
                                       const GemmShape& shape);

}  // namespace kinjo
