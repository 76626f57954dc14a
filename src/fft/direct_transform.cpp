#include "fft/direct_transform.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/contract.hpp"
#include "fft/cutting.hpp"
#include "fft/group_passes.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// Rows of a block that stays in the L1 of most CPUs, 32 KiB.
constexpr std::size_t kMostRows = (std::size_t{32} << 10) / 128;
/// Rows of blocks whose results are written together, which fit L2: those of one block alone lie so
/// far apart, often by a power of two, that nothing of what they write is merged or foreseen. This
/// pass took up to three times as long so.
constexpr std::size_t kBunchRows = 4 * kMostRows;

/// As `SplitPass` has them.
template <class T>
Buffer split_twiddles(std::size_t n, const DirectKernels<T>& kernels) {
  constexpr std::size_t kWidth = kDirectWidth<T>;
  const std::size_t rows = n / kWidth, lanes = kernels.lanes;
  const Roots roots(n);
  const std::size_t numbers = (rows + lanes - 1) / lanes * lanes * (kWidth - 1);
  Buffer table = alloc(2 * numbers * sizeof(T), {.pages = Pages::transparent});
  T* at = static_cast<T*>(table.data());
  for (std::size_t column = 0; column < rows; column += lanes) {
    const std::size_t first = std::min(column, rows - lanes);
    for (std::size_t k = 1; k < kWidth; ++k, at += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto twiddle = roots.rounded<T>(k * (first + kernels.column_of_lane[lane]));
        at[lane] = twiddle.real();
        at[lanes + lane] = twiddle.imag();
      }
    }
  }
  return table;
}

}  // namespace

template <class T>
DirectTransform<T>::DirectTransform(std::size_t n)
    : kernels_(direct_kernels<T>()),
      plan_(n / kDirectWidth<T>, kDirectWidth<T>,
            wide_radix_groups(n / kDirectWidth<T>, kMostRows, kernels_.last_radix)),
      split_twiddles_(split_twiddles<T>(n, kernels_)) {
  KINJO_ASSERT(can_be_direct(n, 2 * sizeof(T)) && plan_.passes.size() >= 2);
}

template <class T>
void DirectTransform<T>::load(const Lines<const T>& source, T* work) const {
  kernels_.split({source, plan_.size, static_cast<const T*>(split_twiddles_.data()),
                  plan_.offset_of_element.data(), work});
}

/// All passes but the last one.
template <class T>
void DirectTransform<T>::compute(T* work) const {
  for (const RowGroup& group : plan_.groups) run_blocks(group, {0, group.blocks.size()}, work);
}

template <class T>
void DirectTransform<T>::run_blocks(const RowGroup& group, Range blocks, T* work) const {
  const std::size_t first = group.first_pass;
  const std::size_t end = std::min(first + group.passes, plan_.passes.size() - 1);
  for (std::size_t b = blocks.begin; b < blocks.end; ++b) {
    for (std::size_t p = first; p < end; ++p) {
      const PassJob<T> job = at_block(block_pass(plan_, group, p, kDirectWidth<T>, work), group, b);
      const auto& kernel = kernels_.pass(job.radix);
      (job.twiddles ? kernel.twiddled : kernel.plain)(job);
    }
  }
}

template <class T>
template <class F>
void DirectTransform<T>::for_each_bunch(const F& f) const {
  const RowGroup& group = plan_.groups.back();
  const std::size_t blocks = group.blocks.size(), some = kBunchRows / group.rows;
  for (std::size_t b = 0; b < blocks; b += some) f(Range{b, std::min(blocks, b + some)});
}

template <class T>
void DirectTransform<T>::join(Range blocks, const Lines<T>& target, T scale, T* work) const {
  const RowGroup& group = plan_.groups.back();
  const ColumnPass<T>& last = plan_.passes.back();
  PassJob<T> job = block_pass(plan_, group, plan_.passes.size() - 1, kDirectWidth<T>, work);
  job.twiddles = last.twiddles_at(blocks.begin * job.groups);
  kernels_.pass(job.radix).join({job, group.blocks.data() + blocks.begin, blocks.size(), target,
                                 blocks.begin, group.below, plan_.size / job.radix, scale});
}

template <class T>
void DirectTransform<T>::store(const Lines<T>& target, T scale, T* work) const {
  for_each_bunch([&](Range blocks) { join(blocks, target, scale, work); });
}

/// Where rows can lie: in the target, if they fit it one behind the other and the source lies
/// elsewhere, which spares the caches; else in the working memory.
template <class T>
T* DirectTransform<T>::buffer(const Lines<const T>& source, const Lines<T>& target, T* work) const {
  constexpr std::size_t kAligned = 64;
  if (plan_.groups.size() > 1 || target.line != 2) return work;
  T* const first = std::min(target.real, target.imaginary, std::less<>());
  const T* const read = std::min(source.real, source.imaginary, std::less<>());
  return read == first || reinterpret_cast<std::uintptr_t>(first) % kAligned != 0 ? work : first;
}

template <class T>
void DirectTransform<T>::run(const Lines<const T>& source, const Lines<T>& target, T scale,
                             T* memory) const {
  T* const work = buffer(source, target, memory);
  load(source, work);
  for (const RowGroup& group : plan_.groups) {
    if (&group != &plan_.groups.back()) run_blocks(group, {0, group.blocks.size()}, work);
  }
  for_each_bunch([&](Range blocks) {
    run_blocks(plan_.groups.back(), blocks, work);
    join(blocks, target, scale, work);
  });
}

template class DirectTransform<float>;
template class DirectTransform<double>;

}  // namespace kinjo::fft::detail
