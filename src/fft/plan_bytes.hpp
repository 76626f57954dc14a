/// What plans take, before they are made.
#pragma once

#include <cstddef>

#include <kinjo/fft_plan.hpp>

namespace kinjo::fft::detail {

/// What the estimate depends on.
struct PlanConditions {
  std::size_t element_bytes = 16;  ///< of a complex number
  std::size_t threads = 1;
  Input input = Input::complex;
};

/// Bytes that a plan takes at most at a time, about, where its cuts are left to it: tables, work
/// arrays, the threads' buffers, and what making the tables of convolutions takes. Throws `Error`
/// as the plan would for such a shape.
double plan_bytes(const fft::Shape& shape, const Options& options,
                  const PlanConditions& conditions);

/// Throws `Error` (`out_of_memory`) where that is more than the system has available: the tables
/// are written before the plan is there.
void check_plan_bytes(const fft::Shape& shape, const Options& options,
                      const PlanConditions& conditions);

}  // namespace kinjo::fft::detail
