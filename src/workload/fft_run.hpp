/// Fourier transforms under one configuration: a team, its arrays, and samples of plans on them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/fft_plan.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/partitioned_array.hpp>

#include "workload/fft_size.hpp"
#include "workload/numbers.hpp"

namespace kinjo {

/// Where the pages of the arrays lie (S2 section 5).
enum class FftPlacement {
  block,   ///< a contiguous part on each thread's node
  cyclic,  ///< dealt to the threads' nodes page by page
  none,    ///< where the first thread touched them
};
const char* to_string(FftPlacement placement) noexcept;

struct FftSettings {
  Precision precision = Precision::double_;
  bool real = false;
  bool in_place = false;
  FftPlacement placement = FftPlacement::block;
  fft::Deal deal = fft::Deal::block;
  fft::InCache in_cache = fft::InCache::automatic;
  fft::Overlap overlap = fft::Overlap::automatic;
  Pages pages = Pages::transparent;
  BindLevel bind = BindLevel::cpu;
  bool verify = false;

  FftMemory memory() const { return {2 * bytes_of(precision), real, in_place, in_place && verify}; }
};

/// Bursts of which a sample is the best, where a transform takes less than a quarter of a second.
inline constexpr int kFftBursts = 4;

/// One step of one sweep: `load 1`, `compute 1`, `store 1`, `load 2` …; the mean of the threads'
/// times, as S2 gives them.
struct FftPhase {
  std::string name;
  double seconds = 0;
  double bytes = 0;  ///< of all threads
};

struct FftSample {
  double seconds = 0;            ///< of one transform
  double limit = 0;              ///< seconds that the team takes to copy the array twice
  std::vector<FftPhase> phases;  ///< of another transform, by steps; none for real ones
  double error = 0;              ///< relative, found by the verifier; 0 if it was not asked
  double error_bound = 0;
  std::string fault;  ///< what the verifier said; empty if nothing, or if it was not asked
};

/// A team with an input of random numbers of magnitude 0.5 to 1 and both signs, and an output.
/// Transforms in place are scaled by 1/√n, so that numbers keep their size; others are not scaled.
class FftRun {
 public:
  virtual ~FftRun() = default;
  /// Bursts of forward transforms of about 10 ms or one transform each, in turn with looks at the
  /// limit.
  virtual FftSample sample() = 0;
  /// Seconds of the fastest of a few transforms.
  virtual double quick() = 0;
  /// The plan from now on; `cuts` as `fft::Options::cuts`. Throws `Error`.
  virtual void make_plan(const std::vector<fft::Cut>& cuts) = 0;
  virtual std::string plan_text() const = 0;
  virtual std::size_t plan_bytes() const = 0;  ///< tables and working memory
  virtual ArrayAudit audit() const = 0;
  virtual const PlacementReport& placement() const = 0;
  virtual const PagesReport& pages() const = 0;
};

/// Starts the threads, fills the arrays and makes the plan that is chosen unasked. Throws `Error`.
std::unique_ptr<FftRun> make_fft_run(const FftSettings& settings, const Mapping& mapping,
                                     const FftSize& size);

}  // namespace kinjo
