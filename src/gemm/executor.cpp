/// The interpreter of plans. Each task walks down the same list of loops with ranges of its own:
///
///   - a block loop (N, M, S) or C narrows its range part by part, and copies an operand into
///     strips if it is the innermost loop that the copy depends on;
///   - P narrows the range to the task's part, once; a task that has done the blocks of its part
///     takes over those of others (gemm/dealing.hpp);
///   - V hands what is left to the kernels, which go over the tiles.
///
/// Inside, C is column-major: for a row-major C the product is transposed, Cᵀ = BᵀAᵀ. *Rows* are
/// then those along which C is contiguous, operand 0 is the vector side and 1 the broadcast side
/// (gemm/kernels.hpp). A range that has been copied is cut only between strips, so that the parts
/// of a copy that two tasks use are whole strips of it.
#include "gemm/executor.hpp"

#include <algorithm>
#include <deque>

#include "base/contract.hpp"
#include "gemm/blocking.hpp"
#include "gemm/dealing.hpp"
#include "gemm/kernels.hpp"
#include "gemm/sharing.hpp"
#include "gemm/workspace.hpp"

namespace kinjo::gemm {

namespace {

using detail::GemmKernels;
using detail::Strips;

/// rows and columns are also the numbers of the operands that run along them.
enum Axis : std::size_t { rows, columns, inner };
constexpr std::size_t kNever = static_cast<std::size_t>(-1);

/// One loop over an axis instead of a dimension.
struct Step {
  Level level;
  Axis axis;
  std::size_t block;
  bool copies[2];
  bool deals = false;  ///< P: blocks of one task's part may be done by another
};

/// An operand: element (i, p) at data[i·step + p·inner_step], i along its axis.
template <class T>
struct Side {
  const T* data;
  std::size_t step, inner_step;
  Strips strips;
  const char* name;                ///< of its copies' region in the laboratory
  std::size_t copied_at = kNever;  ///< the loop
  Level level = Level::section;    ///< of its block loop, if there is one
  std::size_t most = 0;            ///< elements of a copy
};

/// What all tasks share.
template <class T>
struct Nest {
  const GemmKernels<T>* kernels;
  Side<T> sides[2];
  T alpha, beta;
  T* c;
  std::size_t ldc;
  Range whole[3];
  Step steps[Plan::kMostLoops];
  std::size_t count = 0;
  detail::Resident resident;
  Sharing sharing[2];
  std::deque<Parts> parts;  ///< by task, if any loop deals
};

/// Where one task is: the ranges that are left, and the copies that hold them.
template <class T>
struct Cursor {
  Range range[3];
  struct {
    const T* data = nullptr;
    Range range;  ///< what of the axis it holds
  } copy[2];
};

/// Share `index` of `count` of a range that is copied, in whole strips, and not dividing the last
/// two of them, whose widths depend on each other.
Range share_of_copy(Range range, const Strips& strips, std::size_t count, std::size_t index) {
  const std::size_t number = strips.count(range.size());
  const auto begin = [&](std::size_t i) {
    std::size_t strip = i * (number / count) + std::min(i, number % count);
    const bool halved = range.size() % strips.whole != 0 && number > 1;
    if (halved && strip + 1 == number) ++strip;
    return range.begin + strips.begin(strip, range.size());
  };
  return {begin(index), begin(index + 1)};
}

template <class T>
class Task {
 public:
  Task(Nest<T>& nest, std::size_t number, int node) : nest_(nest), number_(number), node_(node) {}

  void run() {
    Cursor<T> cursor{{nest_.whole[rows], nest_.whole[columns], nest_.whole[inner]}, {}};
    descend(0, cursor, tasks());
  }

 private:
  std::size_t tasks() const {
    std::size_t tasks = 1;
    for (std::size_t i = 0; i < nest_.count; ++i) {
      if (nest_.steps[i].level == Level::parallel) tasks *= nest_.steps[i].block;
    }
    return tasks;
  }

  /// The loops from `at` on; `together` tasks have come here with the same ranges.
  void descend(std::size_t at, const Cursor<T>& cursor, std::size_t together) {
    const Step& step = nest_.steps[at];
    if (at == nest_.count) return tiles(cursor);
    if (step.deals) return deal(at, cursor);
    if (step.level == Level::parallel) {
      const std::size_t inside = together / step.block;
      Cursor<T> mine = cursor;
      Range& range = mine.range[step.axis];
      range = share_of_task(at, range, number_ / inside % step.block);
      if (!range.empty()) descend(at + 1, mine, inside);
      return;
    }
    const std::size_t parts = blocks(step, cursor.range[step.axis]);
    for (std::size_t i = 0; i < parts; ++i) block(at, cursor, i, together);
  }

  /// What task `index` of the P at `at` does of a range. Before it is copied a strip may be
  /// divided: 2048 floats are 42 strips and two thirds, of which one of two tasks would have 22.
  Range share_of_task(std::size_t at, Range range, std::size_t index) const {
    const Step& step = nest_.steps[at];
    const Side<T>& side = nest_.sides[step.axis];
    return side.copied_at < at ? share_of_copy(range, side.strips, step.block, index)
                               : even_share(range, side.strips.unit, step.block, index);
  }

  std::size_t strip(const Step& step) const {
    return step.axis == inner ? 1 : nest_.sides[step.axis].strips.whole;
  }
  std::size_t blocks(const Step& step, Range range) const {
    return even_parts(range.size(), step.block, strip(step));
  }

  /// Block `index` of the cursor's range in the loop at `at`.
  void block(std::size_t at, const Cursor<T>& cursor, std::size_t index, std::size_t together) {
    const Step& step = nest_.steps[at];
    Cursor<T> part = cursor;
    part.range[step.axis] = even_part(cursor.range[step.axis], step.block, strip(step), index);
    for (const Axis side : {rows, columns}) {
      if (step.copies[side]) copy(side, part);
    }
    descend(at + 1, part, together);
  }

  /// The loop P at `at` and the loop over blocks in it: this task's blocks, then others'.
  void deal(std::size_t at, const Cursor<T>& cursor) {
    const Step &step = nest_.steps[at], &inside = nest_.steps[at + 1];
    ++round_;
    for (std::size_t i = 0; i < step.block; ++i) {
      const std::size_t owner = (number_ + i) % step.block;
      Cursor<T> its = cursor;
      Range& range = its.range[step.axis];
      range = share_of_task(at, range, owner);
      const std::size_t count = blocks(inside, range);
      while (const auto part = nest_.parts[owner].take(round_, count)) {
        block(at + 1, its, *part, 1);
      }
    }
  }

  /// Copies the cursor's part of an operand into strips, together with those who need it too.
  void copy(Axis side, Cursor<T>& cursor) {
    const Side<T>& operand = nest_.sides[side];
    const Range range = cursor.range[side], depth = cursor.range[inner];
    const Share alone;
    const Share& share = nest_.sharing[side].empty() ? alone : nest_.sharing[side].of(number_);
    if (share.rank == 0 && !buffer_[side]) {
      buffer_[side] = static_cast<T*>(Workspace::mine().reserve(
          side, operand.most * sizeof(T), node_, operand.name, share.count > 1));
      if (share.buffer) *share.buffer = buffer_[side];
    }
    if (share.barrier) share.barrier->arrive_and_wait();  // nobody uses the copy before it
    T* const to = share.buffer ? static_cast<T*>(*share.buffer) : buffer_[side];
    const Range mine = share_of_copy(range, operand.strips, share.count, share.rank);
    if (!mine.empty()) {
      const detail::PackJob<T> job{
          operand.data + mine.begin * operand.step + depth.begin * operand.inner_step,
          operand.step,
          operand.inner_step,
          mine.size(),
          depth.size(),
          to + (mine.begin - range.begin) * depth.size()};
      (side == rows ? nest_.kernels->pack_rows : nest_.kernels->pack_columns)(job);
    }
    if (share.barrier) share.barrier->arrive_and_wait();  // it is complete
    cursor.copy[side] = {to, range};
  }

  void tiles(const Cursor<T>& at) const {
    const Range r = at.range[rows], c = at.range[columns], p = at.range[inner];
    const auto &x = nest_.sides[rows], &y = nest_.sides[columns];
    const auto &x_copy = at.copy[rows], &y_copy = at.copy[columns];
    detail::TileJob<T> job;
    job.x = x_copy.data ? x_copy.data + (r.begin - x_copy.range.begin) * p.size()
                        : x.data + r.begin * x.step + p.begin * x.inner_step;
    job.x_step = x_copy.data ? 0 : x.inner_step;
    job.y = y_copy.data ? y_copy.data + (c.begin - y_copy.range.begin) * p.size()
                        : y.data + c.begin * y.step + p.begin * y.inner_step;
    job.y_step = y_copy.data ? 0 : y.inner_step;
    job.y_column = y.step;
    job.rows = r.size();
    job.columns = c.size();
    job.inner = p.size();
    job.alpha = nest_.alpha;
    job.beta = p.begin == 0 ? nest_.beta : T{1};
    job.c = nest_.c + r.begin + c.begin * nest_.ldc;
    job.ldc = nest_.ldc;
    job.resident = nest_.resident;
    nest_.kernels->multiply(job);
  }

  Nest<T>& nest_;
  const std::size_t number_;
  const int node_;
  T* buffer_[2] = {};
  std::uint32_t round_ = 0;  ///< of dealing
};

template <class T>
Side<T> side_of(View<const T> v, const Strips& strips, const char* name) {
  const bool along_rows = v.order == Order::column_major;  // element (i, p), i a row
  return {v.data, along_rows ? std::size_t{1} : v.ld, along_rows ? v.ld : std::size_t{1}, strips,
          name};
}

/// Where an operand is copied: in its block loop or the loop over the inner dimension, whichever is
/// inside; nowhere without a block loop.
template <class T>
void find_copy(Nest<T>& nest, Axis side) {
  std::size_t block_loop = kNever, inner_loop = 0;
  std::size_t block = nest.whole[side].size(), depth = nest.whole[inner].size();
  for (std::size_t i = 0; i < nest.count; ++i) {
    const Step& step = nest.steps[i];
    if (step.axis == inner) {
      inner_loop = i;
      depth = std::min(depth, step.block);
    } else if (step.axis == side && step.level != Level::parallel) {
      block_loop = i;
      block = std::min(block, step.block);
    }
  }
  if (block_loop == kNever) return;
  Side<T>& operand = nest.sides[side];
  operand.copied_at = std::max(block_loop, inner_loop);
  operand.level = nest.steps[block_loop].level;
  nest.steps[operand.copied_at].copies[side] = true;
  const std::size_t whole = operand.strips.whole;
  operand.most = std::max(block / whole, std::size_t{1}) * whole * depth + whole * depth;
}

template <class T>
void make_nest(Nest<T>& nest, T alpha, View<const T> x, View<const T> y, T beta, View<T> c,
               const Plan& plan, Dimension row_dimension) {
  nest.kernels = &detail::gemm_kernels<T>();
  const bool x_is_a = row_dimension == Dimension::m;
  const char *const x_name = x_is_a ? "copy of A" : "copy of B", *const y_name = x_is_a
                                                                                     ? "copy of B"
                                                                                     : "copy of A";
  nest.sides[rows] = side_of(x, nest.kernels->rows, x_name);
  nest.sides[columns] = side_of(y.transposed(), nest.kernels->columns, y_name);
  nest.alpha = alpha;
  nest.beta = beta;
  nest.c = c.data;
  nest.ldc = c.ld;
  nest.whole[rows] = {0, c.rows};
  nest.whole[columns] = {0, c.columns};
  nest.whole[inner] = {0, x.columns};
  bool has_registers = false;
  for (const Loop& loop : plan.loops()) {
    const Axis axis = loop.dimension == Dimension::k    ? inner
                      : loop.dimension == row_dimension ? rows
                                                        : columns;
    if (loop.level != Level::registers) {
      nest.steps[nest.count++] = {loop.level, axis, loop.block, {}};
    } else if (!has_registers) {
      nest.resident = axis == rows ? detail::Resident::rows : detail::Resident::columns;
      has_registers = true;
    }
  }
  find_copy(nest, rows);
  find_copy(nest, columns);
}

/// Whether the tasks of a P at `at` have just copied the operand beside it together, so that they
/// meet between two rounds of dealing, in the order of which C is added to.
template <class T>
bool meet_before(const Nest<T>& nest, std::size_t at, std::size_t tasks) {
  const Axis other = nest.steps[at].axis == rows ? columns : rows;
  return nest.sides[other].copied_at + 1 == at && nest.sharing[other].of(0).count == tasks;
}

/// Lets the tasks of a P deal if they are all there are and each has blocks along the same axis to
/// do by itself. If P is the outermost loop there is but one round of it, and whoever does a block
/// adds all that there is to its part of C.
template <class T>
void find_dealing(Nest<T>& nest, std::size_t tasks) {
  for (std::size_t at = 0; at + 1 < nest.count; ++at) {
    Step &step = nest.steps[at], &inside = nest.steps[at + 1];
    if (step.level != Level::parallel || step.block != tasks) continue;
    if (inside.level == Level::parallel || inside.axis != step.axis) continue;
    if (at > 0 && !meet_before(nest, at, tasks)) continue;
    step.deals = true;
    nest.parts.resize(tasks);
  }
}

template <class T>
void run_tasks(Team* team, Nest<T>& nest, const Plan& plan) {
  const std::size_t tasks = plan.tasks();
  if (tasks == 1) return Task<T>(nest, 0, -1).run();
  KINJO_ASSERT(team != nullptr && tasks <= team->size());
  const Mapping& mapping = team->mapping();
  for (const Axis side : {rows, columns}) {
    const Side<T>& operand = nest.sides[side];
    if (operand.copied_at == kNever) continue;
    nest.sharing[side] = Sharing(plan, operand.copied_at, operand.level, mapping);
  }
  const bool many_nodes = mapping.nodes().size() > 1;
  if (!many_nodes) find_dealing(nest, tasks);
  team->run([&](const Place& me) {
    const auto number = static_cast<std::size_t>(me.thread);
    if (number >= tasks) return;
    try {
      Task<T>(nest, number, many_nodes ? me.node : -1).run();
    } catch (...) {
      for (Sharing& sharing : nest.sharing) sharing.break_barriers();
      throw;
    }
  });
}

}  // namespace

template <class T>
void execute(Team* team, T alpha, View<const T> a, View<const T> b, T beta, View<T> c,
             const Plan& plan) {
  Nest<T> nest;
  if (c.order == Order::column_major) {
    make_nest(nest, alpha, a, b, beta, c, plan, Dimension::m);
  } else {
    make_nest(nest, alpha, b.transposed(), a.transposed(), beta, c.transposed(), plan,
              Dimension::n);
  }
  run_tasks(team, nest, plan);
}

template void execute(Team*, float, View<const float>, View<const float>, float, View<float>,
                      const Plan&);
template void execute(Team*, double, View<const double>, View<const double>, double, View<double>,
                      const Plan&);

}  // namespace kinjo::gemm
