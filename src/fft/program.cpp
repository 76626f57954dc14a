#include "fft/program.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/lab.hpp>

#include "fft/scratch.hpp"

namespace kinjo::fft::detail {

namespace {

/// The loops around the lines of an axis, innermost first, without those of one turn. Axes behind it
/// are one loop, and so are those in front of it and the batch where they can be.
std::vector<Loop> loops_around(const Problem& problem, std::size_t axis) {
  const std::size_t stride = problem.stride(axis), length = problem.shape[axis];
  std::vector<Loop> loops;
  const auto add = [&](std::size_t count, std::size_t distance) {
    if (count == 1) return;
    if (!loops.empty() && loops.back().in * loops.back().count == distance) {
      loops.back().count *= count;
    } else {
      loops.push_back({count, distance, distance});
    }
  };
  add(stride, 1);
  add(problem.size / (stride * length), stride * length);
  add(problem.batch, problem.distance);
  if (loops.empty()) loops.push_back({});
  return loops;
}

/// `f` inside the phase of a step, by the number of the sweep; what comes behind the third counts for
/// that.
template <class F>
void in_phase(std::size_t sweep, StepKind kind, F&& f) {
  const auto step = static_cast<std::size_t>(kind);
  // clang-format off
  switch (3 * std::min<std::size_t>(sweep, 2) + step) {
    case 0: { KINJO_PHASE("load 1"); return f(); }
    case 1: { KINJO_PHASE("compute 1"); return f(); }
    case 2: { KINJO_PHASE("store 1"); return f(); }
    case 3: { KINJO_PHASE("load 2"); return f(); }
    case 4: { KINJO_PHASE("compute 2"); return f(); }
    case 5: { KINJO_PHASE("store 2"); return f(); }
    case 6: { KINJO_PHASE("load 3"); return f(); }
    case 7: { KINJO_PHASE("compute 3"); return f(); }
    default: { KINJO_PHASE("store 3"); return f(); }
  }
  // clang-format on
}

}  // namespace

template <class T>
Program<T>::Program(Team* team, const Problem& problem, const Options& options)
    : team_(team), deal_(options.deal) {
  Where source{Array::in, false};
  for (std::size_t i = problem.axes.size(); i-- > 0;) {
    const std::size_t axis = problem.axes[i];
    LineShape shape;
    shape.n = problem.shape[axis];
    shape.stride = problem.stride(axis);
    shape.loops = loops_around(problem, axis);
    shape.source = source;
    shape.target = source = {Array::out, false};
    shape.scaled = i == 0;
    LineOptions how;
    how.conditions = conditions_here(2 * sizeof(T), threads(), shape.loops.front().count);
    how.cut = options.cut ? &*options.cut : nullptr;
    how.in_cache = options.in_cache == fft::InCache::stockham ? InCache::stockham
                                                              : InCache::in_place;
    lines_.push_back(plan_lines<T>(shape, how, tables_));
  }
  std::array<std::size_t, 2> work{};
  for (const LinePlan<T>& line : lines_) {
    for (std::size_t k = 0; k < work.size(); ++k) work[k] = std::max(work[k], line.work[k]);
    for (const auto& stage : line.stages) {
      scratch_size_ = std::max(scratch_size_, stage->scratch_size());
    }
  }
  if (work[0] != 0) work_ = std::make_unique<WorkArrays<T>>(team, work);
}

template <class T>
T* Program<T>::scratch() const {
  return static_cast<T*>(Scratch::mine().reserve(scratch_size_ * sizeof(T)));
}

template <class T>
template <class F>
void Program<T>::for_each_stage(Storage<const T> in, Storage<T> out, T scale,
                                F&& run_stage) const {
  std::optional<typename WorkArrays<T>::Lease> lease;
  if (work_) lease.emplace(*work_);
  for (const LinePlan<T>& line : lines_) {
    std::size_t turns = 1;
    for (const Loop& loop : line.repeats) turns *= loop.count;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      std::size_t at = 0, rest = turn;
      for (const Loop& loop : line.repeats) {
        at += rest % loop.count * loop.in;
        rest /= loop.count;
      }
      Frame<T> frame{in.from(at), out.from(at), {}, scale};
      if (lease) frame.work = {(*lease)[0], (*lease)[1]};
      for (const auto& stage : line.stages) run_stage(*stage, frame);
    }
  }
}

template <class T>
Partition Program<T>::share_out(std::size_t items) const {
  return deal_ == Deal::block ? Partition::block(items, threads())
                              : Partition::cyclic(items, threads());
}

template <class T>
template <class F>
void Program<T>::run_threads(F&& f) const {
  if (!team_) return f(std::size_t{0});
  team_->run([&](const Place& me) { f(static_cast<std::size_t>(me.thread)); });
}

template <class T>
void Program<T>::run_stage(const Stage<T>& stage, const Frame<T>& frame) const {
  const std::size_t items = stage.items();
  if (!team_ || items == 1) return stage.run({0, items}, frame, scratch());
  const Partition parts = share_out(items);
  run_threads([&](std::size_t thread) {
    T* const mine = scratch();
    for (std::size_t k = 0; k < parts.pieces(thread); ++k) {
      stage.run(parts.piece(thread, k), frame, mine);
    }
  });
}

template <class T>
void Program<T>::run(Storage<const T> in, Storage<T> out, T scale) const {
  for_each_stage(in, out, scale, [&](const Stage<T>& stage, const Frame<T>& frame) {
    run_stage(stage, frame);
  });
}

/// Round by round: all threads load an item each, then all compute, then all store, so that each
/// step is a phase of the whole program.
template <class T>
void Program<T>::profile_stage(const Stage<T>& stage, const Frame<T>& frame, std::size_t number,
                               Profile::Sweep& sweep) const {
  const std::size_t items = stage.items();
  const Partition parts = share_out(items);
  for (std::size_t round = 0; round < parts.count(0); ++round) {
    for (const StepKind kind : {StepKind::load, StepKind::compute, StepKind::store}) {
      in_phase(number, kind, [&] {
        run_threads([&](std::size_t thread) {
          if (round >= parts.count(thread)) return;
          const std::size_t item = deal_ == Deal::block ? parts.piece(thread, 0).begin + round
                                                        : parts.piece(thread, round).begin;
          stage.step(kind, item, frame, scratch(), sweep.threads[thread]);
        });
      });
    }
  }
}

template <class T>
Profile Program<T>::profile(Storage<const T> in, Storage<T> out, T scale) const {
  Profile profile;
  std::size_t number = 0;
  for_each_stage(in, out, scale, [&](const Stage<T>& stage, const Frame<T>& frame) {
    Profile::Sweep sweep;
    sweep.name = stage.describe();
    sweep.threads.resize(threads());
    profile_stage(stage, frame, number++, sweep);
    profile.sweeps.push_back(std::move(sweep));
  });
  return profile;
}

template <class T>
std::size_t Program<T>::table_bytes() const {
  std::size_t sum = 0;
  for (const LinePlan<T>& line : lines_) {
    for (const auto& stage : line.stages) sum += stage->table_bytes();
  }
  for (const auto& table : tables_) sum += table->size() * sizeof(T);
  return sum;
}

template <class T>
std::size_t Program<T>::work_bytes() const {
  return (work_ ? work_->bytes() : 0) + threads() * scratch_size_ * sizeof(T);
}

template <class T>
std::string Program<T>::describe() const {
  std::string text;
  for (const LinePlan<T>& line : lines_) {
    for (const auto& stage : line.stages) text += stage->describe();
  }
  return text;
}

template class Program<float>;
template class Program<double>;

}  // namespace kinjo::fft::detail
