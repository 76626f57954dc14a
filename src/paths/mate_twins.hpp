/// Twins in states of mates (mates.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "paths/marks.hpp"
#include "paths/mate_steps.hpp"
#include "paths/twin_kernels.hpp"
#include "paths/twin_order.hpp"

namespace kinjo::paths::detail {

/// As `TwinOrder` reads and writes them: the ends of a fragment are a group.
template <unsigned Bits, std::size_t Words>
struct MateFields {
  using M = Marks<Bits, Words>;
  using State = typename M::State;
  static constexpr unsigned kSlots = M::kFields, kInside = M::kCodes - 1, kOutside = M::kCodes - 2;

  enum Kind : std::uint16_t { untouched, inside, outside, end };

  static TwinSeat read(const State& state, std::size_t slot) {
    const auto own = static_cast<unsigned>(slot);
    const unsigned mark = M::get(state, own) ^ own;
    const auto lowest = static_cast<std::uint16_t>(std::min(own, mark));
    if (mark == own) return {lowest, untouched};
    if (mark == kInside) return {static_cast<std::uint16_t>(own), inside};
    if (mark == kOutside) return {static_cast<std::uint16_t>(own), outside};
    return {lowest, end};
  }
  /// Who waits to be marked as if inside a fragment (mates.hpp) would not be found where others'
  /// places are.
  static TwinSeat settled(const TwinSeat& seat) {
    return seat.kind == untouched ? TwinSeat{seat.group, inside} : seat;
  }
  static void write(State& state, std::size_t slot, const TwinSeat& seat) {
    const auto own = static_cast<unsigned>(slot);
    const unsigned mark = seat.kind == inside ? kInside : seat.kind == outside ? kOutside : own;
    M::set(state, own, mark ^ own);
    if (seat.group == own) return;
    M::set(state, own, seat.group ^ own);
    M::set(state, seat.group, own ^ seat.group);
  }
};

/// By item, who are put in order after it: in vectors, where there are such.
template <unsigned Bits, std::size_t Words>
class MateTwins : public TwinOrders<MateFields<Bits, Words>> {
  using Orders = TwinOrders<MateFields<Bits, Words>>;

 public:
  using typename Orders::State;

  bool find(const MateSteps& steps, std::size_t first) {
    // Three are a class of three; of the states that differ in a pair few become one.
    const std::size_t fewest_pairs = has_kernel() ? 3 : kFewestPairsOneByOne;
    if (!Orders::find(steps.frontier, first, steps.rules.required, fewest_pairs)) return false;
    if (!has_kernel()) return true;
    const auto& all = Orders::twins().all();
    tables_ = std::make_shared<const std::vector<TwinTables>>(all.begin(), all.end());
    return true;
  }

  void order(std::size_t item, std::span<State> states) const {
    if (!tables_) return Orders::order(item, states);
    const TwinTables& tables = (*tables_)[Orders::twins().after(item)];
    twin_kernels().order(tables, states.data()->data(), states.size());
  }

 private:
  static bool has_kernel() { return Bits == 4 && Words == 1 && twin_kernels().order != nullptr; }

  std::shared_ptr<const std::vector<TwinTables>> tables_;  ///< for a kernel, by number
};

}  // namespace kinjo::paths::detail
