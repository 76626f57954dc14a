/// What the storage loops of a plan go over, one step after the other, of which none is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <kinjo/gemm_plan.hpp>

namespace kinjo::gemm {

/// `f(step)` for each step within `step`, by those of the loops that are storage loops. An empty
/// dimension is one block.
template <class F>
void each_storage_step(std::span<const Loop> loops, const StorageStep& step, F&& f) {
  while (!loops.empty() && loops.front().level != Level::storage) loops = loops.subspan(1);
  if (loops.empty()) return f(step);
  const Loop& loop = loops.front();
  const auto member = loop.dimension == Dimension::m   ? &StorageStep::m
                      : loop.dimension == Dimension::n ? &StorageStep::n
                                                       : &StorageStep::k;
  Range left = step.*member;
  do {
    StorageStep part = step;
    part.*member = {left.begin, left.begin + std::min(loop.block, left.size())};
    each_storage_step(loops.subspan(1), part, f);
    left.begin = (part.*member).end;
  } while (!left.empty());
}

/// `f(step)` for each step of a plan.
template <class F>
void each_storage_step(const Plan& plan, const Problem& problem, F&& f) {
  const StorageStep all{{0, problem.m}, {0, problem.n}, {0, problem.k}};
  each_storage_step(plan.loops(), all, [&](StorageStep step) {
    step.first_of_k = step.k.begin == 0;
    step.last_of_k = step.k.end == problem.k;
    f(step);
  });
}

}  // namespace kinjo::gemm
