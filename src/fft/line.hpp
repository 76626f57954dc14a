/// The stages that transform lines of one length.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "fft/block.hpp"
#include "fft/cutting.hpp"

namespace kinjo::fft::detail {

/// Lines of n elements, `stride` numbers apart in both arrays, everywhere that the loops lead to.
/// The innermost loop comes first.
struct LineShape {
  std::size_t n = 1;
  std::size_t stride = 1;
  std::vector<Loop> loops;
  Where source, target;
  bool scaled = true;

  std::size_t lines() const;
};

/// Tables that stages share; they live as long as the plan.
template <class T>
using Tables = std::vector<std::shared_ptr<const std::vector<T>>>;

/// Stages that transform one line after the other (`repeats`) or all of them (no repeats), and the
/// work arrays that they need besides the threads' scratch memory, in numbers.
template <class T>
struct LinePlan {
  std::vector<Loop> repeats;
  Stages<T> stages;
  std::array<std::size_t, 2> work{};
};

/// How the machine and the caller want it.
struct LineOptions {
  Conditions conditions;
  const Cut* cut = nullptr;  ///< null: what `choose_cut` says
  InCache in_cache = InCache::in_place;
  fft::Overlap overlap = fft::Overlap::automatic;
  bool whole_lines = false;  ///< each line by one thread whatever its length
};

template <class T>
LinePlan<T> plan_lines(const LineShape& shape, const LineOptions& options, Tables<T>& tables);

}  // namespace kinjo::fft::detail
