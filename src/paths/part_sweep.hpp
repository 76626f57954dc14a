/// Counting large levels: by parts of all states, which wait packed in memory or on a disk, while
/// tables hold one part each.
///
/// A level is written by parts (waiting_level.hpp), and each part is swept by one thread over some
/// groups of items, alone, as if it were all there is; what it has become is written as the next
/// level, by parts of that. So what is looked up is in a core's caches, and of states that wait
/// nothing is kept but themselves and their sums.
///
/// *Which part*: where states keep something over the next groups, such as which of the vertices
/// whose edges come later are visited, that says it. Then no two parts come to the same state, and
/// each goes on for as long as enough is kept. (Zhou and Hansen call such searches structured
/// duplicate detection.) Otherwise a hash of all of the state says it, and states that two parts
/// come to become one where the next level is read (Korf's hash-based delayed duplicate detection).
/// The less often a level is written the more often states are expanded twice then, so the first
/// part goes on until it has doubled, and then all go as far as costs the least by what it was on
/// the way.
///
/// *Memory*: each thread may take an equal share. A part that outgrows it is swept anew in halves,
/// of which each reads the whole part and leaves out the other's states; where even few states
/// outgrow it on the way that the first part could go, all are swept anew up to where these came
/// (if they are on a disk; packed, a part is gone when it has been swept, and the count is
/// refused).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <kinjo/team.hpp>

#include "paths/bucket_sweep.hpp"
#include "paths/part_sizes.hpp"
#include "paths/row_bound.hpp"
#include "paths/sweep_options.hpp"
#include "paths/waiting_level.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class PartSweep {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  using Table = StateTable<kWords>;
  /// Where levels leave memory, or come back to it.
  struct Border {
    std::size_t group = 0;  ///< the first that is not done
    RowBound bound;         ///< of the rows before it
  };

  PartSweep(const S& specification, const SweepOptions& options, const std::vector<Group>& groups)
      : specification_(specification), options_(options), groups_(groups) {}

  /// What a thread has of a level, and of what was accepted before it.
  struct Share {
    Table& states;
    Sums& sums;
    Total& total;
  };
  /// Whether to go on, which the first thread is asked with an item where the sweep is.
  using GoOn = std::function<bool(std::size_t item)>;

  /// Whether tables in `limit` bytes hold so many states with rows of this shape, what a group can
  /// make of them, and what threads hand on to each other meanwhile (level_sweep.hpp).
  static bool is_little(std::uint64_t states, const RowShape& shape, std::uint64_t limit,
                        std::size_t threads) {
    const std::uint64_t rounds = std::min<std::uint64_t>(states, threads * kRound),
                        blocks = threads * threads * kBlock;  // one at least in each box
    const bool is_alone = threads == 1 || states < kFewStates / 2;
    const std::uint64_t handed_on =
        is_alone ? 0 : (2 * (rounds + blocks) << kMostOpen) * (sizeof(State<kWords>) + 4);
    return (1 + (1 << kMostOpen)) * static_cast<double>(states) * table_bytes(shape) +
               static_cast<double>(handed_on) + 2 * kLeastBytes * static_cast<double>(threads) <=
           static_cast<double>(limit);
  }

  /// Bytes that all threads may hold, and that they do.
  struct Memory {
    std::uint64_t limit = 0, held = 0;
    /// Whether so much is in use that what only saves time should not take more.
    bool is_crowded() const { return held > limit / 2; }
  };
  /// Whether so many states before a border are to go by parts, while there is still memory for
  /// another level. Parts that come to the same states would not take less memory than tables, but
  /// on a disk.
  bool takes(const Border& border, std::uint64_t states, const Memory& memory,
             std::size_t threads) const {
    const auto fits = [&](std::uint64_t limit) {
      return is_little(states, border.bound.shape, limit, threads);
    };
    const std::uint64_t limit = memory.limit;
    if (fits(most_in_tables(limit, threads))) return false;
    if (!options_.spill.empty() && !fits(limit)) return true;
    if (limit < kLeastInParts * threads || !keeps_apart(border.group)) return false;
    return options_.measure != Measure::by_size || memory.is_crowded();
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

  /// Where tables are larger, parts that stay apart are swept in less time, but for rows of many
  /// numbers, which it takes longer to pack than to look states up. One thread alone has no part
  /// to wait for, and gains earlier.
  static std::uint64_t most_in_tables(std::uint64_t limit, std::size_t threads) {
    const std::uint64_t each = std::uint64_t{threads == 1 ? 24U : 32U} << 20;
    return std::min<std::uint64_t>(limit, each * threads);
  }
  /// Of less memory not much is left beside what waits.
  static constexpr std::uint64_t kLeastInParts = std::uint64_t{2} << 20;
  bool keeps_apart(std::size_t group) const {
    return group < groups_.size() &&
           kept(specification_, item(group), item(group + 1)).count() >= kFewestKept;
  }
  /// Of a state in a table: itself, its row, and up to five slots.
  static double table_bytes(const RowShape& shape) {
    return sizeof(State<kWords>) + 8 * static_cast<double>(shape.words()) + 20;
  }
  /// Of a table with few states.
  static constexpr double kLeastBytes = 2048;
  static constexpr std::size_t kNoCut = std::numeric_limits<std::size_t>::max();
  /// Bytes of each thread (`BucketSweep::used_bytes`). It may hold twice as many, and the rest is
  /// for what is written.
  std::uint64_t most_used() const { return std::max<std::uint64_t>(share_ * 2 / 5, 1); }
  std::size_t item(std::size_t group) const {
    return group < groups_.size() ? groups_[group].first : specification_.items();
  }
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool is_cut() const { return cut_at_.load(std::memory_order_relaxed) != kNoCut; }
  /// How many parts hold so many bytes. Each has at most half of what a thread may use, so that it
  /// and what it becomes mostly fit: parts come to the same states, so a part has less than is
  /// expected. Nor more than caches hold, as states are looked up all over it; unless there are so
  /// many parts that what each has of another is little to read at a time. A multiple of the
  /// threads.
  std::uint64_t parts_for(double bytes) const {
    std::uint64_t most = std::min(kMostParts, most_used() / kBytesOfPart);
    if (pool_ != nullptr) most = std::min(most, pool_->limit() / threads_ / (8 * pool_->room()));
    const double in_cache = std::max(kBytesInCache, std::sqrt(bytes * kBytesAtATime));
    const double of_part = std::min(static_cast<double>(most_used()) / 2, in_cache);
    return (static_cast<std::uint64_t>(std::min(bytes / of_part, static_cast<double>(most))) /
                threads_ +
            1) *
           threads_;
  }
  static constexpr double kBytesInCache = 1 << 20, kBytesAtATime = 16 << 10;
  static constexpr std::uint64_t kMostParts = std::uint64_t{1} << 16;
  /// What is kept of a part while states are sorted, and of what its states have become, with room
  /// for as much besides.
  static constexpr std::uint64_t kBytesOfPart = 256;
  /// Bytes that a thread takes for a part while levels are packed in memory; and from how many for
  /// all on they are, if they can go to a disk.
  static constexpr std::uint64_t kMostShare = std::uint64_t{20} << 20,
                                 kLeastToPack = std::uint64_t{32} << 20;
  /// Of chunks. At the end of each part and thread's states in two levels one is half full.
  static constexpr std::uint64_t kLeastRoom = 1 << 10, kMostRoom = 16 << 10;
  /// As `takes` says, which has parts apart just where the parting keeps something; else the count
  /// would leave and come back.
  bool stays_in_parts() const {
    const std::uint64_t records = level_->records();
    const std::uint64_t limit = parting_.keeps ? most_in_tables(limit_, threads_) : limit_;
    // Twice as many, so that it does not come and go.
    return records != 0 && !is_little(2 * records, border_.bound.shape, limit, threads_);
  }
  void make_levels();
  /// How states before a border are parted.
  struct Parting {
    using Kept = decltype(kept(std::declval<const S&>(), 0, 0));
    /// By what they keep until a group, so that parts stay apart until then; else by all they are.
    std::optional<Kept> keeps;
    std::size_t until = 0;
  };
  Parting parting(std::size_t group, std::uint64_t parts) const;
  /// Vertices that states are parted by: at least; and more than the number of parts has bits, if
  /// they are to stay apart for more than a group.
  static constexpr std::size_t kFewestKept = 5, kMoreKept = 1;
  void write(WaitingLevel<kWords>& level, const Parting& parting, const Writer& writer,
             std::size_t item, const StateTable<kWords>& states, const Sums& sums,
             PartScratch<kWords>& scratch);
  void move_on(SweepResult& result);
  /// States that there is room for where levels cannot go to a disk, by what those take that wait.
  double most_waiting() const {
    if (pool_ == nullptr || !options_.spill.empty()) return std::numeric_limits<double>::max();
    const std::uint64_t record = 1 + pool_->used_bytes() / (level_->records() + 1);
    return 0.9 * static_cast<double>(pool_->limit() / record);  // parts are not alike
  }
  /// Of a level a group or two after the one that is read.
  double most_states() const { return 2 * static_cast<double>(level_->records()); }
  void begin_next_level(std::size_t group, double states);
  RowBound bound_after(std::size_t group) const;

  const S& specification_;
  const SweepOptions& options_;
  const std::vector<Group>& groups_;
  std::size_t threads_ = 1;
  std::uint64_t limit_ = 0;
  std::uint64_t share_ = 0;  ///< bytes that each thread may take for what it sweeps

  std::unique_ptr<ChunkPool> pool_;  ///< of levels in memory
  Parting parting_, next_parting_;
  Border border_, next_border_;  ///< before the level that is read, and that which is written
  std::unique_ptr<WaitingLevel<kWords>> level_, next_level_;
  bool knows_border_ = false;                ///< how far all parts go
  bool is_done_ = false;                     ///< no further level goes by parts
  std::atomic<std::size_t> cut_at_{kNoCut};  ///< groups up to which all parts can go, if not so far
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> swept_{0};  ///< threads that have swept their parts, of all levels
  std::mutex telling_;                   ///< what follows
  Count level_total_;                    ///< of the numbers that were written
  std::vector<std::uint64_t> states_;    ///< by group, before it
  std::uint64_t held_ = 0;
};

template <Specification S>
void PartSweep<S>::begin(const Border& from, std::uint64_t states, std::uint64_t limit,
                         std::size_t threads) {
  threads_ = threads;
  limit_ = limit;
  border_ = from;
  is_done_ = false;
  states_.resize(groups_.size() + 1);
  const double bytes = static_cast<double>(states) * table_bytes(from.bound.shape);
  make_levels();
  level_->begin(parts_for(bytes), from.bound.shape);
  parting_ = parting(from.group, level_->parts());
}

template <Specification S>
void PartSweep<S>::make_levels() {
  const std::uint64_t all = limit_ / threads_;
  // Sums of weights are rounded, so it must not be by chance what comes to a disk.
  const bool by_chance = threads_ > 1 && options_.measure == Measure::weight;
  share_ = all;
  if (options_.spill.empty() || (all >= kLeastToPack && !by_chance)) {
    share_ = std::min(all / 4, kMostShare);
    const std::uint64_t room = std::clamp((all - share_) >> 12, kLeastRoom, kMostRoom);
    const std::size_t widest = bound_after(groups_.size()).shape.words();
    pool_ = std::make_unique<ChunkPool>(
        threads_, std::max<std::size_t>(room, PackedLevel<kWords>::least_room(widest)),
        (all - share_) * threads_);
  }
  for (auto* level : {&level_, &next_level_}) {
    *level = std::make_unique<WaitingLevel<kWords>>(pool_.get(), options_.spill, threads_);
  }
}

/// Or says that there is no room before an item.
template <Specification S>
void PartSweep<S>::write(WaitingLevel<kWords>& level, const Parting& parting, const Writer& writer,
                         std::size_t item, const StateTable<kWords>& states, const Sums& sums,
                         PartScratch<kWords>& scratch) {
  scratch.by_part.sort(states.states(), level.parts(), [&](const State<kWords>& state) {
    return part_of(parting.keeps ? parting.keeps->of(state) : state, level.parts());
  });
  if (level.write(writer, states.states(), sums, scratch)) return;
  const std::uint64_t all = pool_->bytes() + share_ * threads_;  // also for what is swept
  refuse_memory(options_, {item, specification_.items(), level_->records(), all, limit_});
}

/// Of the rows before a later group, by what is known of them at the border.
template <Specification S>
RowBound PartSweep<S>::bound_after(std::size_t group) const {
  RowBound bound = border_.bound;
  for (std::size_t g = border_.group; g < group; ++g) {
    bound.advance(specification_, groups_[g]);
  }
  return bound;
}

/// The level before a group is to be written, where so many states are expected.
template <Specification S>
void PartSweep<S>::begin_next_level(std::size_t group, double states) {
  next_border_ = {group, bound_after(group)};
  next_level_->begin(parts_for(states * table_bytes(next_border_.bound.shape)),
                     next_border_.bound.shape);
  next_parting_ = parting(group, next_level_->parts());
  knows_border_ = true;
}

/// For as long as enough vertices keep what they are.
template <Specification S>
auto PartSweep<S>::parting(std::size_t group, std::uint64_t parts) const -> Parting {
  const std::size_t fewest = kMoreKept + std::bit_width(parts);
  Parting parting{.until = group};
  while (parting.until < groups_.size()) {
    auto kept = detail::kept(specification_, item(group), item(parting.until + 1));
    if (kept.count() < (parting.keeps ? fewest : kFewestKept)) break;
    parting.keeps = kept;
    ++parting.until;
  }
  return parting;
}

/// Makes the level that was written the one that is read; or, if some part could not go so far,
/// begins it anew.
template <Specification S>
void PartSweep<S>::move_on(SweepResult& result) {
  const std::uint64_t waiting = pool_ == nullptr ? 0 : pool_->bytes();
  result.peak_bytes = std::max(result.peak_bytes, std::exchange(held_, 0) + waiting);
  const std::size_t cut = cut_at_.exchange(kNoCut);
  is_done_ = is_stopped();
  if (is_done_) return;
  if (cut != kNoCut) return begin_next_level(cut, most_states());  // which no part has to choose
  for (std::size_t group = border_.group; group <= groups_.size(); ++group) {
    result.states[item(group)] += std::exchange(states_[group], 0);
  }
  std::swap(level_, next_level_);
  parting_ = next_parting_;
  level_->finish();
  knows_border_ = false;
  border_ = next_border_;
  border_.bound.bits = std::exchange(level_total_, {}).bits();
  is_done_ = border_.group == groups_.size() || !stays_in_parts();
}

/// One thread's part.
template <Specification S>
class PartSweep<S>::Worker {
 public:
  Worker(PartSweep& sweep, std::size_t thread, const GoOn& go_on)
      : sweep_(sweep),
        thread_(thread),
        go_on_(go_on),
        bucket_(sweep.specification_, sweep.options_),
        states_(sweep.groups_.size() + 1) {
    scratch_.read_bytes = std::min(scratch_.read_bytes, sweep.most_used() / 16);
  }

  /// If nobody knows yet how far all parts go, sweeps one until it has doubled, which says so.
  void sweep_first() {
    part_ = 0;
    if (sweep_.knows_border_) return;
    has_begun_ = true;
    todo_.assign(1, {0, sweep_.level_->parts()});
    while (!todo_.empty() && !sweep_.knows_border_ && !sweep_.is_stopped()) sweep_last_of_todo();
  }
  /// Sweeps the thread's parts; of the first thread also what the first part has left. Which parts
  /// are whose is told before, so that sums of weights are rounded alike each time.
  void sweep_parts() {
    const std::uint64_t parts = sweep_.level_->parts();
    for (part_ = thread_; part_ < parts && !has_ended(); part_ += sweep_.threads_) {
      // What is left of the first part is to do already.
      if (part_ != 0 || !has_begun_) todo_.push_back({part_, parts});
      while (!todo_.empty() && !has_ended()) sweep_last_of_todo();
      if (!has_ended()) sweep_.level_->drop(part_);
    }
    has_begun_ = false;
    todo_.clear();
    sizes_.forget();
  }
  /// Goes on to ask while others sweep.
  void wait_for_others() {
    sweep_.swept_.fetch_add(1);
    if (thread_ != 0) return;
    for (int turn = 0; sweep_.swept_.load() % sweep_.threads_ != 0; ++turn) {
      ask();
      if (turn < kShortTurns) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  static constexpr int kShortTurns = 1000;
  /// Adds what was found to what all have, unless it has to be found anew.
  void tell(Total& total) {
    const std::lock_guard telling(sweep_.telling_);
    sweep_.held_ += std::exchange(most_held_, 0);
    if (!sweep_.is_cut()) {
      total.add(total_);
      sweep_.level_total_ += level_total_;
      for (std::size_t g = 0; g < states_.size(); ++g) sweep_.states_[g] += states_[g];
    }
    total_ = {};
    level_total_ = {};
    std::ranges::fill(states_, 0);
  }

 private:
  bool has_ended() const { return sweep_.is_stopped() || sweep_.is_cut(); }
  /// Whether the part that is swept may take what it does.
  bool fits() {
    ask();
    const std::uint64_t held = bucket_.bytes() + scratch_.bytes();
    most_held_ = std::max(most_held_, held);
    return !has_ended() && bucket_.used_bytes() <= sweep_.most_used() &&
           held <= std::max(sweep_.share_, kLeastShare);
  }
  static constexpr std::uint64_t kLeastShare = 256 << 10;  ///< of less, arrays' pages are most
  void ask() {
    if (thread_ == 0 && !go_on_(item())) sweep_.stopped_.store(true, std::memory_order_relaxed);
  }
  /// Where the sweep is, by the parts that are done.
  std::size_t item() const {
    const std::size_t first = sweep_.item(sweep_.border_.group);
    if (!sweep_.knows_border_) return first;
    const std::size_t items = sweep_.item(sweep_.next_border_.group) - first;
    return first + items * std::min(part_, sweep_.level_->parts()) / sweep_.level_->parts();
  }

  /// Or, if it does not fit, leaves its halves to be done; or the whole again, if it is the first
  /// and has gone farther than all parts are to go.
  void sweep_last_of_todo() {
    const Part part = todo_.back();
    todo_.pop_back();
    sizes_.begin(part.of);
    if (bucket_.bytes() > sweep_.share_ / 2) bucket_.give_back();  // it counts for the next part
    bucket_.begin(expected_before(sweep_.border_.group), sweep_.level_->shape(), between());
    const auto fit = [&] { return fits(); };
    if (sweep_.level_->read(part, bucket_.states(), bucket_.sums(), scratch_, fit) && sweep()) {
      const std::size_t reached = sweep_.border_.group + sizes_.groups();
      if (!sweep_.knows_border_) choose_next_border(part);
      if (sweep_.next_border_.group == reached) return finish(part);
      sizes_.keep();
      todo_.push_back(part);
    } else if (!has_ended()) {
      halve(part);
    }
  }
  /// Or, if there are not many states, says that all parts are to go less far.
  void halve(const Part& part) {
    const std::size_t reach = sweep_.border_.group + sizes_.groups();
    if (sizes_.groups() > 0 && sizes_.states().front() <= kFewest) return cut(reach);
    if (part.of > kMostHalves) refuse(reach);
    todo_.push_back({2 * part.index + 1, 2 * part.of});
    todo_.push_back({2 * part.index, 2 * part.of});
  }
  [[noreturn]] void refuse(std::size_t group) const {
    refuse_part({sweep_.item(group), sweep_.specification_.items(), bucket_.size(),
                 bucket_.used_bytes(), sweep_.most_used(), sweep_.limit_});
  }
  static constexpr std::uint64_t kMostHalves = std::uint64_t{1} << 30;
  /// Of fewer states nothing can be told of others.
  static constexpr std::size_t kFewest = 64;

  void cut(std::size_t group) {
    if (sweep_.pool_ != nullptr) refuse(group);
    std::size_t at = sweep_.cut_at_.load();
    while (group < at && !sweep_.cut_at_.compare_exchange_weak(at, group)) continue;
  }

  /// Sweeps the states that were read, as far as all parts go or, of the first, until they have
  /// doubled. Whether they fit.
  bool sweep() {
    const bool is_first = !sweep_.knows_border_;
    const std::size_t before = bucket_.size();
    const Parting& parting = sweep_.parting_;
    const std::size_t furthest = parting.keeps ? parting.until : sweep_.groups_.size();
    const std::size_t end = is_first ? furthest : sweep_.next_border_.group;
    RowBound bound = sweep_.border_.bound;
    std::size_t group = sweep_.border_.group;
    while (group < end) {
      sizes_.add(bucket_.size());
      bound.advance(sweep_.specification_, sweep_.groups_[group]);
      const auto fit = [&] { return fits(); };
      const std::size_t expected = expected_before(group + 1);
      if (!bucket_.sweep(sweep_.groups_[group], expected, bound.shape, fit)) return false;
      ++group;
      if (is_first && is_enough(before)) break;
    }
    sizes_.add(bucket_.size());
    return true;
  }
  /// States that are expanded before it is asked whether the part fits: what a sixteenth of what
  /// the thread may use holds, as rows may be long.
  std::size_t between() const {
    const double bytes = static_cast<double>(sweep_.most_used()) / 16;
    return static_cast<std::size_t>(bytes / table_bytes(sweep_.level_->shape()));
  }
  /// States of the table that begins before a group: more come while they stay in it.
  std::size_t expected_before(std::size_t group) const {
    std::size_t later = 0;
    while (group + later < sweep_.groups_.size() &&
           stays(sweep_.specification_, sweep_.groups_[group + later])) {
      ++later;
    }
    return sizes_.expected(later);
  }
  void choose_next_border(const Part& part) {
    const auto states = sizes_.states();
    // Parts that stay apart are not as large as each other.
    const double parts = sweep_.parting_.keeps ? static_cast<double>(sweep_.level_->records()) /
                                                     static_cast<double>(states.front())
                                               : static_cast<double>(part.of);
    const std::size_t on = sizes_.cheapest(sweep_.parting_.keeps ? Parts::apart : Parts::meet,
                                           sweep_.most_waiting() / parts);
    sweep_.begin_next_level(
        sweep_.border_.group + on,
        states.front() < kFewest ? sweep_.most_states() : static_cast<double>(states[on]) * parts);
  }
  bool is_enough(std::size_t before) const {
    const bool is_other =
        before < kFewest || bucket_.size() > 2 * before || bucket_.size() < before / 2;
    return (is_other && !sweep_.parting_.keeps) || bucket_.used_bytes() > sweep_.most_used() / 2;
  }

  /// Hands over what has become of a part.
  void finish(const Part& part) {
    const bool is_last = sweep_.next_border_.group == sweep_.groups_.size();
    // States before the next border are counted where they are one again.
    const auto sizes = sizes_.states().first(sizes_.groups() + (is_last ? 1 : 0));
    for (std::size_t g = 0; g < sizes.size(); ++g) states_[sweep_.border_.group + g] += sizes[g];
    sizes_.keep();
    if (is_last) bucket_.accept_rest();
    total_.add(bucket_.total());
    if (is_last) return;
    const std::uint64_t source = (part.index << 32) / part.of;  // in the order of their states
    const std::size_t item = sweep_.item(sweep_.next_border_.group);
    sweep_.write(*sweep_.next_level_, sweep_.next_parting_, {thread_, source}, item,
                 bucket_.states(), bucket_.sums(), scratch_);
    level_total_ += bucket_.sums().total();
  }

  PartSweep& sweep_;
  std::size_t thread_;
  const GoOn& go_on_;
  BucketSweep<S> bucket_;
  PartScratch<kWords> scratch_;
  std::vector<Part> todo_;
  std::uint64_t part_ = 0;             ///< of the level, that is being swept
  bool has_begun_ = false;             ///< the first part, before the others were
  PartSizes sizes_;                    ///< of the part, as far as it has come
  std::vector<std::uint64_t> states_;  ///< of all parts, by group, before it
  Total total_;
  Count level_total_;
  std::uint64_t most_held_ = 0;
};

template <Specification S>
auto PartSweep<S>::run(Team& team, const Place& me, const Share& share, SweepResult& result,
                       const GoOn& go_on) -> Border {
  const auto own = static_cast<std::size_t>(me.thread);
  team.barrier(me);
  {
    PartScratch<kWords> scratch;
    write(*level_, parting_, {own, own}, item(border_.group), share.states, share.sums, scratch);
    share.states = {};
    share.sums = {};
  }
  team.barrier(me);
  if (own == 0) level_->finish();
  {
    Worker worker(*this, own, go_on);
    while (!is_done_) {
      try {
        if (own == 0) worker.sweep_first();
        team.barrier(me);
        worker.sweep_parts();
        worker.wait_for_others();
      } catch (...) {
        // Nobody needs the rest, and nobody may wait for this thread: it has left all barriers.
        stopped_.store(true, std::memory_order_relaxed);
        swept_.fetch_add(1);
        throw;
      }
      team.barrier(me);
      worker.tell(share.total);
      team.barrier(me);
      if (own == 0) move_on(result);
      team.barrier(me);
    }
  }
  share.states.begin(0);
  share.sums.begin(border_.bound.shape);
  if (!is_stopped() && border_.group < groups_.size()) {
    PartScratch<kWords> scratch;
    const std::uint64_t parts = level_->parts() / threads_;  // of this thread
    for (std::uint64_t part = own * parts; part < (own + 1) * parts; ++part) {
      level_->read({part, level_->parts()}, share.states, share.sums, scratch, [] { return true; });
      level_->drop(part);
    }
  }
  const Border border = border_;
  team.barrier(me);
  if (own == 0) {
    level_.reset();
    next_level_.reset();
    pool_.reset();
  }
  return border;
}

}  // namespace kinjo::paths::detail
