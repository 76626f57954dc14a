/// Counting levels that memory does not hold: by parts of all states, on a disk.
///
/// A level is written to a disk by parts (spilled_level.hpp), and each part is swept by one thread
/// over some groups of items, alone, as if it were all there is; what it has become is written as
/// the next level, by parts of that. States that two parts come to become one where that is read.
/// (Korf calls such searches hash-based delayed duplicate detection.) The less often a level is
/// written the more often states are expanded twice, so the parts go on until one has doubled.
///
/// *Memory*: each thread may take an equal share. A part that outgrows it is swept anew in halves,
/// of which each reads the whole part and leaves out the other's states.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <kinjo/team.hpp>

#include "paths/bucket_sweep.hpp"
#include "paths/row_bound.hpp"
#include "paths/spilled_level.hpp"
#include "paths/sweep_options.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class SpilledSweep {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  using Table = StateTable<kWords>;
  /// Where levels leave memory, or come back to it.
  struct Border {
    std::size_t group = 0;  ///< the first that is not done
    RowBound bound;         ///< of the rows before it
  };

  SpilledSweep(const S& specification, const SweepOptions& options,
               const std::vector<Group>& groups)
      : specification_(specification), options_(options), groups_(groups) {}

  /// What a thread has of a level, and of what was accepted before it.
  struct Share {
    Table& states;
    Sums& sums;
    Total& total;
  };
  /// Whether to go on, which the first thread is asked with an item where the sweep is.
  using GoOn = std::function<bool(std::size_t item)>;

  /// Whether `limit` bytes hold so many states with rows of this shape, what a level becomes, and
  /// what threads hand on to each other meanwhile (level_sweep.hpp).
  static bool is_little(std::uint64_t states, const RowShape& shape, std::uint64_t limit,
                        std::size_t threads) {
    const std::uint64_t rounds = std::min<std::uint64_t>(states, threads * kRound),
                        blocks = threads * threads * kBlock;  // one at least in each box
    const std::uint64_t handed_on =
        threads == 1 ? 0 : (2 * (rounds + blocks) << kMostOpen) * (sizeof(State<kWords>) + 4);
    return 4 * static_cast<double>(states) * table_bytes(shape) + static_cast<double>(handed_on) <=
           static_cast<double>(limit);
  }

  /// The first of so many threads says, before all run, that `states` states before a border are to
  /// be swept in at most `limit` bytes.
  void begin(const Border& from, std::uint64_t states, std::uint64_t limit, std::size_t threads);
  /// Sweeps from there on, until a level's states take little of the limit, none is left, or
  /// somebody asks to stop; then each thread has the states of its part. Adds to the first thread's
  /// `result` the states by item, each once for each part that comes to it, and bytes held.
  Border run(Team& team, const Place& me, const Share& share, SweepResult& result,
             const GoOn& go_on);

 private:
  class Worker;

  /// Of a state in a table: itself, its row, and slots for 2.5 to 5.
  static double table_bytes(const RowShape& shape) {
    return sizeof(State<kWords>) + 8 * static_cast<double>(shape.words()) + 15;
  }
  /// Bytes of each thread (`BucketSweep::used_bytes`). It may hold twice as many, and the rest is
  /// for what is written.
  std::uint64_t most_used() const { return std::max<std::uint64_t>(limit_ / threads_ * 2 / 5, 1); }
  std::size_t item(std::size_t group) const {
    return group < groups_.size() ? groups_[group].first : specification_.items();
  }
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// How many parts hold so many bytes, each a third of what a thread may use: while it is swept it
  /// doubles, and there are two levels of it. A multiple of the threads.
  std::uint64_t parts_for(double bytes) const {
    const double third = static_cast<double>(most_used()) / 2;
    const double parts = std::min(bytes / third, static_cast<double>(kMostParts));
    return (static_cast<std::uint64_t>(parts) / threads_ + 1) * threads_;
  }
  static constexpr std::uint64_t kMostParts = std::uint64_t{1} << 16;
  void move_on(SweepResult& result);

  const S& specification_;
  const SweepOptions& options_;
  const std::vector<Group>& groups_;
  std::size_t threads_ = 1;
  std::uint64_t limit_ = 0;

  Border border_, next_border_;  ///< before the level that is read, and that which is written
  std::unique_ptr<SpilledLevel<kWords>> level_, next_level_;
  bool has_next_ = false;  ///< it is known how far all parts go
  bool is_done_ = false;   ///< no further level is to be swept from the disk
  std::atomic<bool> stopped_{false};
  std::mutex telling_;                 ///< what follows
  Count level_total_;                  ///< of the numbers that were written
  std::vector<std::uint64_t> states_;  ///< by group, before it
  std::uint64_t held_ = 0;
};

template <Specification S>
void SpilledSweep<S>::begin(const Border& from, std::uint64_t states, std::uint64_t limit,
                            std::size_t threads) {
  threads_ = threads;
  limit_ = limit;
  border_ = from;
  is_done_ = false;
  states_.resize(groups_.size() + 1);
  const double bytes = static_cast<double>(states) * table_bytes(from.bound.shape);
  level_ = std::make_unique<SpilledLevel<kWords>>(options_.spill);
  next_level_ = std::make_unique<SpilledLevel<kWords>>(options_.spill);
  level_->begin(parts_for(bytes), from.bound.shape);
}

/// Makes the level that was written the one that is read.
template <Specification S>
void SpilledSweep<S>::move_on(SweepResult& result) {
  for (std::size_t group = border_.group; group < groups_.size(); ++group) {
    result.states[item(group)] += std::exchange(states_[group], 0);
  }
  result.peak_bytes = std::max(result.peak_bytes, std::exchange(held_, 0));
  is_done_ = is_stopped();
  if (is_done_) return;
  std::swap(level_, next_level_);
  border_ = next_border_;
  border_.bound.bits = std::exchange(level_total_, {}).bits();
  is_done_ = border_.group == groups_.size() ||
             is_little(level_->records(), border_.bound.shape, limit_, threads_);
}

/// One thread's part.
template <Specification S>
class SpilledSweep<S>::Worker {
 public:
  Worker(SpilledSweep& sweep, std::size_t thread, const GoOn& go_on)
      : sweep_(sweep),
        thread_(thread),
        go_on_(go_on),
        bucket_(sweep.specification_, sweep.options_),
        states_(sweep.groups_.size()) {}

  /// Sweeps a part of the level until it has doubled, which says how far all others go.
  void sweep_first() {
    sweep_.has_next_ = false;
    part_ = 0;
    todo_.assign(1, {0, sweep_.level_->parts()});
    while (!todo_.empty() && !sweep_.has_next_ && !sweep_.is_stopped()) sweep_last_of_todo();
  }
  /// Sweeps the thread's parts; of the first thread also what the first part has left. Which parts
  /// are whose is told before, so that sums of weights are rounded alike each time.
  void sweep_parts() {
    const std::uint64_t parts = sweep_.level_->parts();
    for (part_ = thread_; part_ < parts; part_ += sweep_.threads_) {
      if (part_ != 0) todo_.push_back({part_, parts});
      while (!todo_.empty() && !sweep_.is_stopped()) sweep_last_of_todo();
    }
  }
  /// Adds what was found to what all have.
  void tell(Total& total) {
    total.add(std::exchange(total_, {}));
    const std::lock_guard telling(sweep_.telling_);
    sweep_.held_ += std::exchange(most_held_, 0);
    sweep_.level_total_ += std::exchange(level_total_, {});
    for (std::size_t g = 0; g < states_.size(); ++g) {
      sweep_.states_[g] += std::exchange(states_[g], 0);
    }
  }

 private:
  /// Whether the part that is swept may take what it does.
  bool fits() {
    if (thread_ == 0 && !go_on_(item())) sweep_.stopped_.store(true, std::memory_order_relaxed);
    most_held_ = std::max(most_held_, bucket_.bytes() + scratch_.bytes());
    return !sweep_.is_stopped() && bucket_.used_bytes() <= sweep_.most_used();
  }
  /// Where the sweep is, by the parts that are done.
  std::size_t item() const {
    const std::size_t first = sweep_.item(sweep_.border_.group);
    if (!sweep_.has_next_) return first;
    const std::size_t items = sweep_.item(sweep_.next_border_.group) - first;
    return first + items * part_ / sweep_.level_->parts();
  }

  /// Or, if it does not fit, leaves its halves to be done.
  void sweep_last_of_todo() {
    const Part part = todo_.back();
    todo_.pop_back();
    bucket_.begin(expected_, sweep_.level_->shape());
    Border at = sweep_.border_;
    const auto fit = [&] { return fits(); };
    if (sweep_.level_->read(part, bucket_.states(), bucket_.sums(), scratch_, fit) &&
        sweep(part, at)) {
      return finish(part, at);
    }
    if (sweep_.is_stopped()) return;
    if (part.of > kMostHalves) {
      refuse_memory(sweep_.item(at.group), sweep_.specification_.items(),
                    bucket_.size() * sweep_.threads_, bucket_.used_bytes() * sweep_.threads_,
                    sweep_.limit_);
    }
    todo_.push_back({2 * part.index + 1, 2 * part.of});
    todo_.push_back({2 * part.index, 2 * part.of});
  }
  static constexpr std::uint64_t kMostHalves = std::uint64_t{1} << 30;

  /// Sweeps the states that were read, as far as all parts go or, of the first, until they have
  /// doubled. Whether they fit.
  bool sweep(const Part& part, Border& at) {
    const std::size_t before = expected_ = bucket_.size();
    const bool is_first = !sweep_.has_next_;
    const std::size_t end = is_first ? sweep_.groups_.size() : sweep_.next_border_.group;
    while (at.group < end) {
      const Group& group = sweep_.groups_[at.group];
      states_[at.group] += bucket_.size();
      // How many bits all parts' numbers have is not known before all are there.
      const std::size_t bits = at.bound.bits;
      at.bound.advance(sweep_.specification_, group, [&] { return bits; });
      if (!bucket_.sweep(group, at.bound.shape, [&] { return fits(); })) return false;
      ++at.group;
      if (is_first && has_grown(before)) break;
    }
    if (is_first) begin_next_level(part, at);
    return true;
  }
  /// Of few states nothing can be told of the others', which are to go no further then.
  bool has_grown(std::size_t before) const {
    return bucket_.size() > 2 * before || before < kFewest ||
           bucket_.used_bytes() > sweep_.most_used() / 2;
  }
  static constexpr std::size_t kFewest = 64;

  void begin_next_level(const Part& part, const Border& at) {
    const double states = static_cast<double>(bucket_.size());
    const double bytes = states * static_cast<double>(part.of) * table_bytes(at.bound.shape);
    sweep_.next_border_ = at;
    sweep_.next_level_->begin(sweep_.parts_for(bytes), at.bound.shape);
    sweep_.has_next_ = true;
  }

  /// Hands over what has become of a part.
  void finish(const Part& part, const Border& at) {
    const bool is_last = at.group == sweep_.groups_.size();
    if (is_last) bucket_.accept_rest();
    total_.add(bucket_.total());
    if (is_last) return;
    const std::uint64_t source = (part.index << 32) / part.of;  // in the order of their states
    sweep_.next_level_->write(source, bucket_.states(), bucket_.sums(), scratch_);
    level_total_ += bucket_.sums().total();
  }

  SpilledSweep& sweep_;
  std::size_t thread_;
  const GoOn& go_on_;
  BucketSweep<S> bucket_;
  SpillScratch<kWords> scratch_;
  std::size_t expected_ = 0;  ///< states of a part, by the last one
  std::vector<Part> todo_;
  std::uint64_t part_ = 0;             ///< of the level, that is being swept
  std::vector<std::uint64_t> states_;  ///< by group, before it
  Total total_;
  Count level_total_;
  std::uint64_t most_held_ = 0;
};

template <Specification S>
auto SpilledSweep<S>::run(Team& team, const Place& me, const Share& share, SweepResult& result,
                          const GoOn& go_on) -> Border {
  const auto own = static_cast<std::size_t>(me.thread);
  team.barrier(me);
  {
    SpillScratch<kWords> scratch;
    level_->write(own, share.states, share.sums, scratch);
    share.states = {};
    share.sums = {};
  }
  team.barrier(me);
  {
    Worker worker(*this, own, go_on);
    while (!is_done_) {
      if (own == 0) worker.sweep_first();
      team.barrier(me);
      worker.sweep_parts();
      worker.tell(share.total);
      team.barrier(me);
      if (own == 0) move_on(result);
      team.barrier(me);
    }
  }
  share.states.begin(0);
  share.sums.begin(border_.bound.shape);
  if (!is_stopped() && border_.group < groups_.size()) {
    SpillScratch<kWords> scratch;
    level_->read({own, threads_}, share.states, share.sums, scratch, [] { return true; });
  }
  const Border border = border_;
  team.barrier(me);
  if (own == 0) {
    level_.reset();
    next_level_.reset();
  }
  return border;
}

}  // namespace kinjo::paths::detail
