/// Compiled once for each target, see simd/stream_kernels.cpp.
///
/// The ends of the edge have the same slots in all states, so only where the ends' mates are
/// differs from lane to lane. Nothing branches on a state. What is alive is moved to the front of
/// its vector, and its vector is written where the next one begins.
#include "paths/mate_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "paths/marks.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/mate_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinjo::paths::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

extern const MateKernelSet kMateKernels = {
    {[](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.one_word.skip(item, block, out);
     },
     [](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.one_word.take(item, block, out);
     },
     [](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.one_word.either(item, block, out);
     }},
    {[](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.two_words.skip(item, block, out);
     },
     [](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.two_words.take(item, block, out);
     },
     [](const MateItem& item, const MateBlock& block, MateArrivals& out) {
       kScalarMateKernels.two_words.either(item, block, out);
     }}};

#else

namespace {

#include "paths/mate_fields-inl.hpp"

/// For each set of lanes, the numbers of two pieces of each, side by side.
template <std::size_t kLanes>
struct Positions {
  constexpr Positions() {
    for (unsigned set = 0; set < (1U << kLanes); ++set) {
      for (unsigned lane = 0, count = 0; lane < kLanes; ++lane) {
        if ((set >> lane & 1) == 0) continue;
        pieces[set][count++] = static_cast<std::uint8_t>(2 * lane);
        pieces[set][count++] = static_cast<std::uint8_t>(2 * lane + 1);
      }
    }
  }
  std::uint8_t pieces[1U << kLanes][2 * kLanes] = {};
};
template <std::size_t kLanes>
constexpr Positions<kLanes> kPositions;

/// What there is to know of an edge, as vectors.
template <class D, unsigned kBits, std::size_t kWords>
struct Item {
  using Slot = Fields<D, kBits, kWords>;
  using Near = Neighbourhood<D, kBits, kWords>;

  explicit Item(const MateItem& shared)
      : item(shared),
        a(std::array{shared.a.slot}),
        b(std::array{shared.b.slot}),
        both(std::array{shared.a.slot, shared.b.slot}) {
    for (unsigned i = 0; i < shared.settled_count; ++i) {
      settled[i] = Slot(std::array{shared.settled[i]});
      settled_required[i] = shared.required[shared.settled[i]];
    }
    for (unsigned i = 0; i < shared.maybe_stuck.count; ++i) {
      maybe_stuck[i] = Near(shared.maybe_stuck.list[i]);
    }
  }

  const MateItem item;
  const bool terminals_enter = item.a.enters_as_terminal || item.b.enters_as_terminal;
  const bool completes_paths = item.may_complete && item.shape == Shape::path;
  const bool completes_cycles = item.may_complete && item.shape == Shape::cycle;
  Slot a, b, both;
  std::array<Slot, kMostSettled> settled;
  std::array<bool, kMostSettled> settled_required;
  std::array<Near, MaybeStuckList::kMost> maybe_stuck;
};

/// States in vectors, of which `alive` are not dead.
template <class D, unsigned kBits, std::size_t kWords>
class Mates {
  using M = Marks<kBits, kWords>;
  using Edge = Item<D, kBits, kWords>;
  using Slot = typename Edge::Slot;
  using Vector = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  static constexpr unsigned kInside = M::kCodes - 1, kOutside = M::kCodes - 2;
  static constexpr unsigned kSlots = std::min(M::kFields, kOutside);

 public:
  static constexpr std::size_t kLanes = hn::MaxLanes(D());

  HWY_INLINE Mates(const std::uint64_t* states, std::size_t count)
      : alive_(hn::FirstN(D(), count)) {
    if constexpr (kIsNarrow) {
      const hn::Repartition<std::uint64_t, D> words;
      const Vector low = hn::BitCast(D(), hn::LoadU(words, states));
      const Vector high = hn::BitCast(D(), hn::LoadU(words, states + kLanes / 2));
      words_[0] = hn::ConcatEven(D(), high, low);
    } else if constexpr (kWords == 1) {
      words_[0] = hn::LoadU(D(), states);
    } else {
      hn::LoadInterleaved2(D(), states, words_[0], words_[1]);
    }
  }

  /// To be settled afterwards, unless states stay there.
  HWY_INLINE void skip(const Edge& edge) {
    if (edge.item.stays) return;
    enter(edge);
    leave(edge);
  }

  /// To be settled afterwards.
  HWY_INLINE void take(const Edge& edge) {
    enter(edge);
    if (edge.item.hands_over) return hand_over(edge);
    join(edge);
    leave(edge);
  }
  /// Whether that is all that taking it does: nobody enters as a terminal, or leaves, and nothing
  /// is looked for afterwards.
  static bool joins(const MateItem& item) {
    const auto stays = [](const MateEnd& end) { return !end.enters_as_terminal && !end.leaves; };
    return stays(item.a) && stays(item.b) && !item.is_last && item.settled_count == 0 &&
           item.most_ends == kAnyEnds && item.maybe_stuck.count == 0;
  }
  /// Makes the fragments of the edge's ends one.
  HWY_INLINE void join(const Edge& edge) {
    const MateItem& item = edge.item;
    const Vector mate_a = mark(edge.a, item.a.slot), mate_b = mark(edge.b, item.b.slot);
    const Mask inside = hn::Or(hn::Eq(mate_a, number(kInside)), hn::Eq(mate_b, number(kInside)));
    const Mask cycle = hn::Eq(mate_a, number(item.b.slot));
    const Mask path = hn::And(hn::Eq(mate_a, number(kOutside)), hn::Eq(mate_b, number(kOutside)));
    if (edge.completes_paths) closed_ = hn::And(path, alive_);
    if (edge.completes_cycles) closed_ = hn::And(cycle, alive_);
    kill(hn::Or(inside, hn::Or(cycle, path)));
    edge.both.set_inside(words_);
    const Vector code = hn::Xor(mate_a, mate_b);
    put_at(mate_a, code);
    put_at(mate_b, code);
    clear_all_but_slots();
  }

  /// Whether one decision leaves every state alive, and what that makes of a state can be told
  /// without making both.
  static bool passes(const MateItem& item) {
    bool requires_nothing = !item.a.required;
    for (unsigned i = 0; i < item.settled_count; ++i) {
      requires_nothing = requires_nothing && !item.required[item.settled[i]];
    }
    return item.hands_over && !item.a.enters_as_terminal && !item.heir_is_terminal &&
           requires_nothing && item.most_ends == kAnyEnds && item.maybe_stuck.count == 0;
  }
  /// Who is inside a fragment leaves a slot that is free, and who is the end of one an heir.
  HWY_INLINE void pass(const Edge& edge) {
    edge.a.clear(words_, hn::Eq(edge.a.of(words_), edge.a.inside()));
    settle(edge);
  }
  /// Marks who can no longer be visited, and looks for what can no longer be joined.
  HWY_INLINE void settle(const Edge& edge) {
    for (unsigned i = 0; i < edge.item.settled_count; ++i) {
      const Slot& field = edge.settled[i];
      const Mask untouched = hn::Eq(field.of(words_), hn::Zero(D()));
      if (edge.settled_required[i]) kill(untouched);
      field.put_inside(words_, untouched);
    }
    if (edge.item.maybe_stuck.count != 0) kill(stuck(edge));
    const unsigned most = edge.item.most_ends;
    if (most != kAnyEnds) kill(hn::Gt(ends(), number(most)));
  }

  /// Puts all lanes to `to`.
  HWY_INLINE void store(std::uint64_t* to) const {
    if constexpr (kIsNarrow) {
      const hn::Repartition<std::uint64_t, D> words;
      hn::StoreU(hn::PromoteTo(words, hn::LowerHalf(words_[0])), words, to);
      const hn::Half<D> half;
      hn::StoreU(hn::PromoteTo(words, hn::UpperHalf(half, words_[0])), words, to + kLanes / 2);
    } else if constexpr (kWords == 1) {
      hn::StoreU(words_[0], D(), to);
    } else {
      hn::StoreInterleaved2(words_[0], words_[1], D(), to);
    }
  }

  /// Of what is dead, what is alive of `other` instead.
  HWY_INLINE void or_else(const Mates& other) {
    for (std::size_t w = 0; w < kWords; ++w) {
      words_[w] = hn::IfThenElse(alive_, words_[w], other.words_[w]);
    }
    alive_ = hn::Or(alive_, other.alive_);
    closed_ = hn::Or(closed_, other.closed_);
  }

  /// Appends what is alive, and what is closed, of states from `first` on, with which `from` goes.
  HWY_INLINE void append(std::size_t first, const std::uint16_t* from, bool is_last,
                         MateArrivals& out) const {
    for_closed(first, out);
    if (is_last) return;
    std::uint64_t* const to = out.states + out.count * kWords;
    const unsigned alive = bits(alive_);
    const std::uint8_t* const kept = kPositions<kLanes>.pieces[alive];
    Mates packed = *this;
    for (Vector& word : packed.words_.of) word = moved(word, kept);
    packed.store(to);
    const hn::Rebind<std::uint16_t, D> pairs;
    const hn::Repartition<std::uint8_t, decltype(pairs)> bytes;
    const auto kept_pairs = hn::BitCast(pairs, hn::LoadU(bytes, kept));
    hn::StoreU(hn::TableLookupBytes(hn::LoadU(pairs, from), kept_pairs), pairs,
               out.from + out.count);
    out.count += static_cast<std::size_t>(std::popcount(alive));
  }

 private:
  static constexpr bool kIsNarrow = sizeof(hn::TFromD<D>) == sizeof(std::uint32_t);

  static HWY_INLINE Vector number(std::uint64_t value) { return HWY_NAMESPACE::number(D(), value); }

  /// The lanes of which `pieces` has the numbers, to the front. (Highway 1.0.3's Compress copies a
  /// table of 2 KiB in each call if g++ compiles it.)
  static HWY_INLINE Vector moved(Vector v, const std::uint8_t* pieces) {
    const hn::Repartition<std::uint32_t, D> halves;
    if constexpr (kIsNarrow) {
      const hn::Rebind<std::uint16_t, D> pairs;
      const hn::Repartition<std::uint8_t, decltype(pairs)> bytes;
      const auto both = hn::PromoteTo(halves, hn::BitCast(pairs, hn::LoadU(bytes, pieces)));
      const auto lanes = hn::And(hn::ShiftRight<1>(both), hn::Set(halves, kLanes - 1));
      return hn::TableLookupLanes(v, hn::IndicesFromVec(halves, lanes));
    } else {
      const auto numbers =
          hn::PromoteTo(halves, hn::LoadU(hn::Rebind<std::uint8_t, decltype(halves)>(), pieces));
      return hn::BitCast(
          D(), hn::TableLookupLanes(hn::BitCast(halves, v), hn::IndicesFromVec(halves, numbers)));
    }
  }

  static HWY_INLINE unsigned bits(Mask mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(D(), mask, bytes);
    return bytes[0];
  }

  HWY_INLINE void for_closed(std::size_t first, MateArrivals& out) const {
    for (unsigned set = bits(closed_); set != 0; set &= set - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(set));
      out.closed[out.closed_count++] = static_cast<std::uint16_t>(first + lane);
    }
  }

  HWY_INLINE void kill(Mask dead) { alive_ = hn::AndNot(dead, alive_); }
  HWY_INLINE Vector mark(const Slot& field, unsigned slot) const {
    const Vector code = hn::ShiftRightSame(field.of(words_), static_cast<int>(M::shift(slot)));
    return hn::Xor(code, number(slot));
  }
  /// Puts codes, marks' exclusive or with the slots, where lanes say. That may leave something
  /// behind a word's slots, of marks that are no slots, or are another word's: to be cleared.
  HWY_INLINE void put_at(Vector slots, Vector code) {
    Vector by = times_bits(slots);
    for (Vector& word : words_.of) {
      const Vector field = shifted(number(M::kCodes - 1), by);
      word = hn::Or(hn::AndNot(field, word), shifted(code, by));
      if constexpr (kWords > 1) by = hn::Sub(by, number(M::kPerWord * kBits));
    }
  }
  HWY_INLINE void clear_all_but_slots() {
    if constexpr (kIsNarrow) return;  // they are beyond its lanes
    for (unsigned w = 0; w < kWords; ++w) {
      words_[w] = hn::And(words_[w], number(M::fields_below(kSlots, w)));
    }
  }
  /// To the left; nothing remains of what is shifted by a lane or more, or by less than nothing.
  static HWY_INLINE Vector shifted(Vector v, Vector by) {
    // The instruction of AVX2 and AVX-512 does so; NEON's takes a byte with its sign, so there what
    // is before a word's slots would go to the right.
#if !HWY_ARCH_X86
    if constexpr (kWords > 1) {
      const Vector most = number(63);
      v = hn::IfThenElseZero(hn::Eq(hn::And(by, most), by), v);
      by = hn::And(by, most);
    }
#endif
    return hn::Shl(v, by);
  }
  static HWY_INLINE Vector times_bits(Vector v) {
    const Vector four = hn::ShiftLeft<2>(v);
    return kBits == 4 ? four : hn::Add(four, v);
  }

  HWY_INLINE void set_outside(unsigned slot) {
    put_at(number(slot), number(kOutside ^ slot));
    clear_all_but_slots();
  }
  HWY_INLINE void enter(const Edge& edge) {
    const MateItem& item = edge.item;
    if (!edge.terminals_enter) return;
    if (item.a.enters_as_terminal) set_outside(item.a.slot);
    if (item.b.enters_as_terminal) set_outside(item.b.slot);
  }

  HWY_INLINE void hand_over(const Edge& edge) {
    const MateItem& item = edge.item;
    const Vector mate = mark(edge.a, item.a.slot);
    kill(hn::Or(hn::Eq(mate, number(kInside)), hn::Eq(mate, number(item.a.slot))));
    if (item.heir_is_terminal) {
      const Mask outside = hn::Eq(mate, number(kOutside));
      if (item.may_complete) closed_ = hn::And(outside, alive_);
      kill(outside);
      put_at(mate, hn::Xor(mate, number(kOutside)));
      clear_all_but_slots();
      edge.b.set_inside(words_);
    }
  }

  HWY_INLINE void leave(const Edge& edge) {
    const MateItem& item = edge.item;
    if (item.a.leaves) leave(edge.a, item.a.required);
    if (item.heir_is_terminal) set_outside(item.b.slot);
    if (item.b.leaves) leave(edge.b, item.b.required);
  }
  HWY_INLINE void leave(const Slot& field, bool required) {
    const Vector last = field.of(words_);
    field.clear(words_);
    Mask may = hn::Eq(last, field.inside());
    if (!required) may = hn::Or(may, hn::Eq(last, hn::Zero(D())));
    alive_ = hn::And(alive_, may);
  }
  HWY_INLINE Mask stuck(const Edge& edge) const {
    Mask found = hn::FirstN(D(), 0);
    for (unsigned i = 0; i < edge.item.maybe_stuck.count; ++i) {
      found = hn::Or(found, edge.maybe_stuck[i].is_stuck(words_));
    }
    return found;
  }

  /// The lowest bits of fields that are not 0.
  static HWY_INLINE Vector marked(Vector word) {
    word = hn::Or(word, hn::ShiftRight<1>(word));
    Vector any = hn::Or(word, hn::ShiftRight<2>(word));
    if constexpr (kBits == 5) any = hn::Or(any, hn::ShiftRight<3>(word));
    return hn::And(any, number(M::kLowest));
  }
  /// How many fragments' ends there are.
  HWY_INLINE Vector ends() const {
    Vector found = hn::Zero(D());
    for (unsigned w = 0; w < kWords; ++w) {
      const Vector other = hn::Xor(words_[w], number(M::differing_from_slots(kInside, w)));
      const Vector both = hn::And(marked(words_[w]), marked(other));
      found = hn::Or(found, w == 0 ? both : hn::ShiftLeft<1>(both));
    }
    return hn::PopulationCount(found);
  }

  Words<D, kWords> words_;
  Mask alive_;
  Mask closed_ = hn::FirstN(D(), 0);
};

enum class Way { skip, take, join, either };

/// All of a block for which that is all, and what goes with it.
template <class D, unsigned kBits, std::size_t kWords>
void pass(const MateItem& shared, const MateBlock& block, MateArrivals& out) {
  using States = Mates<D, kBits, kWords>;
  constexpr std::size_t kLanes = States::kLanes;
  const Item<D, kBits, kWords> item(shared);
  const std::size_t whole = block.count / kLanes * kLanes, rest = block.count - whole;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    States mates(block.states + i * kWords, kLanes);
    mates.pass(item);
    mates.store(out.states + i * kWords);
  }
  if (rest != 0) {
    std::array<std::uint64_t, kLanes * kWords> states{};
    std::copy_n(block.states + whole * kWords, rest * kWords, states.begin());
    States mates(states.data(), kLanes);
    mates.pass(item);
    mates.store(out.states + whole * kWords);
  }
  std::copy_n(block.from, block.count, out.from);
  out.count = block.count;
}

template <Way kWay, class D, unsigned kBits, std::size_t kWords>
HWY_INLINE void decide_lanes(const Item<D, kBits, kWords>& edge, const MateBlock& block,
                             std::size_t first, MateArrivals& out) {
  Mates<D, kBits, kWords> mates(block.states, block.count);
  if constexpr (kWay == Way::either) {
    Mates<D, kBits, kWords> taken = mates;
    mates.skip(edge);
    taken.take(edge);
    mates.or_else(taken);
  } else if constexpr (kWay == Way::skip) {
    mates.skip(edge);
  } else if constexpr (kWay == Way::take) {
    mates.take(edge);
  } else {
    mates.join(edge);
    return mates.append(first, block.from, false, out);
  }
  // Of two decisions one is alive at most, so what is settled of either is settled once.
  if (kWay != Way::skip || !edge.item.stays) mates.settle(edge);
  mates.append(first, block.from, edge.item.is_last, out);
}

template <class D, unsigned kBits, std::size_t kWords, Way kWay>
void decide(const MateItem& shared, const MateBlock& all, MateArrivals& out) {
  using States = Mates<D, kBits, kWords>;
  constexpr std::size_t kLanes = States::kLanes;
  if (kWay == Way::either && States::passes(shared)) {
    return pass<D, kBits, kWords>(shared, all, out);
  }
  // The same without what does not happen there is a third less.
  if (kWay == Way::take && States::joins(shared)) {
    return decide<D, kBits, kWords, Way::join>(shared, all, out);
  }
  const Item<D, kBits, kWords> item(shared);
  // What no store of a vector could change.
  const MateBlock block = all;
  MateArrivals mine = out;
  const std::size_t whole = block.count / kLanes * kLanes, rest = block.count - whole;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    decide_lanes<kWay>(item, {block.states + i * kWords, block.from + i, kLanes}, i, mine);
  }
  if (rest != 0) {
    std::array<std::uint64_t, kLanes * kWords> states{};
    std::array<std::uint16_t, kLanes> from{};
    std::copy_n(block.states + whole * kWords, rest * kWords, states.begin());
    std::copy_n(block.from + whole, rest, from.begin());
    decide_lanes<kWay>(item, {states.data(), from.data(), rest}, whole, mine);
  }
  out = mine;
}

/// By lanes that hold all slots and are the most to a vector.
template <unsigned kBits, std::size_t kWords, Way kWay>
void decide_in_lanes(const MateItem& shared, const MateBlock& block, MateArrivals& out) {
  if constexpr (kWords == 1 && hn::MaxLanes(Wide()) < hn::MaxLanes(Narrow())) {
    if (shared.slots * kBits <= 32) return decide<Narrow, kBits, kWords, kWay>(shared, block, out);
  }
  decide<Wide, kBits, kWords, kWay>(shared, block, out);
}

template <unsigned kBits, std::size_t kWords>
constexpr MateKernelSet::Decisions decisions() {
  return {decide_in_lanes<kBits, kWords, Way::skip>, decide_in_lanes<kBits, kWords, Way::take>,
          decide_in_lanes<kBits, kWords, Way::either>};
}

}  // namespace

extern const MateKernelSet kMateKernels = {decisions<4, 1>(), decisions<5, 2>()};

#endif

}  // namespace kinjo::paths::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::paths::detail {

namespace {

const kinjo::detail::KernelTable<MateKernelSet> kTable = {&kScalarMateKernels,
                                                          KINJO_SIMD_TARGETS(kMateKernels)};

}  // namespace

const MateKernelSet& mate_kernels() { return kinjo::detail::chosen(kTable); }

}  // namespace kinjo::paths::detail
#endif
