/// The passes of a group of rows as jobs, for whoever goes through a buffer block by block.
#pragma once

#include <cstddef>

#include "fft/column_kernels.hpp"
#include "fft/column_plan.hpp"

namespace kinjo::fft::detail {

/// Pass p of a group's first block: butterflies at t·below for t < length / below, one behind the
/// other.
template <class T>
PassJob<T> block_pass(const ColumnPlan<T>& plan, const RowGroup& group, std::size_t p,
                      std::size_t width, T* work) {
  const ColumnPass<T>& pass = plan.passes[p];
  PassJob<T> job;
  job.from = job.to = work;
  job.from_step = job.to_step = pass.inner * group.step;
  job.groups = pass.inner;
  job.from_group = job.to_group = group.step;
  job.count = pass.count;
  job.from_next = job.to_next = pass.inner * pass.radix * group.step;
  job.width = width;
  job.radix = pass.radix;
  job.twiddles = pass.twiddles_at(0);
  job.roots = pass.roots.data();
  return job;
}

/// The same pass of block b.
template <class T>
PassJob<T> at_block(const PassJob<T>& first, const RowGroup& group, std::size_t b) {
  PassJob<T> job = first;
  job.from = job.to = first.to + group.blocks[b];
  if (b != 0 && job.twiddles) {
    job.twiddles += 2 * (job.radix - 1) * job.groups * (b % group.below);
  }
  return job;
}

}  // namespace kinjo::fft::detail
