/// Sums over a family of sets, level by level: how many members it has, by size, or their weight.
///
/// Two levels are kept at a time, the states before an item and those after it, each with what is
/// added up over all ways to it (sums.hpp). A state's sum is complete when all states before the
/// item have been expanded, and this is where a level ends. Where states stay (specification.hpp)
/// a level is its own next one, and only half of the decisions are made.
///
/// *Numbers* have as many limbs as can be needed. The numbers of a level add up to at most twice
/// those of the level before, so one more bit a level is enough; when this bound asks for another
/// limb the level's true total is taken, which decides.
///
/// *A team*: a state belongs to the thread that its hash says, which alone looks it up and adds to
/// it. Threads expand their own states in rounds, and what belongs to others goes into a box for
/// each of them. Boxes are read after a barrier, while their owners fill a second set of boxes for
/// the next round, so one barrier a round is enough. All that a thread writes is its own memory;
/// what it reads of others' are their boxes. Levels of a few states take less than a barrier: the
/// first thread gathers them and goes on alone, until a level is large again.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/team.hpp>

#include "memory/own_pages.hpp"
#include "paths/expansion.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// Where a sweep is.
struct SweepProgress {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0;  ///< before this item
  std::uint64_t bytes = 0;   ///< that are held
};

struct SweepOptions {
  Measure measure = Measure::sets;
  std::vector<double> weights;     ///< by item, for `Measure::weight`
  std::uint64_t memory_limit = 0;  ///< bytes; 0: none
  /// Called by the first thread before each item; false ends the sweep.
  std::function<bool(const SweepProgress&)> go_on;
};

struct SweepResult {
  Total total;
  std::vector<std::uint64_t> states;  ///< by item, before it
  std::uint64_t peak_bytes = 0;
  bool stopped = false;  ///< by `go_on`: nothing else holds then
};

/// Levels of fewer states are not shared among threads: one needs some 20 µs for them.
inline constexpr std::size_t kFewStates = std::size_t{1} << 10;

/// Throws what a sweep that outgrows its limit throws.
[[noreturn]] void refuse_memory(std::size_t item, std::size_t items, std::uint64_t states,
                                std::uint64_t bytes, std::uint64_t limit);

template <Specification S>
class LevelSweep {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  LevelSweep(const S& specification, const SweepOptions& options)
      : specification_(specification), options_(options) {}

  /// Throws `Error` (`out_of_memory`).
  SweepResult run(Team& team) {
    shards_.clear();
    shards_.resize(team.size());
    result_ = {};
    KINJO_PHASE("count");
    team.run([&](const Place& me) {
      auto& mine = shards_[static_cast<std::size_t>(me.thread)];
      mine = kinjo::detail::OwnPages<Shard>(1, team.size());
      team.barrier(me);
      Worker(*this, team, me, *mine).run();
    });
    for (const auto& shard : shards_) result_.total.add(shard->total);
    return std::move(result_);
  }

 private:
  /// States that a thread expands between two barriers.
  static constexpr std::size_t kRound = std::size_t{1} << 14;

  /// How far the first thread has come alone.
  struct Stretch {
    std::size_t item = 0;  ///< the first that is not done
    RowShape shape;        ///< of the numbers before it
    std::size_t bits = 0;
    bool ended = false;  ///< nothing is left to do
  };

  /// What goes to another thread.
  struct Box {
    kinjo::detail::GrowingArray<State<kWords>> states;
    kinjo::detail::GrowingArray<std::uint64_t> rows;

    void clear() {
      states.clear();
      rows.clear();
    }
    std::uint64_t bytes() const { return states.bytes() + rows.bytes(); }
  };

  /// What a thread owns, and has made itself.
  struct alignas(128) Shard {
    explicit Shard(std::size_t threads) : boxes(2 * threads) {}

    StateTable<kWords> now, next;
    Sums sums, next_sums;
    Total total;
    kinjo::detail::OwnPages<Box> boxes;  ///< by round's parity and by whom they are for
    // Said before a barrier, for the others to read after it.
    std::size_t size = 0;
    std::uint64_t bytes = 0;
    Count level_total;

    Box& box(std::size_t round, std::size_t owner) {
      return boxes[(round % 2) * (boxes.size() / 2) + owner];
    }
  };

  class Worker;

  const S& specification_;
  const SweepOptions& options_;
  std::vector<kinjo::detail::OwnPages<Shard>> shards_;
  SweepResult result_;
  Stretch stretch_;
  std::atomic<bool> stop_{false};
};

/// One thread's part.
template <Specification S>
class LevelSweep<S>::Worker {
 public:
  Worker(LevelSweep& sweep, Team& team, const Place& me, Shard& mine)
      : sweep_(sweep), team_(team), me_(me), mine_(mine) {}

  void run() {
    begin();
    for (std::size_t item = 0;; ++item) {
      if (gathered_ && !stretch_alone(item)) return;
      if (!say_size(item)) return;
      if (item == spec().items()) break;
      sweep(item);
    }
    accept_rest();
  }

 private:
  const S& spec() const { return sweep_.specification_; }
  std::size_t threads() const { return sweep_.shards_.size(); }
  std::size_t own() const { return static_cast<std::size_t>(me_.thread); }
  /// Of states after the item.
  std::size_t owner(const State<kWords>& state) const {
    return gathers_ ? 0 : (hash(state) & 0xFFFFFFFF) * threads() >> 32;
  }
  /// What threads own that are not waiting for this one to go on.
  auto awake() const { return std::span(sweep_.shards_).first(alone_ ? 1 : threads()); }
  /// Waits for the others, unless they wait for this one.
  void meet() {
    if (!alone_) team_.barrier(me_);
  }

  void begin() {
    mine_.now.begin(1);
    shape_.measure = sweep_.options_.measure;
    mine_.sums.begin(shape_);
    const State<kWords> root = spec().root();
    if (own() != 0) return;
    std::uint32_t number = 0;
    mine_.now.find_or_add({&root, 1}, &number);
    mine_.sums.resize(1);
    const std::uint64_t one =
        shape_.measure == Measure::weight ? std::bit_cast<std::uint64_t>(1.0) : std::uint64_t{1};
    const std::uint16_t first = 0;
    mine_.sums.add({&number, 1}, &one, shape_, &first, {});
  }

  /// The first thread sweeps from `item` on while it has all there is and that is little, or has to
  /// stay where it is; the others wait, and go on at the same item. Whether there is anything left.
  bool stretch_alone(std::size_t& item) {
    Stretch& stretch = sweep_.stretch_;
    if (own() == 0) {
      alone_ = true;
      bool more = true;
      while (item < spec().items() && (is_little(mine_.now.size()) || spec().stays(item))) {
        more = say_size(item);
        if (!more) break;
        sweep(item++);
      }
      alone_ = false;
      stretch = {item, shape_, bits_, !more};
    }
    team_.barrier(me_);
    item = stretch.item;
    shape_ = stretch.shape;
    bits_ = stretch.bits;
    return !stretch.ended;
  }
  bool is_little(std::size_t states) const { return threads() == 1 || states < kFewStates; }

  void sweep(std::size_t item) {
    const RowShape shape = shape_after(item);
    if (spec().stays(item)) return sweep_in_place(item, shape);
    gathers_ = alone_ || is_little(2 * states_);
    sweep_to_next(item, shape);
    gathered_ = gathers_;
  }

  /// Tells the others how many states this thread has, and how many all have is known then.
  /// Whether there is anything to do.
  bool say_size(std::size_t item) {
    mine_.size = mine_.now.size();
    mine_.bytes = bytes();
    if (me_.thread == 0 && sweep_.options_.go_on) ask(item);
    meet();
    std::uint64_t held = 0;
    states_ = most_ = 0;
    for (const auto& shard : awake()) {
      states_ += shard->size;
      held += shard->bytes;
      most_ = std::max(most_, shard->size);
    }
    if (me_.thread == 0) {
      sweep_.result_.states.push_back(states_);
      sweep_.result_.peak_bytes = std::max(sweep_.result_.peak_bytes, held);
    }
    return states_ != 0 && !sweep_.stop_.load(std::memory_order_relaxed);
  }

  void ask(std::size_t item) {
    const auto& states = sweep_.result_.states;
    const bool go_on = sweep_.options_.go_on(
        {item, spec().items(), states.empty() ? 1 : states.back(), sweep_.result_.peak_bytes});
    if (go_on) return;
    sweep_.result_.stopped = true;
    sweep_.stop_.store(true, std::memory_order_relaxed);
  }

  /// What rows after the item need.
  RowShape shape_after(std::size_t item) {
    if (shape_.measure == Measure::by_size) shape_.coefficients = item + 2;
    if (shape_.measure == Measure::sets || shape_.measure == Measure::by_size) {
      if (++bits_ > 64 * shape_.limbs) bits_ = bits_of_level() + 1;
      shape_.limbs = (bits_ + 63) / 64;
    }
    return shape_;
  }

  /// Of all numbers before the item together.
  std::size_t bits_of_level() {
    mine_.level_total = mine_.sums.total();
    meet();
    Count sum;
    for (const auto& shard : awake()) sum += shard->level_total;
    return sum.bits();
  }

  void sweep_in_place(std::size_t item, const RowShape& shape) {
    mine_.sums.widen(shape);
    in_rounds(
        item,
        [&](std::size_t round, std::span<const State<kWords>> block, std::size_t first) {
          decide<Decision::take>(item, block, first);
          deliver(round, first, mine_.now, mine_.sums);
        },
        mine_.now, mine_.sums);
  }

  void sweep_to_next(std::size_t item, const RowShape& shape) {
    mine_.next.begin_after(mine_.now);
    mine_.next_sums.begin(shape);
    in_rounds(
        item,
        [&](std::size_t round, std::span<const State<kWords>> block, std::size_t first) {
          decide<Decision::skip>(item, block, first);
          deliver(round, first, mine_.next, mine_.next_sums);
          decide<Decision::take>(item, block, first);
          deliver(round, first, mine_.next, mine_.next_sums);
        },
        mine_.next, mine_.next_sums);
    std::swap(mine_.now, mine_.next);
    std::swap(mine_.sums, mine_.next_sums);
  }

  /// Expands all of this thread's states, and takes what others have for it after each round.
  template <class Expand>
  void in_rounds(std::size_t item, Expand&& expand, StateTable<kWords>& table, Sums& sums) {
    const std::size_t size = mine_.size;
    for (std::size_t round = 0; round * kRound < most_; ++round) {
      if (!alone_) clear_boxes(round);
      const std::size_t end = std::min(size, (round + 1) * kRound);
      for (std::size_t first = std::min(size, round * kRound); first < end; first += kBlock) {
        expand(round, mine_.now.states().subspan(first, std::min(kBlock, end - first)), first);
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
    for (std::size_t owner = 0; owner < threads(); ++owner) mine_.box(round, owner).clear();
  }

  template <Decision kDecision>
  void decide(std::size_t item, std::span<const State<kWords>> block, std::size_t first) {
    effect_.decision = kDecision;
    if (!sweep_.options_.weights.empty()) effect_.weight = sweep_.options_.weights[item];
    expand<kDecision>(spec(), item, block, arrivals_, [&](std::size_t i) {
      mine_.total.add(mine_.sums.row(first + i), mine_.sums.shape(), effect_);
    });
  }

  /// Brings what `decide` has found of a block that begins with state `first` to whom it belongs.
  void deliver(std::size_t round, std::size_t first, StateTable<kWords>& table, Sums& sums) {
    if (!alone_) send(round, first, sums.shape());
    table.find_or_add({arrivals_.states.data(), arrivals_.count}, numbers_.data());
    sums.resize(table.size());
    sums.add({numbers_.data(), arrivals_.count}, mine_.sums.row(first), mine_.sums.shape(),
             arrivals_.from.data(), effect_);
  }

  /// Puts what belongs to others into their boxes, and leaves the rest in `arrivals_`.
  void send(std::size_t round, std::size_t first, const RowShape& shape) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < arrivals_.count; ++i) {
      const std::size_t to = owner(arrivals_.states[i]);
      if (to == own()) {
        arrivals_.states[kept] = arrivals_.states[i];
        arrivals_.from[kept++] = arrivals_.from[i];
        continue;
      }
      Box& box = mine_.box(round, to);
      box.states.push_back(arrivals_.states[i]);
      const std::size_t words = shape.words(), begin = box.rows.size();
      box.rows.resize(begin + words);
      std::fill_n(box.rows.data() + begin, words, 0);
      add_row(box.rows.data() + begin, shape, mine_.sums.row(first + arrivals_.from[i]),
              mine_.sums.shape(), effect_);
    }
    arrivals_.count = kept;
  }

  void receive(std::size_t round, StateTable<kWords>& table, Sums& sums) {
    std::array<std::uint16_t, kBlock> in_order;
    for (std::size_t i = 0; i < kBlock; ++i) in_order[i] = static_cast<std::uint16_t>(i);
    for (std::size_t sender = 0; sender < threads(); ++sender) {
      if (sender == own()) continue;
      const Box& box = sweep_.shards_[sender]->box(round, own());
      const auto states = box.states.all();
      for (std::size_t first = 0; first < states.size(); first += kBlock) {
        const auto block = states.subspan(first, std::min(kBlock, states.size() - first));
        table.find_or_add(block, numbers_.data());
        sums.resize(table.size());
        sums.add({numbers_.data(), block.size()}, box.rows.data() + first * sums.shape().words(),
                 sums.shape(), in_order.data(), {});
      }
    }
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
    for (const Box& box : mine_.boxes.all()) bytes += box.bytes();
    return bytes;
  }

  void check_memory(std::size_t item) const {
    const std::uint64_t limit = sweep_.options_.memory_limit;
    if (limit == 0 || bytes() <= limit / threads()) return;
    refuse_memory(item, spec().items(), mine_.now.size() * threads(), bytes() * threads(), limit);
  }

  LevelSweep& sweep_;
  Team& team_;
  const Place& me_;
  Shard& mine_;
  Arrivals<kWords> arrivals_;
  std::array<std::uint32_t, kBlock> numbers_;
  Effect effect_;
  RowShape shape_;
  std::size_t bits_ = 1;               ///< that the numbers before the item have together at most
  std::size_t states_ = 0, most_ = 0;  ///< of all threads, and of the one that has most
  bool gathered_ = true;               ///< the first thread has all states before the item
  bool gathers_ = true;                ///< and it is to have those after it
  bool alone_ = false;                 ///< the others wait
};

}  // namespace kinjo::paths::detail
