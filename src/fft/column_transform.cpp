/// How a transform in columns goes through its buffer.
///
/// In place: the plan's groups of passes one after another, each of them block by block. `run`
/// takes columns block by block as well: their elements go from memory into a block's first pass,
/// while the block is in L1, and from the last pass back to memory, so that the whole buffer is
/// written and read once for every group but the first. Lines are moved in the order of memory,
/// before and after.
///
/// Stockham: pass by pass from one buffer to the other.
#include "fft/column_transform.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/contract.hpp"
#include "fft/group_passes.hpp"

namespace kinjo::fft::detail {

namespace {

/// Pieces of a pass, or of a group of passes.
constexpr std::size_t kParts = 8;

/// Where part `part` of `count` things begins.
std::size_t part_begin(std::size_t count, std::size_t part) { return count * part / kParts; }

/// Whether edge passes are there for `count` lines of n elements, and faster than moving lines for
/// themselves. Columns always are. Numbers of 16 bytes can be gathered into a vector from anywhere,
/// but then a cache line that holds several is visited several times, and must stay in L1 until
/// the last.
template <class T>
bool has_edge_pass(const Lines<T>& lines, std::size_t n, std::size_t count) {
  constexpr std::size_t kFitsL1 = std::size_t{16} << 10, kSameSet = 4096;
  const Shape shape = shape_of(lines);
  if (shape == Shape::complex_lines || shape == Shape::exchanged_lines) {
    const auto distance = static_cast<std::size_t>(std::abs(lines.line)) * sizeof(T);
    return sizeof(T) == 8 && 2 * n * count * sizeof(T) <= kFitsL1 && distance % kSameSet != 0;
  }
  return is_by_column(shape);
}

/// Whether inputs so far apart are better not read in turns. The L1 cache of a Zen tells lines
/// apart by a hash of their linear address that leaves out all bits from 28 on, and holds one of a
/// kind: memory asked for in time drives out what was asked for just before (AMD's optimization
/// guides, "linear address microtags"; reading a 2^26 took 2.4 times as long).
template <class T>
bool alias(const Lines<T>& lines, std::size_t elements) {
  constexpr std::ptrdiff_t kHashed = std::ptrdiff_t{1} << 28;
  return lines.offset(elements) * static_cast<std::ptrdiff_t>(sizeof(T)) % kHashed == 0;
}

/// Asks for one of `parts` parts of a table in L2.
template <class T>
inline __attribute__((always_inline)) void ask_for(std::span<const T> table, std::size_t part,
                                                   std::size_t parts) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  const std::size_t lines = table.size() / kLine;
  for (std::size_t i = lines * part / parts; i < lines * (part + 1) / parts; ++i) {
    __builtin_prefetch(table.data() + i * kLine, 0, 2);
  }
}

}  // namespace

template <class T>
ColumnTransform<T>::ColumnTransform(std::size_t n, std::size_t width, InCache method)
    : width_(width), method_(method), plan_(n, width, method) {
  KINJO_ASSERT(n > 0 && width > 0 && width % (64 / sizeof(T)) == 0);
  KINJO_ASSERT(plan_.buffer_size <= std::numeric_limits<std::uint32_t>::max());
  for (const RowGroup& group : plan_.groups) {
    KINJO_ASSERT(method == InCache::stockham || group.passes <= kMostPasses);
  }
}

template <class T>
std::size_t ColumnTransform<T>::work_size() const {
  return method_ == InCache::in_place ? plan_.buffer_size : 2 * plan_.buffer_size;
}

template <class T>
std::size_t ColumnTransform<T>::result_at() const {
  return method_ == InCache::in_place || plan_.passes.size() % 2 == 0 ? 0 : plan_.buffer_size;
}

template <class T>
void ColumnTransform<T>::load_rows(Lines<const T> source, std::size_t lines, T* work,
                                   const Rows& rows) const {
  column_kernels<T>().load({source, shape_of(source), lines, width_, work}, rows);
}

template <class T>
void ColumnTransform<T>::store_rows(const T* work, Lines<T> target, std::size_t lines,
                                    const Store<T>& factors, const Rows& rows) const {
  column_kernels<T>().store({work, lines, width_, target, shape_of(target), factors}, rows);
}

template <class T>
void ColumnTransform<T>::load_part(Lines<const T> source, std::size_t lines, T* work,
                                   std::size_t first, std::size_t count) const {
  load_rows(source, lines, work, {nullptr, first, plan_.offset_of_element.data() + first, count});
}

/// Tile by tile.
template <class T>
void ColumnTransform<T>::load(Lines<const T> source, std::size_t lines, T* work) const {
  const std::size_t tile = std::min(plan_.size, std::size_t{1} << source.fold);
  for (std::size_t first = 0; first < plan_.size; first += tile) {
    load_part(source, lines, work, first, std::min(tile, plan_.size - first));
  }
}

/// With AVX2, a first pass costs nothing while memory is waited for. Where there are more
/// registers, chunks are exchanged, block by block.
template <class T>
bool ColumnTransform<T>::begins_in_memory(const Lines<const T>& source, std::size_t lines) const {
  constexpr std::size_t kSameSet = 4096;
  if (column_kernels<T>().exchange || lines < width_ || plan_.passes.size() < 2) return false;
  const Shape shape = shape_of(source);
  if (is_by_column(shape)) return !alias(source, plan_.size / plan_.passes.front().radix);
  const bool in_turn = shape == Shape::complex_lines || shape == Shape::exchanged_lines;
  const auto distance = static_cast<std::size_t>(std::abs(source.line)) * sizeof(T);
  return in_turn && sizeof(T) == 8 && source.fold != Lines<T>::kNoFold && distance % kSameSet != 0;
}

template <class T>
std::size_t ColumnTransform<T>::load_and_begin(Lines<const T> source, std::size_t lines,
                                               T* work) const {
  const EdgePass* const edge = begins_in_memory(source, lines)
                                   ? column_kernels<T>().edge_pass(plan_.passes.front().radix)
                                   : nullptr;
  if (!edge) {
    load(source, lines, work);
    return 0;
  }
  first_pass(*edge, source, work, true);
  return 1;
}

template <class T>
void ColumnTransform<T>::store(const T* work, Lines<T> target, std::size_t lines,
                               const Store<T>& factors) const {
  store_rows(work + result_at(), target, lines, factors,
             {nullptr, 0, plan_.offset_of_row.data(), plan_.size});
}

template <class T>
void ColumnTransform<T>::filter(const T* work, const T* factors, T* to) const {
  column_kernels<T>().filter({work + result_at(), plan_.offset_of_row.data(), factors, to,
                              plan_.offset_of_element.data(), plan_.size, width_});
}

/// The passes of a group, in the order of the plan.
template <class T>
typename ColumnTransform<T>::GroupPasses ColumnTransform<T>::group_passes(
    T* work, const RowGroup& group) const {
  GroupPasses passes;
  for (std::size_t i = 0; i < group.passes; ++i) {
    const std::size_t p = group.first_pass + i;
    passes[i] = {block_pass(plan_, group, p, width_, work), pass_kernel(p)};
  }
  return passes;
}

template <class T>
std::size_t ColumnTransform<T>::longer_loop(std::size_t p) const {
  const ColumnPass<T>& pass = plan_.passes[p];
  return std::max(pass.length, plan_.size / (pass.length * pass.radix));
}

/// Stockham's pass `p`: row k·left·radix + q·left + c, where `left` transforms of `length` elements
/// remain to be combined for each c, becomes row (k + p·length)·left + c. Only a part of it,
/// [begin, end) of the longer one of the loops over k and c.
template <class T>
PassJob<T> ColumnTransform<T>::stockham_pass(T* work, std::size_t p, std::size_t begin,
                                             std::size_t end) const {
  const ColumnPass<T>& pass = plan_.passes[p];
  const std::size_t row = 2 * width_, left = plan_.size / (pass.length * pass.radix);
  const bool by_twiddle = pass.length > left;
  PassJob<T> job;
  job.from = work + p % 2 * plan_.buffer_size;
  job.to = work + (1 - p % 2) * plan_.buffer_size;
  job.from_step = left * row;
  job.to_step = pass.length * left * row;
  job.from_group = left * pass.radix * row;
  job.to_group = left * row;
  job.from_next = job.to_next = row;
  job.groups = by_twiddle ? end - begin : pass.length;
  job.count = by_twiddle ? left : end - begin;
  job.from += begin * (by_twiddle ? job.from_group : job.from_next);
  job.to += begin * (by_twiddle ? job.to_group : job.to_next);
  job.width = width_;
  job.radix = pass.radix;
  job.twiddles = pass.twiddles_at(by_twiddle ? begin : 0);
  job.roots = pass.roots.data();
  return job;
}

template <class T>
typename ColumnTransform<T>::Kernel ColumnTransform<T>::pass_kernel(std::size_t p) const {
  const auto& kernels = column_kernels<T>().pass(plan_.passes[p].radix);
  const bool twiddled = plan_.passes[p].length > 1;
  if (method_ == InCache::in_place) return twiddled ? kernels.twiddled : kernels.plain;
  return twiddled ? kernels.twiddled_elsewhere : kernels.plain_elsewhere;
}

template <class T>
std::size_t ColumnTransform<T>::pieces() const {
  return kParts * (method_ == InCache::in_place ? plan_.groups.size() : plan_.passes.size());
}

template <class T>
void ColumnTransform<T>::compute_piece(T* work, std::size_t piece) const {
  const std::size_t stage = piece / kParts, part = piece % kParts;
  if (method_ == InCache::stockham) {
    const std::size_t count = longer_loop(stage);
    pass_kernel(stage)(
        stockham_pass(work, stage, part_begin(count, part), part_begin(count, part + 1)));
    return;
  }
  const std::size_t blocks = plan_.groups[stage].blocks.size();
  compute_blocks(work, plan_.groups[stage], 0,
                 {part_begin(blocks, part), part_begin(blocks, part + 1)});
}

/// The passes of a group but for `done` of them.
template <class T>
void ColumnTransform<T>::compute_blocks(T* work, const RowGroup& group, std::size_t done,
                                        Range blocks) const {
  if (blocks.empty()) return;
  const GroupPasses passes = group_passes(work, group);
  for (std::size_t b = blocks.begin; b < blocks.end; ++b) {
    for (std::size_t i = done; i < group.passes; ++i) {
      passes[i].run(at_block(passes[i].job, group, b));
    }
  }
}

template <class T>
void ColumnTransform<T>::compute_from(std::size_t pass, T* work) const {
  if (method_ == InCache::stockham) {
    for (std::size_t i = pass * kParts; i < pieces(); ++i) compute_piece(work, i);
    return;
  }
  for (const RowGroup& group : plan_.groups) {
    const std::size_t done = std::max(pass, group.first_pass) - group.first_pass;
    if (done < group.passes) compute_blocks(work, group, done, {0, group.blocks.size()});
  }
}

template <class T>
bool ColumnTransform<T>::can_exchange(const ExchangeJob<T>& job) const {
  const Shape in = job.in.shape, out = job.out.shape;
  const bool comes_in_turn = in == Shape::complex_columns || in == Shape::exchanged_columns ||
                             in == Shape::complex_lines || in == Shape::exchanged_lines;
  const bool goes_in_turn = out == Shape::complex_columns || out == Shape::exchanged_columns;
  return column_kernels<T>().exchange && method_ == InCache::in_place && plan_.size > 1 &&
         comes_in_turn && goes_in_turn && job.in.lines == width_ && job.out.lines == width_;
}

/// The kernel that has a last pass in it, or null.
template <class T>
const typename ColumnTransform<T>::EdgePass* ColumnTransform<T>::exchanging_pass(
    const ExchangeJob<T>& job) const {
  const std::size_t radix = plan_.passes.back().radix;
  const Lines<T>& to = job.out.target;
  if (job.out.factors.high || plan_.passes.size() < 2) return nullptr;
  if (to.fold != Lines<T>::kNoFold && (plan_.size / radix) % (std::size_t{1} << to.fold) != 0) {
    return nullptr;
  }
  return column_kernels<T>().edge_pass(radix);
}

/// Block by block of the last group, whose rows hold neighbouring elements when lines are loaded,
/// since digits are reversed; in the order of these elements.
template <class T>
std::size_t ColumnTransform<T>::compute_and_exchange(std::size_t pass, T* work, Lines<T> target,
                                                     std::size_t lines, const Store<T>& factors,
                                                     const Incoming& next) const {
  ExchangeJob<T> job;
  job.out = {work, lines, width_, target, shape_of(target), factors};
  job.in = {next.source, shape_of(next.source), next.lines, width_, work};
  if (!can_exchange(job)) {
    compute_from(pass, work);
    store(work, target, lines, factors);
    return load_and_begin(next.source, next.lines, work);
  }
  KINJO_ASSERT(pass == 0);
  for (const RowGroup& group : std::span(plan_.groups).first(plan_.groups.size() - 1)) {
    compute_blocks(work, group, 0, {0, group.blocks.size()});
  }
  job.results = plan_.row_of_element.data();
  job.offsets = plan_.offset_of_element.data();
  job.elements_of_rows = plan_.element_of_row.data();
  job.elements = plan_.size;
  const RowGroup& last = plan_.groups.back();
  const EdgePass* const edge = exchanging_pass(job);
  const std::size_t apart = edge ? last.passes - 1 : last.passes;
  const GroupPasses passes = group_passes(work, last);
  for (std::size_t first = 0; first < plan_.size; first += last.rows) {
    const std::size_t block = plan_.row_of_element[first];
    for (std::size_t i = 0; i < apart; ++i) passes[i].run(at_block(passes[i].job, last, block));
    ask_for(next.table, first / last.rows, plan_.size / last.rows);
    if (edge) {
      edge->exchange(job, passes[apart].job, block);
    } else {
      column_kernels<T>().exchange(job, first, first + last.rows);
    }
  }
  return 0;
}

template <class T>
typename ColumnTransform<T>::Edges ColumnTransform<T>::edges(const Lines<const T>& source,
                                                             const Lines<T>& target,
                                                             std::size_t lines,
                                                             const Store<T>& factors) const {
  Edges edges;
  if (lines < width_ || plan_.passes.size() < 2) return edges;
  const ColumnKernels<T>& kernels = column_kernels<T>();
  if (has_edge_pass(source, plan_.size, lines)) {
    edges.first = kernels.edge_pass(plan_.passes.front().radix);
  }
  if (has_edge_pass(target, plan_.size, lines) && !factors.high) {
    edges.last = kernels.edge_pass(plan_.passes.back().radix);
  }
  return edges;
}

template <class T>
void ColumnTransform<T>::run(Lines<const T> source, Lines<T> target, std::size_t lines, T* work,
                             const Store<T>& factors) const {
  const Run run = {source, target, lines, work, factors, edges(source, target, lines, factors)};
  if (method_ == InCache::stockham || plan_.size == 1) return run_passes(run);
  run_blocks(run);
}

/// All elements, or a first pass of all, in the order of memory; returns how many passes are done.
template <class T>
std::size_t ColumnTransform<T>::begin(const Run& run) const {
  if (!run.edges.first) {
    load(run.source, run.lines, run.work);
    return 0;
  }
  first_pass(*run.edges.first, run.source, run.work, false);
  return 1;
}

/// Of all elements, in the order of memory.
template <class T>
void ColumnTransform<T>::first_pass(const EdgePass& edge, Lines<const T> source, T* work,
                                    bool in_memory) const {
  const PassJob<T> job = method_ == InCache::in_place
                             ? block_pass(plan_, plan_.groups[0], 0, width_, work)
                             : stockham_pass(work, 0, 0, 0);
  const std::size_t rest = plan_.size / job.radix;
  const Rows rows = {nullptr, 0, plan_.offset_of_element.data(), rest};
  edge.first({job, source, rows, 1, rest, in_memory});
}

/// Block by block: columns are loaded just before the first passes of their block, and stored right
/// after its last ones.
template <class T>
void ColumnTransform<T>::run_blocks(const Run& run) const {
  const bool loads_blocks = is_by_column(shape_of(run.source));
  const bool stores_blocks = is_by_column(shape_of(run.target));
  std::size_t done = loads_blocks ? 0 : begin(run);
  for (const RowGroup& group : plan_.groups) {
    const bool last = &group == &plan_.groups.back();
    const std::size_t end = last ? group.passes - 1 : group.passes;
    const GroupPasses passes = group_passes(run.work, group);
    for (std::size_t b = 0; b < group.blocks.size(); ++b) {
      std::size_t first = done;
      if (loads_blocks && group.first_pass == 0) first = begin_block(run, group, passes[0].job, b);
      for (std::size_t i = first; i < end; ++i) {
        passes[i].run(at_block(passes[i].job, group, b));
      }
      if (last) end_block(run, group, passes[group.passes - 1], b);
    }
    done = 0;
  }
  if (!stores_blocks && !run.edges.last) {
    store(run.work, run.target, run.lines, run.factors);
  }
}

/// Loads block b of the first group; returns how many of its passes are done.
template <class T>
std::size_t ColumnTransform<T>::begin_block(const Run& run, const RowGroup& group,
                                            const PassJob<T>& pass, std::size_t b) const {
  const Rows rows = {plan_.element_of_row.data() + b * group.rows, 0, group.offsets.data(),
                     group.rows};
  if (!run.edges.first) {
    load_rows(run.source, run.lines, run.work + group.blocks[b], rows);
    return 0;
  }
  const PassJob<T> job = at_block(pass, group, b);
  run.edges.first->first({job, run.source, rows, job.radix, plan_.size / job.radix});
  return 1;
}

/// The last pass of block b of the last group, and storing it if it holds columns.
template <class T>
void ColumnTransform<T>::end_block(const Run& run, const RowGroup& group, const GroupPass& pass,
                                   std::size_t b) const {
  const PassJob<T> job = at_block(pass.job, group, b);
  if (run.edges.last) {
    run.edges.last->last({job, run.target, b, group.below, plan_.size / job.radix, run.factors});
    return;
  }
  pass.run(job);
  if (!is_by_column(shape_of(run.target))) return;
  store_rows(run.work + group.blocks[b], run.target, run.lines, run.factors,
             {group.elements.data(), b, group.offsets.data(), group.rows});
}

/// Pass by pass, over all rows.
template <class T>
void ColumnTransform<T>::run_passes(const Run& run) const {
  for (std::size_t p = begin(run); p < plan_.passes.size(); ++p) {
    const PassJob<T> job = stockham_pass(run.work, p, 0, longer_loop(p));
    if (p + 1 == plan_.passes.size() && run.edges.last) {
      const std::size_t step = plan_.size / job.radix;
      return run.edges.last->last({job, run.target, 0, 1, step, run.factors});
    }
    pass_kernel(p)(job);
  }
  store(run.work, run.target, run.lines, run.factors);
}

template class ColumnTransform<float>;
template class ColumnTransform<double>;

}  // namespace kinjo::fft::detail
