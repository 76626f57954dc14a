/// BLAS-1 under one configuration: a team, two vectors, and samples of the kernels on them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <kinjo/binding.hpp>
#include <kinjo/blas1.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/partitioned_array.hpp>

#include "measure/kernel_limit.hpp"
#include "workload/blas1_kernel.hpp"

namespace kinjo {

enum class Precision { single_, double_ };
const char* to_string(Precision precision) noexcept;
std::size_t bytes_of(Precision precision) noexcept;

struct Blas1Settings {
  Precision precision = Precision::double_;
  blas1::Mode mode = blas1::Mode::fast;
  Pages pages = Pages::transparent;
  BindLevel bind = BindLevel::cpu;
  bool verify = false;
};

/// Bursts of which a sample is the best.
inline constexpr int kBlas1Bursts = 4;

/// One thread that nobody places calls the functions of one thread; every other mapping those over
/// a team.
inline bool runs_alone(const Mapping& mapping) { return mapping.size() == 1 && !mapping.binds(); }

struct Blas1Sample {
  double seconds = 0;  ///< for one element, as all times of the limit
  KernelLimit limit;
  std::string fault;  ///< what the verifier said; empty if nothing, or if it was not asked
};

/// A team with vectors x and y of random numbers, of magnitude 0.5 to 1 and both signs.
class Blas1Run {
 public:
  virtual ~Blas1Run() = default;
  /// Bursts of calls, of about half a millisecond or one call each, in turn with looks at the
  /// limit. Vectors that fit in a cache are there. `beyond_caches`: nothing holds them.
  virtual Blas1Sample sample(Blas1Kernel kernel, bool beyond_caches) = 0;
  virtual ArrayAudit audit() const = 0;
  virtual const PlacementReport& placement() const = 0;
  virtual const PagesReport& pages() const = 0;
};

/// Starts the threads and fills the vectors. Throws `Error`.
std::unique_ptr<Blas1Run> make_blas1_run(const Blas1Settings& settings, const Mapping& mapping,
                                         std::size_t elements);

}  // namespace kinjo
