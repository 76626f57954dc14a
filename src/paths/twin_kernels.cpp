/// Compiled once for each target, see simd/stream_kernels.cpp.
///
/// A state is 16 bytes, one for each slot, so that to look a mark up, and to put bytes elsewhere,
/// is a shuffle. A twin's byte has what it is above the place that it has come from; a sorting
/// network puts the bytes of a class in order, and another one, of where they have come from, tells
/// where each has gone. Nothing branches on a state.
#include "paths/twin_kernels.hpp"

#include <algorithm>
#include <array>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/twin_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinjo::paths::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Without shuffles of bytes.
extern const TwinKernelSet kTwinKernels = {nullptr};

#else

namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint8_t, 64>;
using Vector = hn::Vec<D>;
using Words = hn::Repartition<std::uint64_t, D>;
using Halves = hn::Repartition<std::uint16_t, D>;
/// Of a vector.
constexpr std::size_t kStates = hn::MaxLanes(Words());

HWY_INLINE Vector table(const TwinTables::Bytes& bytes) {
  return hn::LoadDup128(D(), bytes.data());
}
HWY_INLINE Vector number(unsigned n) { return hn::Set(D(), static_cast<std::uint8_t>(n)); }
HWY_INLINE Vector look_up(Vector bytes, Vector places) {
  return hn::TableLookupBytes(bytes, places);
}

/// Of bytes below 16 these above their place, and the other way round.
HWY_INLINE Vector raised(Vector v) {
  return hn::BitCast(D(), hn::ShiftLeft<4>(hn::BitCast(Halves(), v)));
}
HWY_INLINE Vector lowered(Vector v) {
  return hn::BitCast(D(), hn::ShiftRight<4>(hn::BitCast(Halves(), v)));
}
HWY_INLINE Vector low(Vector v) { return hn::And(v, number(0x0F)); }
HWY_INLINE Vector high(Vector v) { return hn::And(v, number(0xF0)); }

constexpr TwinTables::Bytes kHere = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
/// The first of two bytes each, in the lower or the upper half; what is no byte is zero.
constexpr TwinTables::Bytes kToLower = {0,    2,    4,    6,    8,    10,   12,   14,
                                        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
constexpr TwinTables::Bytes kToUpper = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                        0,    2,    4,    6,    8,    10,   12,   14};

/// An item's tables, as vectors.
class Ordering {
 public:
  explicit Ordering(const TwinTables& tables)
      : tables_(tables),
        here_(table(kHere)),
        slots_(table(tables.slots)),
        places_(table(tables.places)),
        keys_(table(tables.keys)),
        own_keys_(table(tables.own_keys)),
        singles_(table(tables.singles)),
        pairs_(table(tables.pairs)),
        first_(table(tables.first)),
        settled_(table(tables.settled)) {}

  /// Of `kStates` states.
  HWY_INLINE void order(std::uint64_t* states) const {
    const Vector both = hn::BitCast(D(), hn::LoadU(Words(), states));
    const Vector even = low(both), odd = low(lowered(both));
    const Vector lower = packed(order(hn::InterleaveLower(D(), even, odd)), kToLower);
    const Vector upper = packed(order(hn::InterleaveUpper(D(), even, odd)), kToUpper);
    hn::StoreU(hn::BitCast(Words(), hn::Or(lower, upper)), Words(), states);
  }

 private:
  static HWY_INLINE Vector packed(Vector fields, const TwinTables::Bytes& where) {
    return hn::TableLookupBytesOr0(hn::Or(fields, lowered(fields)), table(where));
  }

  HWY_INLINE Vector order(Vector fields) const {
    const Vector marks = hn::Xor(look_up(fields, slots_), slots_);
    const Vector mates = settled(look_up(places_, marks));
    const Vector by_key = sorted(hn::Or(hn::Or(raised(key_of(mates)), here_), singles_));
    const Vector from = low(by_key);
    const Vector to = low(sorted(hn::Or(raised(from), here_)));
    Vector found = look_up(to, look_up(mates, from));
    const Vector keys = high(by_key);
    if (tables_.are_several) found = uncrossed(keys, found);
    found = hn::IfThenElse(hn::Eq(keys, hn::Zero(D())), pairs_, found);
    return look_up(hn::Xor(look_up(slots_, found), slots_), places_);
  }

  HWY_INLINE Vector settled(Vector mates) const {
    const Vector own = hn::IfThenElseZero(hn::Eq(mates, here_), settled_);
    return hn::Or(mates, low(own));
  }

  /// 0 of those whose mates are in their own class, 3 of untouched ones.
  HWY_INLINE Vector key_of(Vector mates) const {
    const Vector key = look_up(keys_, mates);
    const Vector of_others = hn::IfThenElseZero(hn::Ne(key, own_keys_), key);
    return hn::IfThenElse(hn::Eq(mates, here_), number(3), of_others);
  }

  HWY_INLINE Vector sorted(Vector v) const {
    for (const TwinTables::Layer& layer : tables_.layers) {
      const Vector partner = look_up(v, table(layer.partner));
      const auto greater = hn::MaskFromVec(table(layer.greater));
      v = hn::IfThenElse(greater, hn::Max(v, partner), hn::Min(v, partner));
    }
    return v;
  }

  /// Those of a class whose mates are in another one stand side by side, as these do: the first one
  /// gets the first, and so on.
  HWY_INLINE Vector uncrossed(Vector keys, Vector found) const {
    const auto begins =
        hn::Or(hn::Ne(keys, hn::ShiftLeftBytes<1>(D(), keys)), hn::Eq(first_, number(0xFF)));
    Vector start = hn::IfThenElseZero(begins, here_);
    start = hn::Max(start, hn::ShiftLeftBytes<1>(D(), start));
    start = hn::Max(start, hn::ShiftLeftBytes<2>(D(), start));
    start = hn::Max(start, hn::ShiftLeftBytes<4>(D(), start));
    start = hn::Max(start, hn::ShiftLeftBytes<8>(D(), start));
    const auto has_mate = hn::Eq(hn::Max(keys, number(0x30)), keys);
    const Vector number_there = hn::IfThenElseZero(has_mate, hn::Sub(here_, start));
    return hn::Add(look_up(start, found), number_there);
  }

  const TwinTables& tables_;
  Vector here_, slots_, places_, keys_, own_keys_, singles_, pairs_, first_, settled_;
};

void order(const TwinTables& tables, std::uint64_t* states, std::size_t count) {
  const Ordering ordering(tables);
  const std::size_t whole = count / kStates * kStates, rest = count - whole;
  for (std::size_t i = 0; i < whole; i += kStates) ordering.order(states + i);
  if (rest == 0) return;
  std::array<std::uint64_t, kStates> last{};
  std::copy_n(states + whole, rest, last.begin());
  ordering.order(last.data());
  std::copy_n(last.begin(), rest, states + whole);
}

}  // namespace

extern const TwinKernelSet kTwinKernels = {order};

#endif

}  // namespace kinjo::paths::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::paths::detail {

namespace {

const TwinKernelSet kScalarTwinKernels = {nullptr};
const kinjo::detail::KernelTable<TwinKernelSet> kTable = {&kScalarTwinKernels,
                                                          KINJO_SIMD_TARGETS(kTwinKernels)};

}  // namespace

const TwinKernelSet& twin_kernels() { return kinjo::detail::chosen(kTable); }

}  // namespace kinjo::paths::detail
#endif
