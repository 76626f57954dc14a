/// Sums over a family of sets, level by level: how many members it has, by size, or their weight.
///
/// Two levels are kept at a time, the states before an item and those after it, each with what is
/// added up over all ways to it (sums.hpp). A state's sum is complete when all states before the
/// item have been expanded, and this is where a level ends. Where states stay (specification.hpp)
/// a level is its own next one, and only half of the decisions are made. Where numbers are all that
/// is asked, items are decided in groups (groups.hpp), with no levels between, and what groups make
/// of states that have come to equal ones before is not found out again (replay.hpp). Levels whose
/// tables are large go by parts (part_sweep.hpp).
///
/// *Numbers* have as many limbs as can be needed. The numbers of a level add up to at most twice
/// those of the level before, so one more bit a level is enough; when this bound asks for another
/// limb the level's true total is taken, which decides.
///
/// *A team*: a state belongs to the thread that its hash says, which alone looks it up and adds to
/// it; but for those that come from parts, which may be several threads' until they have gone to
/// another level. Threads expand their own states in rounds, and what belongs to others goes into a
/// box for each of them, with the row that is to be added, which stays where it is. Boxes are read
/// after a barrier, while their owners fill a second set of boxes for the next round, so one
/// barrier a round is enough. All that a thread writes is its own memory; what it reads of others'
/// are their boxes and their rows of the level before. In place rows that are read are not written:
/// a state that a decision made cannot be decided so once more. Levels of a few states take less
/// than a barrier: the first thread gathers them and goes on alone, until a level is large again.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include <kinjo/error.hpp>
#include <kinjo/team.hpp>

#include "memory/claim.hpp"
#include "memory/own_pages.hpp"
#include "memory/spare_pages.hpp"
#include "paths/group_plan.hpp"
#include "paths/level_shard.hpp"
#include "paths/memory_bound.hpp"
#include "paths/part_sweep.hpp"
#include "paths/replay.hpp"
#include "paths/row_bound.hpp"
#include "paths/sums.hpp"
#include "paths/sweep_options.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class LevelSweep {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  LevelSweep(const S& specification, const SweepOptions& options)
      : plan_(specification, options),
        options_(options),
        memory_(options.memory_limit),
        parts_(plan_.specification(), options, plan_.groups()) {}

  /// Throws `Error` (`out_of_memory`).
  SweepResult run(Team& team) {
    shards_.clear();
    shards_.resize(team.size());
    result_ = {};
    const std::size_t items = plan_.specification().items();
    result_.states.resize(items + 1);
    if (options_.measure == Measure::states) result_.takes.resize(items);
    std::vector<Total> totals(team.size());
    team.run([&](const Place& me) {
      const auto thread = static_cast<std::size_t>(me.thread);
      auto& mine = shards_[thread];
      mine = kinjo::detail::OwnPages<Shard>(1, team.size());
      team.barrier(me);
      Worker(*this, team, me, *mine).run();
      totals[thread] = std::move(mine->total);
      for (std::size_t item = 0; item < mine->takes.size(); ++item) {
        std::atomic_ref(result_.takes[item])
            .fetch_add(mine->takes[item], std::memory_order_relaxed);
      }
      team.barrier(me);  // nobody reads what is others' any more
      mine = {};         // its pages are for this thread's next count
    });
    for (const Total& total : totals) result_.total.add(total);
    return std::move(result_);
  }

 private:
  /// How far the first thread has come alone.
  struct Stretch {
    std::size_t group = 0;  ///< the first that is not done
    RowBound bound;         ///< before it
    bool ended = false;     ///< nothing is left to do
  };

  using Shard = LevelShard<kWords>;

  class Worker;

  GroupPlan<S> plan_;
  const SweepOptions& options_;
  std::vector<kinjo::detail::OwnPages<Shard>> shards_;
  SweepResult result_;
  Stretch stretch_;
  std::atomic<bool> stop_{false};
  MemoryBound memory_;
  PartSweep<S> parts_;
};

/// One thread's part.
template <Specification S>
class LevelSweep<S>::Worker {
 public:
  Worker(LevelSweep& sweep, Team& team, const Place& me, Shard& mine)
      : sweep_(sweep), team_(team), me_(me), mine_(mine), expansion_(spec()) {}

  void run() {
    begin();
    for (std::size_t group = 0;;) {
      if (gathered_ && !stretch_alone(group)) return;
      turn(group);
      if (!say_size(group)) return;
      if (group == groups().size()) break;
      if (goes_by_parts(group)) {
        group = sweep_by_parts(group);
        if (group == groups().size()) return;
        continue;
      }
      if (!sweep(group)) return;
      ++group;
    }
    accept_rest();
  }

 private:
  using States = std::span<const State<kWords>>;
  /// Where the next state of a box goes.
  struct BoxEnd {
    State<kWords>* state;
    std::uint32_t* row;
  };

  /// Rows of a thread that are to be added.
  struct Rows {
    std::size_t sender;
    std::size_t first;  ///< as it would be recorded
    const std::uint64_t* data;
    RowShape shape;
  };

  const S& spec() const { return sweep_.plan_.specification(); }
  const std::vector<Group>& groups() const { return sweep_.plan_.groups(); }
  std::size_t first_item(std::size_t group) const {
    return group < groups().size() ? groups()[group].first : spec().items();
  }
  std::size_t threads() const { return sweep_.shards_.size(); }
  std::size_t own() const { return static_cast<std::size_t>(me_.thread); }
  /// Of states after the item.
  std::size_t owner(const State<kWords>& state) const {
    return gathers_ ? 0 : part_of(state, threads());
  }
  /// What threads own that are not waiting for this one to go on.
  auto awake() const { return std::span(sweep_.shards_).first(alone_ ? 1 : threads()); }
  /// Waits for the others, unless they wait for this one.
  void meet() {
    if (!alone_) team_.barrier(me_);
  }

  void begin() {
    mine_.now.begin(1);
    bound_.shape.measure = sweep_.options_.measure;
    mine_.takes.resize(sweep_.result_.takes.size());
    mine_.sums.begin(bound_.shape);
    const State<kWords> root = spec().root();
    if (own() != 0) return;
    std::uint32_t number = 0;
    mine_.now.find_or_add({&root, 1}, &number);
    mine_.sums.resize(1);
    const std::uint64_t one = bound_.shape.measure == Measure::weight
                                  ? std::bit_cast<std::uint64_t>(1.0)
                                  : std::uint64_t{1};
    const std::uint16_t first = 0;
    mine_.sums.add(0, std::span<const std::uint32_t>(&number, 1), &one, bound_.shape, &first, {});
  }

  /// The first thread sweeps from `group` on while it has all there is and that is little, or has
  /// to stay where it is; the others wait, and go on at the same group. Whether there is anything
  /// left.
  bool stretch_alone(std::size_t& group) {
    Stretch& stretch = sweep_.stretch_;
    if (own() == 0) {
      alone_ = true;
      bool more = true;
      while (group < groups().size()) {
        const std::size_t states = mine_.now.size();
        sweep_.plan_.find_twins(group, states);
        if (!stays(spec(), groups()[group])) {
          sweep_.plan_.find_repeats(group, states);
          if (!is_little(states)) break;
        }
        turn(group);
        more = say_size(group);
        if (!more || goes_by_parts(group)) break;
        more = sweep(group);
        if (!more) break;
        ++group;
      }
      alone_ = false;
      stretch = {group, bound_, !more};
    }
    team_.barrier(me_);
    group = stretch.group;
    bound_ = stretch.bound;
    return !stretch.ended;
  }
  bool is_little(std::size_t states) const { return threads() == 1 || states < kFewStates; }
  static States block_of(States states, std::size_t first) {
    return states.subspan(first, std::min(kBlock, states.size() - first));
  }

  /// Whether there is anything left.
  bool sweep(std::size_t number) {
    if (!begin_or_end_record(number)) return false;
    const Group& group = groups()[number];
    const RowShape shape = shape_after(group);
    expansion_.begin(group);
    effect_ = {};
    if (!sweep_.options_.weights.empty()) effect_.weight = sweep_.options_.weights[group.first];
    if (replays()) replay(shape);
    if (stays(spec(), group)) {
      sweep_in_place(group, shape);
    } else {
      gathers_ = alone_ || (!records() && is_little(2 * states_));
      sweep_to_next(group, shape);
      gathered_ = gathers_;
    }
    if (records()) mine_.replay.leave(mine_.now.size());
    return true;
  }

  /// Whether states are to go on by parts. Those of a survey are counted one by one; and to replay
  /// takes less time than either way.
  bool goes_by_parts(std::size_t group) const {
    if (sweep_.options_.measure == Measure::states || records()) return false;
    if (may_record(group) && !is_crowded()) return false;
    return sweep_.parts_.takes({group, bound_}, states_, memory(), threads());
  }
  typename PartSweep<S>::Memory memory() const { return {sweep_.memory_.where(held_), held_}; }
  /// Sweeps by parts, and says up to which group.
  std::size_t sweep_by_parts(std::size_t group) {
    auto& parts = sweep_.parts_;
    meet();  // nobody reads any more what was said
    if (own() == 0) {
      sweep_.result_.states[first_item(group)] = 0;
      // Nobody asks again before the count leaves parts.
      parts.begin({group, bound_}, states_, sweep_.memory_.known(held_), threads());
    }
    mine_.next = {};
    mine_.next_sums = {};
    for (auto& boxes : mine_.boxes.all()) boxes = {};
    const auto border = parts.run(team_, me_, {mine_.now, mine_.sums, mine_.total}, sweep_.result_,
                                  [&](std::size_t item) {
                                    ask(item);
                                    return !is_stopped();
                                  });
    bound_ = border.bound;
    gathered_ = gathers_ = threads() == 1;
    return border.group;
  }

  bool records() const { return mine_.replay.is_on(); }
  bool replays() const { return mine_.replay.has_rows(); }

  /// Begins to record if that pays, and ends it when it does not. Whether to go on.
  bool begin_or_end_record(std::size_t group) {
    if (pays_to_record(group)) {
      mine_.replay.begin(group, sweep_.plan_.repeats().period,
                         threads() == 1 ? Readers::itself : Readers::all, mine_.now.states());
      may_record_ = false;
    }
    if (!records()) return true;
    mine_.replay.enter(group);
    if (!replays()) {
      if (is_crowded()) mine_.replay.forget();
      return true;
    }
    const bool pays = kLeastKnown * (states_ - swept_) >= states_ && !is_crowded();
    if (!mine_.replay.is_at_start() || pays) return true;
    meet();  // nobody reads any more what was said
    end_replay();
    return say_size(group);
  }
  /// If not even this share of the states was there before, a record does not pay.
  static constexpr std::size_t kLeastKnown = 4;

  /// Whether a period that will be the same again begins at a group or later.
  bool may_record(std::size_t group) const {
    const Repeats& repeats = sweep_.plan_.repeats();
    return may_record_ && repeats.period != 0 && group + 2 * repeats.period <= repeats.end;
  }
  /// Whether a group begins a period that will be the same again, where states have become not so
  /// many more that few of them were there before.
  bool pays_to_record(std::size_t group) const {
    const Repeats& repeats = sweep_.plan_.repeats();
    const std::size_t period = repeats.period;
    if (!may_record(group) || !repeats.begins_at(group) || group < period) return false;
    if (gathered_ && threads() > 1) return false;
    // Of two groups, so that states are shared among threads already if there are several.
    const auto states = [&](std::size_t g) { return sweep_.result_.states[first_item(g)]; };
    const std::uint64_t fewest = std::min<std::uint64_t>(states(group - 1), states_);
    return fewest >= sweep_.options_.least_to_record && !is_crowded() &&
           states_ <= kMostGrowth * states(group - period);
  }
  static constexpr std::size_t kMostGrowth = 8;
  /// Whether so much memory is in use, or there are so many states, that a record should not take
  /// more.
  bool is_crowded() const {
    return memory().is_crowded() || states_ > sweep_.options_.most_to_record;
  }

  /// Where a recorded period begins again, only states that were not there before remain.
  void turn(std::size_t group) {
    if (!mine_.replay.turns_at(group)) return;
    meet();  // nobody reads rows any more
    const bool is_much = mine_.bytes > kMuch;
    if (is_much) {
      mine_.next = {};
      mine_.now.forget_numbers();
    }
    mine_.replay.turn(mine_.now, mine_.sums, mine_.next_sums, own());
    if (group + sweep_.plan_.repeats().period > sweep_.plan_.repeats().end) end_replay();
    if (is_much) give_back();
  }
  /// Bytes that are worth giving back where few states remain; to get pages anew takes time, too.
  static constexpr std::uint64_t kMuch = std::uint64_t{4} << 20;
  void give_back() {
    mine_.now.fit();
    for (Sums* sums : {&mine_.sums, &mine_.next_sums}) sums->fit();
    mine_.replay.fit();
    kinjo::detail::give_back_spare();
  }
  void end_replay() { mine_.replay.end(mine_.now, mine_.sums, mine_.next_sums); }

  void replay(const RowShape& shape) {
    mine_.replay.begin_pass(shape);
    meet();
    mine_.replay.pass(
        [&](std::size_t sender) -> const auto& { return sweep_.shards_[sender]->replay; },
        [&](const std::uint64_t* row, const RowShape& s) { mine_.total.add(row, s, {}); });
    if (own() == 0) ++sweep_.result_.replayed;
  }

  /// Says how many states this thread has, and learns how many all have: whether there are any.
  bool say_size(std::size_t group) {
    mine_.size = mine_.now.size();
    mine_.replayed = replays() ? mine_.replay.rows_before(group) : 0;
    mine_.bytes = bytes();
    if (me_.thread == 0) {
      ask(first_item(group));
      mine_.stops = is_stopped();
    }
    meet();
    held_ = 0;
    states_ = swept_ = most_ = 0;
    for (const auto& shard : awake()) {
      states_ += shard->size + shard->replayed;
      swept_ += shard->size;
      held_ += shard->bytes;
      most_ = std::max(most_, shard->size);
    }
    if (me_.thread == 0) {
      sweep_.result_.states[first_item(group)] = last_states_ = states_;
      sweep_.result_.peak_bytes = std::max(sweep_.result_.peak_bytes, held_);
    }
    return states_ != 0 && !sweep_.shards_[0]->stops;
  }
  bool is_stopped() const { return sweep_.stop_.load(std::memory_order_relaxed); }

  void ask(std::size_t item) {
    if (!sweep_.options_.go_on || is_stopped()) return;
    const bool go_on =
        sweep_.options_.go_on({item, spec().items(), last_states_, sweep_.result_.peak_bytes});
    if (go_on) return;
    sweep_.result_.stopped = true;
    sweep_.stop_.store(true, std::memory_order_relaxed);
  }

  /// What rows after the items need.
  RowShape shape_after(const Group& group) {
    bound_.advance(spec(), group, [&] { return bits_of_level(); });
    return bound_.shape;
  }

  /// Of all numbers before the item together.
  std::size_t bits_of_level() {
    mine_.level_total = mine_.sums.total();
    if (replays()) mine_.level_total += mine_.replay.total();
    meet();
    Count sum;
    for (const auto& shard : awake()) sum += shard->level_total;
    return sum.bits();
  }

  void sweep_in_place(const Group& group, const RowShape& shape) {
    mine_.sums.widen(shape);
    mine_.sums.reserve(mine_.sums.rows() + states_);  // others read rows
    if (records()) mine_.replay.record_stay(mine_.now.size(), own());
    in_rounds(
        group.first,
        [&](std::size_t round, std::size_t first, States block) {
          decide(group.first, Decision::take, first, block);
          deliver(round, first, mine_.now, mine_.sums);
        },
        mine_.now, mine_.sums);
  }

  void sweep_to_next(const Group& group, const RowShape& shape) {
    mine_.sums.widen(shape);
    mine_.next.begin_after(mine_.now);
    mine_.next_sums.begin(shape);
    in_rounds(
        group.first,
        [&](std::size_t round, std::size_t first, States block) {
          if (shape.measure == Measure::sets) {
            expansion_.expand(block, [&](std::size_t i) { accept(first + i); });
            deliver(round, first, mine_.next, mine_.next_sums);
            return;
          }
          for (const Decision decision : {Decision::skip, Decision::take}) {
            decide(group.first, decision, first, block);
            deliver(round, first, mine_.next, mine_.next_sums);
          }
        },
        mine_.next, mine_.next_sums);
    std::swap(mine_.now, mine_.next);
    std::swap(mine_.sums, mine_.next_sums);
  }

  /// Expands all of this thread's states, and takes what others have for it after each round.
  template <class Expand>
  void in_rounds(std::size_t item, Expand&& expand, StateTable<kWords>& table, Sums& sums) {
    const std::size_t size = mine_.size;
    mine_.rows = mine_.sums.row(0);
    mine_.rows_shape = mine_.sums.shape();
    mine_.recorded_rows = records() ? mine_.replay.rows() : 0;
    for (std::size_t round = 0; round * kRound < most_; ++round) {
      if (!alone_) clear_boxes(round);
      if (own() == 0 && round > 0) ask(item);
      // Whoever learns of it early only has less to tell the others.
      const std::size_t end = is_stopped() ? 0 : std::min(size, (round + 1) * kRound);
      for (std::size_t first = std::min(size, round * kRound); first < end; first += kBlock) {
        expand(round, first, block_of(mine_.now.states().first(end), first));
      }
      check_memory(item);
      if (alone_) continue;
      team_.barrier(me_);
      receive(round, table, sums);
    }
  }

  /// Of a round whose boxes the others have read: a barrier has been since. Who goes on alone knows
  /// of none, and leaves them as they are.
  void clear_boxes(std::size_t round) {
    for (std::size_t owner = 0; owner < threads(); ++owner) {
      for (auto& box : mine_.boxes_for(round, owner).by_decision) box.clear();
    }
  }

  void decide(std::size_t item, Decision decision, std::size_t first, States block) {
    effect_.decision = decision;
    std::size_t accepted = 0;
    expansion_.decide(decision, block, [&](std::size_t i) {
      accept(first + i);
      ++accepted;
    });
    if (decision != Decision::take || mine_.takes.empty()) return;
    mine_.takes[item] += expansion_.states().size() + accepted;
  }
  void accept(std::size_t row) {
    mine_.total.add(mine_.sums.row(row), mine_.sums.shape(), effect_);
    if (records()) mine_.replay.accept(row);
  }

  /// Brings what has become of a block that begins with state `first` to whom it belongs.
  void deliver(std::size_t round, std::size_t first, StateTable<kWords>& table, Sums& sums) {
    const States states = expansion_.states();
    const auto from = expansion_.from();
    if (alone_) return add(states, rows_of(mine_, own(), first), from.data(), table, sums);
    send(round, first, states, from.data());
    auto& box = mine_.box(round, own(), effect_.decision);
    add(box.states.all(), rows_of(mine_, own(), 0), box.rows.data(), table, sums);
    box.clear();
  }
  static Rows rows_of(const Shard& shard, std::size_t sender, std::size_t first) {
    return {sender, shard.recorded_rows + first, shard.rows + first * shard.rows_shape.words(),
            shard.rows_shape};
  }

  /// Looks states up, and adds to each the row that it came from.
  template <class Index>
  void add(States states, const Rows& rows, const Index* from, StateTable<kWords>& table,
           Sums& sums) {
    for (std::size_t first = 0; first < states.size(); first += kBlock) {
      const States block = block_of(states, first);
      const std::span<const std::uint32_t> numbers(numbers_.data(), block.size());
      if (records()) {
        const auto new_ones = table.find_or_add_telling(block, numbers_.data(), new_ones_);
        mine_.replay.record(table.size(), numbers, new_ones, rows.sender, rows.first, from + first);
      } else {
        table.find_or_add(block, numbers_.data());
      }
      sums.resize(table.size());
      sums.add(0, numbers, rows.data, rows.shape, from + first, effect_);
    }
  }

  /// Puts states into boxes, each into that of the thread that it belongs to, this one too.
  void send(std::size_t round, std::size_t first, States states, const std::uint16_t* from) {
    ends_.resize(threads());
    for (std::size_t to = 0; to < threads(); ++to) {
      auto& box = mine_.box(round, to, effect_.decision);
      const std::size_t size = box.states.size();
      box.resize(size + states.size());
      ends_[to] = {box.states.data() + size, box.rows.data() + size};
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      BoxEnd& end = ends_[owner(states[i])];
      *end.state++ = states[i];
      *end.row++ = static_cast<std::uint32_t>(first + from[i]);
    }
    for (std::size_t to = 0; to < threads(); ++to) {
      auto& box = mine_.box(round, to, effect_.decision);
      box.resize(static_cast<std::size_t>(ends_[to].state - box.states.data()));
    }
  }

  void receive(std::size_t round, StateTable<kWords>& table, Sums& sums) {
    for (std::size_t sender = 0; sender < threads(); ++sender) {
      if (sender == own()) continue;
      Shard& theirs = *sweep_.shards_[sender];
      for (const Decision decision : {Decision::skip, Decision::take}) {
        effect_.decision = decision;
        auto& box = theirs.box(round, own(), decision);
        if (box.states.size() == 0) continue;  // they may have gone on alone, with other rows
        kinjo::detail::claim(box.states.all());
        kinjo::detail::claim(box.rows.all());
        add(box.states.all(), rows_of(theirs, sender, 0), box.rows.data(), table, sums);
      }
    }
    effect_.decision = Decision::skip;
  }

  /// What is alive after the last item is a member.
  void accept_rest() {
    for (std::size_t i = 0; i < mine_.now.size(); ++i) {
      mine_.total.add(mine_.sums.row(i), mine_.sums.shape(), {});
    }
  }

  std::uint64_t bytes() const {
    std::uint64_t bytes =
        mine_.now.bytes() + mine_.next.bytes() + mine_.sums.bytes() + mine_.next_sums.bytes();
    bytes += mine_.replay.bytes();
    for (const auto& boxes : mine_.boxes.all()) {
      for (const auto& box : boxes.by_decision) bytes += box.bytes();
    }
    return bytes;
  }

  /// By what all held before the item, and what this thread has taken since, as others may have;
  /// where the first one hands on all there is, they take no more than that.
  void check_memory(std::size_t item) const {
    const std::uint64_t now = bytes(), more = now > mine_.bytes ? now - mine_.bytes : 0;
    const std::uint64_t takers = std::min<std::uint64_t>(awake().size(), gathered_ ? 2 : threads());
    const std::uint64_t held = held_ + more * takers, limit = sweep_.memory_.where(held);
    if (held <= limit) return;
    refuse_memory(sweep_.options_, {item, spec().items(), states_, held, limit});
  }

  LevelSweep& sweep_;
  Team& team_;
  const Place& me_;
  Shard& mine_;
  GroupExpansion<S> expansion_;
  std::array<std::uint32_t, kBlock> numbers_;
  NewOnes new_ones_;
  kinjo::detail::GrowingArray<BoxEnd> ends_;  ///< by owner
  Effect effect_;
  RowBound bound_;  ///< before the item
  /// Of all threads, those of them that are not replayed, and of the thread that has most such.
  std::size_t states_ = 0, swept_ = 0, most_ = 0;
  std::uint64_t held_ = 0;  ///< bytes, by all threads
  bool may_record_ = true;
  std::size_t last_states_ = 1;  ///< of all threads, as it was told last
  bool gathered_ = true;         ///< the first thread has all states before the item
  bool gathers_ = true;          ///< and it is to have those after it
  bool alone_ = false;           ///< the others wait
};

}  // namespace kinjo::paths::detail
