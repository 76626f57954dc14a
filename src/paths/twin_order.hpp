/// States that differ in the places of twins (twins.hpp) alone, made one: state by state.
///
/// A state parts the slots of the frontier into groups, and says of what kind each group is: of
/// paths the two ends of a fragment are one, of forests the vertices of a component. Groups are
/// numbered by what they have of each class and of each slot that is no twin, and the twins of a
/// class get their groups in this order. Groups with equal numbers are alike, so all states that
/// differ in the places of twins become the same. (Where numbers are equal by chance they may stay
/// two, which costs time and changes nothing else.)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "paths/twins.hpp"

namespace kinjo::paths::detail {

/// The group of a slot, by the lowest slot of it, and its kind.
struct TwinSeat {
  std::uint16_t group;
  std::uint16_t kind;
};

/// `Fields` tells states: `State`, `kSlots`, `TwinSeat read(state, slot)`, and `write(state, slot,
/// seat)`, which is called for all slots from the lowest on. It may have `settled(seat)`, which is
/// what a vertex comes to that has one undecided edge.
template <class Fields>
class TwinOrder {
 public:
  using State = typename Fields::State;

  explicit TwinOrder(const TwinClasses& classes) : classes_(classes) {
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      const std::size_t c = classes.class_of(slot);
      numbers_[slot] = number_of(c == TwinClasses::kNone ? slot : kClasses + c);
    }
  }

  void order(std::span<State> states) {
    for (State& state : states) order(state);
  }

 private:
  static constexpr std::size_t kClasses = std::size_t{1} << 16;  ///< more than slots

  static std::uint64_t number_of(std::size_t thing) {
    std::uint64_t mixed = (thing + 1) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 32) * 0xBF58476D1CE4E5B9;
    return mixed ^ mixed >> 29;
  }
  std::size_t slots() const { return classes_.slots(); }

  void order(State& state) {
    number_groups(state);
    for (std::size_t c = 0; c < classes_.size(); ++c) deal(classes_.of(c));
    constexpr std::uint16_t kNobody = 0xFFFF;
    std::fill_n(lowest_.begin(), slots(), kNobody);
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      std::uint16_t& lowest = lowest_[ranks_[slot]];
      if (lowest == kNobody) lowest = static_cast<std::uint16_t>(slot);
      Fields::write(state, slot, {lowest, kinds_[ranks_[slot]]});
    }
  }

  /// By slot, the number of its group; by this, its kind.
  void number_groups(const State& state) {
    std::fill_n(keys_.begin(), slots(), 0);
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      const TwinSeat seat = seats_[slot] = settled(Fields::read(state, slot), slot);
      keys_[seat.group] += numbers_[slot] * (2 * std::uint64_t{seat.kind} + 1);
      if (seat.group == slot) groups_[count++] = seat.group;
    }
    const auto groups = std::span(groups_).first(count);
    std::ranges::sort(groups, {}, [&](std::uint16_t group) { return keys_[group]; });
    for (std::size_t rank = 0; rank < count; ++rank) {
      rank_of_[groups[rank]] = static_cast<std::uint16_t>(rank);
      kinds_[rank] = seats_[groups[rank]].kind;
    }
    for (std::size_t slot = 0; slot < slots(); ++slot) ranks_[slot] = rank_of_[seats_[slot].group];
  }

  TwinSeat settled(const TwinSeat& seat, std::size_t slot) const {
    if constexpr (requires { Fields::settled(seat); }) {
      const std::size_t c = classes_.class_of(slot);
      if (c != TwinClasses::kNone && classes_.have_last_edge(c)) return Fields::settled(seat);
    }
    return seat;
  }

  /// Gives these slots their groups in order.
  void deal(std::span<const std::uint16_t> slots) {
    const auto ranks = std::span(groups_).first(slots.size());
    std::ranges::transform(slots, ranks.begin(), [&](std::uint16_t slot) { return ranks_[slot]; });
    std::ranges::sort(ranks);
    for (std::size_t i = 0; i < slots.size(); ++i) ranks_[slots[i]] = ranks[i];
  }

  template <class T>
  using BySlot = std::array<T, Fields::kSlots>;

  const TwinClasses& classes_;
  BySlot<std::uint64_t> numbers_, keys_;  ///< the latter by group
  BySlot<TwinSeat> seats_;
  BySlot<std::uint16_t> groups_, rank_of_, kinds_, ranks_, lowest_;
};

/// To put states in order one by one takes as long as to look several up, so there have to be many
/// that become one.
inline constexpr std::size_t kFewestPairsOneByOne = 10;

/// By item, who are put in order after it: nobody before they are looked for.
template <class Fields>
class TwinOrders {
 public:
  using State = typename Fields::State;

  /// Looks for twins, as `Twins` does; whether there are any.
  bool find(const Frontier& frontier, std::size_t first, const std::vector<bool>& kind = {},
            std::size_t fewest_pairs = kFewestPairsOneByOne) {
    auto twins = std::make_shared<const Twins>(frontier, first, kind, fewest_pairs);
    if (twins->all().empty()) return false;
    twins_ = std::move(twins);
    return true;
  }

  bool any_after(std::size_t item) const { return twins_ && twins_->after(item) != Twins::kNone; }
  void order(std::size_t item, std::span<State> states) const {
    TwinOrder<Fields>(twins().all()[twins().after(item)]).order(states);
  }
  /// See repeats.hpp.
  void sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
    if (any_after(item)) twins().all()[twins().after(item)].sign(signature);
  }
  /// That have been found.
  const Twins& twins() const { return *twins_; }

 private:
  std::shared_ptr<const Twins> twins_;
};

}  // namespace kinjo::paths::detail
