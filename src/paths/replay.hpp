/// States that have come to the same items before: their sums, without the states.
///
/// In a grid all rows but the last have the same edges in the same slots (repeats.hpp), and after a
/// few rows there is hardly a state at a row's beginning that was not at the one before. So a row
/// is recorded (record.hpp), and from then on what it made of states is only added up: nothing is
/// decided or looked up. States that are new where a row begins are swept as ever beside that, and
/// recorded, too. Within a row a state may be on both sides, which sums do not mind.
///
/// Rows are read in their order, so who alone reads them needs one array: the rows after a group
/// are written to where those before it have been read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "paths/record.hpp"
#include "paths/state_table.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// Who reads a thread's rows.
enum class Readers { itself, all };

/// A thread's part.
template <std::size_t Words>
class Replay {
 public:
  using States = std::span<const State<Words>>;

  /// Records from `group` on, before which there are these states.
  void begin(std::size_t group, std::size_t period, Readers readers, States states) {
    first_group_ = group;
    period_ = period;
    readers_ = readers;
    record_.begin(period, states.size());
    first_rows_ = states.size();
    start_.copy(states);
  }
  bool is_on() const { return period_ != 0; }
  /// Whether a period has been recorded, so that there are rows to replay.
  bool has_rows() const { return record_.layers() != 0; }
  std::uint64_t bytes() const {
    return record_.bytes() + start_.bytes() + sums_.bytes() + next_sums_.bytes();
  }

  /// Whether a period ends before this group.
  bool turns_at(std::size_t group) const {
    return is_on() && group != first_group_ && place_of(group) == 0;
  }
  /// There, numbers states as where the period began, their rows among those that are replayed.
  /// Only states that are new remain in `now`, with rows of their own. Nobody may be reading rows.
  void turn(StateTable<Words>& now, Sums& sums, Sums& next_sums, std::size_t sender) {
    const std::size_t known = start_.size();
    if (has_rows()) {
      return_to_start(sums.shape());
    } else {
      std::swap(sums_, next_sums);
      sums_.begin(sums.shape());
    }
    join(now.states(), sums, sender);
    if (record_.layers() == 1 && readers_ == Readers::all) std::swap(sums, next_sums_);
    const std::size_t more = start_.size() - known;
    now.copy(start_.states().last(more));
    now.number_all();
    sums.copy(sums_, known, more);
    record_.begin_layer(more);
  }
  /// After a turn: makes all states again that rows stand for, and forgets the record.
  void end(StateTable<Words>& now, Sums& sums, Sums& next_sums) {
    std::swap(now, start_);
    now.number_all();
    sums_.leave_room(0);
    std::swap(sums, sums_);
    std::swap(next_sums, next_sums_);
    forget();
  }
  void forget() { *this = {}; }

  /// Gives back memory that is not used.
  void fit() {
    start_.fit();
    record_.fit();
  }

  /// Goes on to a group.
  void enter(std::size_t group) { place_ = place_of(group); }
  /// Whether it is a period's first.
  bool is_at_start() const { return place_ == 0; }
  /// Ends it, with so many states that were not replayed.
  void leave(std::size_t states) { record_.end_group(states); }
  /// Rows before the group that are replayed; those of states that are not follow them.
  std::size_t rows() const { return record_.rows(place_); }
  /// `rows()` before any group.
  std::size_t rows_before(std::size_t group) const { return record_.rows(place_of(group)); }

  /// The group added rows first + from[i] of `sender` to those of the states numbers[i], of which
  /// `new_ones` were new, the last ones of `size` now.
  template <class Index>
  void record(std::size_t size, std::span<const std::uint32_t> numbers,
              std::span<const std::uint16_t> new_ones, std::size_t sender, std::size_t first,
              const Index* from) {
    record_.add(record_.rows(place_ + 1), size - new_ones.size(), numbers, new_ones, sender, first,
                from);
  }
  /// So many states stay where they are: their rows do not.
  void record_stay(std::size_t states, std::size_t sender) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
    for (std::size_t first = 0; first < states; first += kBlock) {
      const std::size_t count = std::min(kBlock, states - first);
      record_.add(record_.rows(place_ + 1) + first, 0, numbers(count),
                  std::span(kInOrder).first(count), sender, rows() + first, kInOrder.data());
    }
  }
  /// A member comes of a state.
  void accept(std::size_t state) { record_.accept(rows() + state); }

  /// Gives rows the shape that they are to have after the group. They can be read from now on, by
  /// others after a barrier.
  void begin_pass(const RowShape& shape) {
    sums_.widen(shape);
    if (readers_ == Readers::itself && is_at_start()) sums_.leave_room(record_.leads());
    say_rows();
  }
  /// Adds up what the group makes of rows; `replay_of(sender)` is another's, and `accept` is called
  /// with each row that a member comes of.
  template <class ReplayOf, class Accept>
  void pass(const ReplayOf& replay_of, const Accept& accept) {
    if (readers_ == Readers::itself) {
      sums_.begin_before(record_.lead(place_));
    } else {
      next_sums_.begin(said_shape_);
      next_sums_.reserve(record_.rows(place_ + 1));
    }
    pass(place_, replay_of,
         [&](std::size_t row) { accept(said_rows_ + row * said_shape_.words(), said_shape_); });
  }
  Count total() const { return sums_.total(); }

 private:
  std::size_t place_of(std::size_t group) const { return (group - first_group_) % period_; }
  std::span<const std::uint32_t> numbers(std::size_t count) const {
    return {numbers_.data(), count};
  }
  void say_rows() {
    said_rows_ = sums_.row(0);
    said_shape_ = sums_.shape();
  }

  template <class ReplayOf, class Accept>
  void pass(std::size_t place, const ReplayOf& replay_of, const Accept& accept) {
    const auto rows_of = [&](const auto& part) {
      const Replay& theirs = replay_of(part.sender);
      return theirs.said_rows_ + part.first * theirs.said_shape_.words();
    };
    Sums& after = readers_ == Readers::itself ? sums_ : next_sums_;
    record_.replay(
        place, [&](const auto& begins) { after.append(rows_of(begins), begins.from); },
        [&](const auto& additions) {
          after.add(additions.least, additions.numbers, rows_of(additions), said_shape_,
                    additions.from, {});
        },
        accept);
    if (readers_ == Readers::all) std::swap(sums_, next_sums_);
  }

  /// Gives rows the numbers that they have where the period begins.
  void return_to_start(const RowShape& shape) {
    sums_.widen(shape);
    sums_.reserve(sums_.rows() + start_.size());
    say_rows();
    Sums& after = readers_ == Readers::itself ? sums_ : next_sums_;
    if (readers_ == Readers::itself) {
      after.begin_behind();
    } else {
      after.begin(said_shape_);
    }
    after.resize(first_rows_);  // to which other rows may come, or none
    pass(
        period_, [&](std::size_t) -> const Replay& { return *this; }, [](std::size_t) {});
    if (after.bytes() > kMuchRoom) after.discard_room();
  }
  /// Does so with the rows of states, and records it, which ends their layer.
  void join(States states, const Sums& sums, std::size_t sender) {
    sums_.resize(start_.size());
    if (!states.empty()) start_.number_all_densely();
    for (std::size_t first = 0; first < states.size(); first += kBlock) {
      const States block = states.subspan(first, std::min(kBlock, states.size() - first));
      const auto new_ones = start_.find_or_add_telling(block, numbers_.data(), new_ones_);
      sums_.resize(start_.size());
      sums_.add(0, numbers(block.size()), sums.row(first), sums.shape(), kInOrder.data(), {});
      record_.add(0, start_.size() - new_ones.size(), numbers(block.size()), new_ones, sender,
                  record_.rows(period_) + first, kInOrder.data());
    }
    start_.forget_numbers();
    record_.end_group(start_.size());
    record_.end_layer();
  }

  /// Of rows, in bytes: what has been read is given back before states are looked up.
  static constexpr std::uint64_t kMuchRoom = std::uint64_t{2} << 20;

  std::size_t first_group_ = 0, period_ = 0;
  Readers readers_ = Readers::all;
  std::size_t place_ = 0;       ///< in the period
  std::size_t first_rows_ = 0;  ///< where it began first
  Record record_;
  StateTable<Words> start_;  ///< the states where a period begins, in the order of their rows
  Sums sums_, next_sums_;    ///< of recorded rows: before a group, and after it
  std::array<std::uint32_t, kBlock> numbers_;
  NewOnes new_ones_;
  // Said before a barrier, for the others to read after it.
  const std::uint64_t* said_rows_ = nullptr;
  RowShape said_shape_;
};

}  // namespace kinjo::paths::detail
