#include "fft/direct_transform.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/contract.hpp"
#include "fft/cutting.hpp"
#include "fft/group_passes.hpp"
#include "fft/lane_order.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// Rows of a block that stays in the L1 of most CPUs, 32 KiB.
constexpr std::size_t kMostRows = (std::size_t{32} << 10) / 128;
/// Rows of blocks whose results are written together, which fit L2: those of one block alone lie so
/// far apart, often by a power of two, that nothing of what they write is merged or foreseen. This
/// pass took up to three times as long so.
constexpr std::size_t kBunchRows = 4 * kMostRows;

/// As `SplitPass` has them, of the columns below `columns`.
template <class T>
Buffer split_twiddles(std::size_t n, std::size_t columns,
                      const typename DirectKernels<T>::Ends& ends) {
  constexpr std::size_t kWidth = kDirectWidth<T>;
  const std::size_t rows = n / kWidth, lanes = ends.lanes;
  const Roots roots(n);
  const std::size_t numbers = (columns + lanes - 1) / lanes * lanes * (kWidth - 1);
  Buffer table = alloc(2 * numbers * sizeof(T), {.pages = Pages::transparent});
  T* at = static_cast<T*>(table.data());
  for (std::size_t column = 0; column < columns; column += lanes) {
    const std::size_t first = std::min(column, rows - lanes);
    for (std::size_t k = 1; k < kWidth; ++k, at += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto twiddle = roots.rounded<T>(k * (first + number_of_lane<T>(lanes, lane)));
        at[lane] = twiddle.real();
        at[lanes + lane] = twiddle.imag();
      }
    }
  }
  return table;
}

/// As `SplitPass` has them.
template <class T>
std::vector<T> split_steps(std::size_t n, std::size_t lanes) {
  const std::size_t rows = n / kDirectWidth<T>;
  const Roots roots(n);
  std::vector<T> steps;
  steps.reserve((rows + lanes - 1) / lanes * 2 * (kDirectWidth<T> - 1));
  for (std::size_t column = 0; column < rows; column += lanes) {
    for (std::size_t k = 1; k < kDirectWidth<T>; ++k) {
      const auto step = roots.rounded<T>(k * std::min(column, rows - lanes));
      steps.push_back(step.real());
      steps.push_back(step.imag());
    }
  }
  return steps;
}

/// How the first pass can be done where the line lies, if it can. A row takes as much memory as the
/// numbers that q of a row's width of columns have in common, so that those columns leave room for
/// rows; if the rows that go there are again those of neighbouring columns, a cycle of such moves
/// needs a copy of its first columns only.
template <class T>
std::vector<SplitMove> moves_in_place(const ColumnPlan<T>& plan,
                                      const typename DirectKernels<T>::Ends& ends) {
  constexpr std::size_t kWidth = kDirectWidth<T>;
  if (!ends.split_in_place || plan.groups.size() > 1 || plan.size % kWidth != 0) return {};
  const std::size_t tiles = plan.size / kWidth;
  std::vector<std::size_t> source(tiles, tiles);  // whose rows go where a tile's columns were
  for (std::size_t p = 0; p < plan.size; ++p) {
    std::size_t& tile = source[plan.row_of_element[p] % tiles];
    if (tile != tiles && tile != p / kWidth) return {};
    tile = p / kWidth;
  }
  std::vector<SplitMove> moves;
  std::vector<bool> done(tiles);
  const auto move = [&](std::size_t tile, SplitMove::Kind kind) {
    moves.push_back({static_cast<std::uint32_t>(tile * kWidth), kind});
    done[tile] = true;
  };
  for (std::size_t first = 0; first < tiles; ++first) {
    if (done[first]) continue;
    const bool alone = source[first] == first;
    if (!alone) move(first, SplitMove::Kind::keep);
    for (std::size_t t = source[first]; t != first; t = source[t]) move(t, SplitMove::Kind::take);
    move(first, alone ? SplitMove::Kind::take : SplitMove::Kind::take_kept);
  }
  return moves;
}

/// The same radices, and so the same bits, with the last one in a group of its own.
template <class T>
std::vector<Radices> last_apart(const ColumnPlan<T>& plan) {
  Radices radices;
  for (const ColumnPass<T>& pass : plan.passes) radices.push_back(pass.radix);
  const std::size_t last = radices.back();
  radices.pop_back();
  return {radices, {last}};
}

}  // namespace

template <class T>
DirectTransform<T>::DirectTransform(std::size_t n, const Ends& ends)
    : kernels_(direct_kernels<T>()),
      ends_(ends),
      whole_(n / kDirectWidth<T>, kDirectWidth<T>,
             wide_radix_groups(n / kDirectWidth<T>, kMostRows, ends_.last_radix_of(n),
                               ends_.largest_radix)),
      split_steps_(n > ends_.most_from_table ? split_steps<T>(n, ends_.lanes) : std::vector<T>()),
      split_twiddles_(split_twiddles<T>(n, split_steps_.empty() ? whole_.size : 1, ends_)),
      moves_(moves_in_place(whole_, ends_)) {
  KINJO_ASSERT(has_whole_rows(n, 2 * sizeof(T)) && whole_.passes.size() >= 2);
  if (whole_.size > kMostRows / 2 && whole_.groups.size() == 1) {
    parted_.emplace(whole_.size, kDirectWidth<T>, last_apart(whole_));
  }
}

template <class T>
void DirectTransform<T>::split(const Plan& plan, const Lines<const T>& source, T* work) const {
  const SplitPass<T> job = {source,
                            plan.size,
                            static_cast<const T*>(split_twiddles_.data()),
                            split_steps_.empty() ? nullptr : split_steps_.data(),
                            plan.offset_of_element.data(),
                            work};
  if (first_part(source) == work) return ends_.split_in_place(job, moves_);
  ends_.split(job);
}

template <class T>
void DirectTransform<T>::run_blocks(const Plan& plan, const RowGroup& group, Range blocks,
                                    T* work) const {
  const std::size_t first = group.first_pass;
  const std::size_t end = std::min(first + group.passes, plan.passes.size() - 1);
  for (std::size_t b = blocks.begin; b < blocks.end; ++b) {
    for (std::size_t p = first; p < end; ++p) {
      const PassJob<T> job = at_block(block_pass(plan, group, p, kDirectWidth<T>, work), group, b);
      const auto& kernel = kernels_.pass(job.radix);
      (job.twiddles ? kernel.twiddled : kernel.plain)(job);
    }
  }
}

template <class T>
template <class F>
void DirectTransform<T>::for_each_bunch(const Plan& plan, const F& f) const {
  const RowGroup& group = plan.groups.back();
  const std::size_t blocks = group.blocks.size();
  if (blocks == 1) return f(Range{0, 1});
  const std::size_t some = kBunchRows / group.rows;
  for (std::size_t b = 0; b < blocks; b += some) f(Range{b, std::min(blocks, b + some)});
}

template <class T>
void DirectTransform<T>::join(const Plan& plan, Range blocks, const Lines<T>& target, T scale,
                              T* work, Write write) const {
  const RowGroup& group = plan.groups.back();
  PassJob<T> job = block_pass(plan, group, plan.passes.size() - 1, kDirectWidth<T>, work);
  job.twiddles = plan.passes.back().twiddles_at(blocks.begin * job.groups);
  const std::uint32_t* begins = group.blocks.data() + blocks.begin;
  std::size_t count = blocks.size();
  if (group.blocks.size() == 1) {
    // Its butterflies as if each were a block: the innermost loop has to be long.
    begins = group.offsets.data();
    count = std::exchange(job.groups, 1);
  }
  kernels_.pass(job.radix).join(
      {job, begins, count, target, blocks.begin, group.below, plan.size / job.radix, scale, write});
}

template <class T>
void DirectTransform<T>::load(const Lines<const T>& source, T* work) const {
  split(in_work(), source, work);
}

template <class T>
void DirectTransform<T>::compute(T* work) const {
  const Plan& plan = in_work();
  for (const RowGroup& group : plan.groups) run_blocks(plan, group, {0, group.blocks.size()}, work);
}

template <class T>
void DirectTransform<T>::store(const Lines<T>& target, T scale, T* work, Write write) const {
  const Plan& plan = in_work();
  for_each_bunch(plan, [&](Range blocks) { join(plan, blocks, target, scale, work, write); });
}

/// Whether rows can lie in the target, one behind the other, which spares the caches. Where rows
/// and line do not fit L1 together, that is worth passes through all of them instead of some
/// blocks, but no more than two of these and the last one.
template <class T>
bool DirectTransform<T>::fits_target(const Lines<const T>& source, const Lines<T>& target) const {
  constexpr std::size_t kAligned = 64;
  if (whole_.groups.size() > 1 || target.line != 2) return false;
  if (parted_ && whole_.passes.size() > 3) return false;
  const T* const first = first_part(target);
  const bool has_room = first_part(source) != first || (source.line == 2 && !moves_.empty());
  return has_room && reinterpret_cast<std::uintptr_t>(first) % kAligned == 0;
}

template <class T>
void DirectTransform<T>::run(const Lines<const T>& source, const Lines<T>& target, T scale,
                             T* memory, Write write) const {
  const bool in_target = write == Write::cached && fits_target(source, target);
  const Plan& plan = in_target ? whole_ : in_work();
  T* const work = in_target ? first_part(target) : memory;
  split(plan, source, work);
  for (const RowGroup& group : plan.groups) {
    if (&group != &plan.groups.back()) run_blocks(plan, group, {0, group.blocks.size()}, work);
  }
  for_each_bunch(plan, [&](Range blocks) {
    run_blocks(plan, plan.groups.back(), blocks, work);
    join(plan, blocks, target, scale, work, write);
  });
}

template class DirectTransform<float>;
template class DirectTransform<double>;

}  // namespace kinjo::fft::detail
