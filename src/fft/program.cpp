#include "fft/program.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <kinjo/lab.hpp>
#include <kinjo/topology.hpp>

#include "fft/scratch.hpp"

namespace kinjo::fft::detail {

namespace {

/// `f` inside the phase of a step, by the number of the sweep; what comes behind the third counts
/// for that.
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

/// Whether all threads are held to CPUs of one cache domain.
bool share_last_cache(const Mapping& mapping) {
  const Topology& machine = Topology::this_machine();
  const Cpu* const first = machine.find_cpu(mapping[0].cpu);
  return first != nullptr && std::ranges::all_of(mapping, [&](const Place& place) {
           const Cpu* const cpu = machine.find_cpu(place.cpu);
           return cpu != nullptr && cpu->node == first->node &&
                  cpu->cache_rank == first->cache_rank;
         });
}

}  // namespace

std::vector<Loop> loops_around(const Problem& in, const Problem& out, std::size_t axis) {
  std::vector<Loop> loops;
  const auto add = [&](std::size_t count, std::size_t step_in, std::size_t step_out) {
    if (count == 1) return;
    Loop* const last = loops.empty() ? nullptr : &loops.back();
    if (last && last->in * last->count == step_in && last->out * last->count == step_out) {
      last->count *= count;
    } else {
      loops.push_back({count, step_in, step_out});
    }
  };
  const std::size_t behind = in.stride(axis);
  add(behind, 1, 1);
  add(in.size / (behind * in.shape[axis]), behind * in.shape[axis], behind * out.shape[axis]);
  add(in.batch, in.distance, out.distance);
  if (loops.empty()) loops.push_back({});
  return loops;
}

template <class T>
Program<T>::Program(Team* team, const Options& options)
    : team_(team),
      together_(threads() > 1 && share_last_cache(team->mapping())),
      options_(options) {}

template <class T>
Conditions Program<T>::conditions() const {
  Conditions conditions = conditions_here(2 * sizeof(T), threads(), 1);
  conditions.together = together_;
  return conditions;
}

template <class T>
LineOptions Program<T>::line_options(const LineShape& shape, std::size_t number) const {
  LineOptions how;
  how.conditions = conditions();
  how.conditions.lanes = shape.loops.front().count;
  how.conditions.stride = shape.stride;
  how.conditions.direct =
      options_.in_cache == fft::InCache::automatic || options_.in_cache == fft::InCache::direct;
  const bool is_cut = number < options_.cuts.size() && !options_.cuts[number].factors.empty();
  how.cut = is_cut ? &options_.cuts[number] : nullptr;
  how.in_cache =
      options_.in_cache == fft::InCache::stockham ? InCache::stockham : InCache::in_place;
  how.overlap = options_.overlap;
  return how;
}

template <class T>
void Program<T>::add(const LineShape& lines, std::size_t number) {
  lines_.push_back(plan_lines<T>(lines, line_options(lines, number), tables_));
}

template <class T>
void Program<T>::add(std::unique_ptr<Stage<T>> stage) {
  lines_.emplace_back().stages.push_back(std::move(stage));
}

template <class T>
void Program<T>::finish() {
  std::array<std::size_t, 2> work{};
  for (const LinePlan<T>& line : lines_) {
    for (std::size_t k = 0; k < work.size(); ++k) work[k] = std::max(work[k], line.work[k]);
    for (const auto& stage : line.stages) {
      scratch_size_ = std::max(scratch_size_, stage->scratch_size());
    }
  }
  if (work[0] != 0) work_ = std::make_unique<WorkArrays<T>>(team_, work);
  const auto is_single = [](const LinePlan<T>& line) {
    return line.repeats.empty() &&
           std::ranges::all_of(line.stages, [](const auto& stage) { return stage->items() == 1; });
  };
  if (work_ || !std::ranges::all_of(lines_, is_single)) return;
  for (const LinePlan<T>& line : lines_) {
    for (const auto& stage : line.stages) single_.push_back(stage.get());
  }
  for (const Stage<T>* stage : single_) {
    const auto how = stage->one_line();
    if (!how || how->from_out != !line_.empty()) return line_.clear();
    line_.push_back({stage, *how});
    line_scratch_ = std::max(line_scratch_, how->scratch);
  }
}

template <class T>
T* Program<T>::scratch() const {
  return static_cast<T*>(Scratch::mine().reserve(scratch_size_ * sizeof(T)));
}

template <class T>
template <class F>
void Program<T>::for_each_stage(Storage<const T> in, Storage<T> out, T scale, F&& run_stage) const {
  std::optional<typename WorkArrays<T>::Lease> lease;
  if (work_) lease.emplace(*work_);
  for (const LinePlan<T>& line : lines_) {
    const std::size_t turns = count_turns(line.repeats);
    for (std::size_t i = 0; i < turns; ++i) {
      const Turn turn = turn_of(line.repeats, i);
      Frame<T> frame{in.from(turn.in), out.from(turn.out), {}, scale};
      if (lease) frame.work = {(*lease)[0], (*lease)[1]};
      for (const auto& stage : line.stages) run_stage(*stage, frame);
    }
  }
}

template <class T>
Partition Program<T>::share_out(std::size_t items) const {
  return options_.deal == Deal::block ? Partition::block(items, threads())
                                      : Partition::cyclic(items, threads());
}

template <class T>
template <class F>
void Program<T>::run_threads(F&& f) const {
  if (!team_) return f(std::size_t{0});
  team_->run([&](const Place& me) { f(static_cast<std::size_t>(me.thread)); });
}

template <class T>
void Program<T>::run_here(const Stage<T>& stage, const Frame<T>& frame, std::size_t items) const {
  stage.run({0, items}, frame, scratch());
  // What went past the caches comes before all that this thread tells others from now on.
  if (stage.goes_past_caches()) std::atomic_thread_fence(std::memory_order_seq_cst);
}

template <class T>
void Program<T>::run_stage(const Stage<T>& stage, const Frame<T>& frame) const {
  const std::size_t items = stage.items();
  if (!team_ || items == 1) return run_here(stage, frame, items);
  const Partition parts = share_out(items);
  run_threads([&](std::size_t thread) {
    T* const mine = scratch();
    for (std::size_t k = 0; k < parts.pieces(thread); ++k) {
      stage.run(parts.piece(thread, k), frame, mine);
    }
  });
}

template <class T>
void Program<T>::run(const Frame<T>& frame) const {
  // Of a line of a few numbers what follows would be half of the time.
  for (const Stage<T>* stage : single_) run_here(*stage, frame, 1);
  if (!single_.empty()) return;
  for_each_stage(frame.in, frame.out, frame.scale,
                 [&](const Stage<T>& stage, const Frame<T>& turn) { run_stage(stage, turn); });
}

template <class T>
void Program<T>::run_line(const T* in, T* out, bool exchanged, T scale) const {
  T* const memory = line_scratch_ == 0 ? nullptr : scratch();
  for (const LineStage& line : line_) {
    line.stage->run_line(line.how.from_out ? out : in, out, exchanged != line.how.exchanged, scale,
                         memory);
  }
}

/// Round by round: all threads load an item each, then all compute, then all store, so that each
/// step is a phase of the whole program.
template <class T>
void Program<T>::profile_stage(const Stage<T>& stage, const Frame<T>& frame,
                               Profile& profile) const {
  const std::size_t number = profile.sweeps.size();
  std::vector<std::string> names = stage.sweeps();
  std::vector<std::vector<SweepProfile>> found(threads(), std::vector<SweepProfile>(names.size()));
  const std::size_t items = stage.items();
  const Partition parts = share_out(items);
  for (std::size_t round = 0; round < parts.count(0); ++round) {
    for (const StepKind kind : {StepKind::load, StepKind::compute, StepKind::store}) {
      in_phase(number, kind, [&] {
        run_threads([&](std::size_t thread) {
          if (round >= parts.count(thread)) return;
          const std::size_t item = options_.deal == Deal::block
                                       ? parts.piece(thread, 0).begin + round
                                       : parts.piece(thread, round).begin;
          stage.step(kind, item, frame, scratch(), found[thread]);
        });
      });
    }
  }
  for (std::size_t s = 0; s < names.size(); ++s) {
    Profile::Sweep sweep{std::move(names[s]), {}};
    for (const auto& of_thread : found) sweep.threads.push_back(of_thread[s]);
    profile.sweeps.push_back(std::move(sweep));
  }
}

template <class T>
Profile Program<T>::profile(Storage<const T> in, Storage<T> out, T scale) const {
  Profile profile;
  for_each_stage(in, out, scale, [&](const Stage<T>& stage, const Frame<T>& frame) {
    profile_stage(stage, frame, profile);
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
