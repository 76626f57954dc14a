/// The states of one level: an array in order of arrival, and a hash table of their numbers.
///
/// States come in blocks, and a block goes through a large table in passes, so that its cache
/// misses are under way together: the first asks for the slots, the second for the states whose
/// numbers stand there, then those that are new are added, and all are compared. Slots are probed
/// linearly. A slot holds 32 bits, a state's number, so a table is small beside its states, which
/// are compared in an array where neighbours came from neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include <kinjo/error.hpp>

#include "memory/growing_array.hpp"
#include "paths/specification.hpp"

namespace kinjo::paths::detail {

/// All bits of a state, mixed into the high ones, which choose a slot: the lower a bit of a product
/// is, the less it knows.
template <std::size_t Words>
std::uint64_t hash(const State<Words>& state) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t mixed = 0;
  for (const std::uint64_t word : state) {
    mixed = (mixed ^ word) * kOdd;
  }
  return mixed;
}

/// Which of so many parts of all states, all about as large, a state belongs to. The low bits of a
/// hash alone are the same for too many states.
template <std::size_t Words>
std::uint64_t part_of(const State<Words>& state, std::uint64_t parts) {
  constexpr std::uint64_t kOdd = 0xBF58476D1CE4E5B9;
  const std::uint64_t mixed = hash(state);
  return ((mixed ^ mixed >> 32) * kOdd >> 32) * parts >> 32;
}

/// Likewise, whatever a part has in common: which of so many, a power of two, of its halves, their
/// halves and so on.
template <std::size_t Words>
std::uint64_t half_of(const State<Words>& state, std::uint64_t halves) {
  constexpr std::uint64_t kOdd = 0x94D049BB133111EB;
  const std::uint64_t mixed = hash(state);
  return ((mixed ^ mixed >> 29) * kOdd >> 32) * halves >> 32;
}

/// `==` of arrays is a call of memcmp, which takes longer than all else that is done for a state.
template <std::size_t Words>
bool equal(const State<Words>& a, const State<Words>& b) {
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < Words; ++i) different |= a[i] ^ b[i];
  return different == 0;
}

/// States that are looked up together.
inline constexpr std::size_t kBlock = 256;

/// Who of a block was new, and one more.
using NewOnes = std::array<std::uint16_t, kBlock + 1>;

template <std::size_t Words>
class StateTable {
 public:
  StateTable() = default;
  /// The laboratory counts its memory as `region`, a string literal.
  explicit StateTable(const char* region) : states_(region), slots_(region) {}

  std::size_t size() const { return states_.size(); }
  std::span<const State<Words>> states() const { return states_.all(); }
  std::uint64_t bytes() const { return states_.bytes() + slots_.bytes(); }
  /// Of `bytes`, those that hold something now.
  std::uint64_t used_bytes() const {
    return states_.all().size_bytes() + slots_.all().size_bytes();
  }
  /// Gives back memory that is not used.
  void fit() {
    states_.fit();
    slots_.fit();
  }

  /// Forgets all states and makes room for about so many.
  void begin(std::size_t expected) {
    states_.clear();
    half_slots_of_state_ = kHalfSlots;
    // With room for a block that could be new, as there has to be until it is known not to be.
    resize_slots(slots_for(expected + std::min(kBlock, 3 * expected)));
  }

  /// Likewise for as many as `before` has, or more, taking over its slots: nothing is looked up in
  /// it any more.
  void begin_after(StateTable& before, std::size_t expected = 0) {
    std::swap(slots_, before.slots_);
    begin(std::max(before.size(), expected));
  }

  /// Makes these its states, by their numbers. None can be looked up before `number_all`.
  void copy(std::span<const State<Words>> states) {
    states_.resize(states.size());
    std::ranges::copy(states, states_.data());
  }
  /// Makes do with fewer slots: for tables in which little is looked up.
  void number_all_densely() {
    half_slots_of_state_ = kHalfSlotsDense;
    number_all();
  }
  void number_all() {
    resize_slots(slots_for(size()));
    fill_slots();
  }
  /// Gives back what is needed to look states up. None can be before all are numbered again.
  void forget_numbers() { slots_ = {}; }

  /// Sets `numbers` of up to `kBlock` states; those that are new get the next ones.
  void find_or_add(std::span<const State<Words>> states, std::uint32_t* numbers) {
    find_or_add<false>(states, numbers, nullptr);
  }
  /// Likewise, and tells who of the block was new, by their numbers, until the next call.
  std::span<const std::uint16_t> find_or_add_telling(std::span<const State<Words>> states,
                                                     std::uint32_t* numbers, NewOnes& new_ones) {
    const std::size_t known = size();
    find_or_add<true>(states, numbers, new_ones.data());
    return {new_ones.data(), size() - known};
  }

 private:
  /// Slots so few that a core has them in its nearest caches, where to ask for them takes longer
  /// than to wait for them.
  static constexpr std::size_t kNear = std::size_t{1} << 16;

  std::size_t slot_of(const State<Words>& state) const { return hash(state) >> shift_; }
  /// g++ 12 takes a function that does nothing else for one without effect, and leaves out its
  /// calls. Inlined it would take registers from the loops of tables that are near.
  [[gnu::noinline]] void ask_for(std::span<const State<Words>> states) const {
    asm volatile("" ::: "memory");
    const std::uint32_t* const table = slots_.data();
    const State<Words>* const known = states_.data();
    std::array<std::uint32_t, kBlock> slots;
    for (std::size_t i = 0; i < states.size(); ++i) {
      slots[i] = static_cast<std::uint32_t>(slot_of(states[i]));
      __builtin_prefetch(table + slots[i], 1);
    }
    const std::size_t end = size();
    for (std::size_t i = 0; i < states.size(); ++i) {
      __builtin_prefetch(known + number_or(table[slots[i]], end));
    }
  }

  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

  /// By state, at least.
  static constexpr std::size_t kHalfSlots = 5, kHalfSlotsDense = 3;

  std::size_t slots_for(std::size_t states) const {
    return std::bit_ceil(std::max<std::size_t>(half_slots_of_state_ * states / 2, 256));
  }

  /// The number that a slot holds, or if it is empty `size`, which is greater than all. Nothing a
  /// compiler could make a branch of.
  static std::size_t number_or(std::size_t number, std::size_t size) {
    return std::min(number, size);
  }

  /// A block that goes into the table, and what of the table no store of it could change.
  struct Placing {
    const State<Words>* states;
    std::uint32_t* numbers;
    State<Words>* known;
    std::uint32_t* slots;
    unsigned shift;
    std::size_t size;  ///< of the table
    std::uint16_t* next_new;
    std::uint16_t* displaced;  ///< by others' numbers
    std::size_t displaced_count = 0;

    std::size_t home(std::size_t i) const { return hash(states[i]) >> shift; }
  };

  /// Puts states where their slots say. Where another state's number is in the way they are looked
  /// up again, when all are that it is not, in the slots behind.
  template <bool kTells>
  void find_or_add(std::span<const State<Words>> states, std::uint32_t* numbers,
                   std::uint16_t* new_ones) {
    make_room(states.size());
    if (slots_.size() > kNear) ask_for(states);
    const std::size_t size = states_.size();
    states_.resize(size + states.size());
    std::array<std::uint16_t, kBlock> displaced;
    Placing placing{states.data(), numbers, states_.data(), slots_.data(),
                    shift_,        size,    new_ones,       displaced.data()};
    for (std::size_t i = 0; i < states.size(); ++i) place<kTells>(placing, i, placing.home(i));
    for (std::size_t i = 0; i < states.size(); ++i) compare(placing, i);
    for (std::size_t steps = 1; placing.displaced_count != 0; ++steps) {
      const std::size_t count = std::exchange(placing.displaced_count, 0);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = displaced[k];
        place<kTells>(placing, i, (placing.home(i) + steps) & mask_);
      }
      for (std::size_t k = 0; k < count; ++k) compare(placing, displaced[k]);
    }
    states_.resize(placing.size);
  }

  /// Whether a state is new is anybody's guess, so nothing branches on it: a new one is written
  /// where the next would stand, and counted if there was none.
  template <bool kTells>
  [[gnu::always_inline]] static void place(Placing& p, std::size_t i, std::size_t slot) {
    const std::size_t found = p.slots[slot], number = number_or(found, p.size);
    p.known[p.size] = p.states[i];
    p.numbers[i] = p.slots[slot] = static_cast<std::uint32_t>(number);
    const unsigned is_new = found > p.size ? 1 : 0;
    p.size += is_new;
    if constexpr (kTells) {
      *p.next_new = static_cast<std::uint16_t>(i);
      p.next_new += is_new;
    }
  }
  /// Nor does anything branch on whether another state's number is in the way. This comes after a
  /// whole block, so that no state is read where one may be being written.
  [[gnu::always_inline]] static void compare(Placing& p, std::size_t i) {
    p.displaced[p.displaced_count] = static_cast<std::uint16_t>(i);
    p.displaced_count += equal(p.known[p.numbers[i]], p.states[i]) ? 0 : 1;
  }

  /// Room for `more` new states, with three fifths of the slots free, or a third if they are dense:
  /// the fewer are in each other's way, the fewer branches go where nobody expected.
  void make_room(std::size_t more) {
    if ((size() + more) * half_slots_of_state_ / 2 <= slots_.size()) return;
    if (slots_.size() >> 32 != 0) {
      throw Error(Errc::out_of_memory, "a level has more states than 32 bits number");
    }
    resize_slots(slots_.size() * 2);
    fill_slots();
  }

  void fill_slots() {
    for (std::size_t i = 0; i < size(); ++i) {
      std::size_t slot = slot_of(states_[i]);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & mask_;
      slots_[slot] = static_cast<std::uint32_t>(i);
    }
  }

  void resize_slots(std::size_t count) {
    slots_.resize(count);
    std::ranges::fill(slots_.all(), kEmpty);
    mask_ = count - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  }

  kinjo::detail::GrowingArray<State<Words>> states_;
  kinjo::detail::GrowingArray<std::uint32_t> slots_;
  std::size_t half_slots_of_state_ = kHalfSlots;  ///< at least
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace kinjo::paths::detail
