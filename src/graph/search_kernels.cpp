/// A word of 64 asking vertices at a time. Where few of it ask, each is looked at by itself; else
/// all 64 candidates are looked up in the frontier without a branch, by gathers of 8 (AVX2) or 16
/// (AVX-512) where there are such, and those that were not asked for are dropped: a bit that was
/// fetched for nothing costs less than a branch that was guessed wrong.
///
/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "graph/search_kernels.hpp"

#include <algorithm>

#include "graph/fetch.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/search_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

#undef KINJO_GATHERS
#define KINJO_GATHERS (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace kinjo::graph::detail::HWY_NAMESPACE {
namespace {

/// From so many asking vertices of a word on, all of it is looked at.
constexpr int kMany = 10;

HWY_INLINE Word adopt_few(const Vertex* candidates, const Word* frontier, Word asking,
                          Vertex* parents) {
  Word found = 0;
  for (; asking != 0; asking &= asking - 1) {
    const int bit = __builtin_ctzll(asking);
    const Vertex candidate = candidates[bit];
    if (!(frontier[candidate / 64] >> (candidate % 64) & 1)) continue;
    parents[bit] = candidate;
    found |= Word{1} << bit;
  }
  return found;
}

#if KINJO_GATHERS

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<Vertex>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

HWY_INLINE Word bits_of(hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  std::uint16_t bits;
  __builtin_memcpy(&bits, bytes, sizeof bits);
  return bits;
}

HWY_INLINE hn::Mask<D> mask_of(Word bits) {
  std::uint8_t bytes[8];
  __builtin_memcpy(bytes, &bits, sizeof bytes);
  return hn::LoadMaskBits(D(), bytes);
}

/// parents[i] ← values[i] where a bit says so; the others are written as they are.
HWY_INLINE void store_where(Word bits, hn::Vec<D> values, Vertex* parents) {
#if HWY_TARGET == HWY_AVX3
  if (bits != 0) hn::BlendedStore(values, mask_of(bits), D(), parents);
#else
  // AVX2's masked store costs dozens of cycles on AMD's CPUs.
  const auto old = hn::LoadU(D(), parents);
  hn::StoreU(hn::IfThenElse(mask_of(bits), values, old), D(), parents);
#endif
}

/// Which of 64 candidates are in the frontier.
HWY_INLINE Word look_up(const Vertex* candidates, const Word* frontier) {
  const D d;
  const hn::RebindToSigned<D> index;
  const auto* halves = reinterpret_cast<const Vertex*>(frontier);
  const auto last = hn::Set(d, 31);
  Word in = 0;
  for (std::size_t i = 0; i < kWordBits; i += kLanes) {
    const auto candidate = hn::LoadU(d, candidates + i);
    const auto half = hn::GatherIndex(d, halves, hn::BitCast(index, hn::ShiftRight<5>(candidate)));
    // The candidate's bit becomes the sign, which is all that a mask is made of.
    const auto hit = hn::MaskFromVec(hn::Shl(half, hn::AndNot(candidate, last)));
    in |= bits_of(hit) << i;
  }
  return in;
}

HWY_INLINE Word adopt_many(const Vertex* candidates, const Word* frontier, Word asking,
                           Vertex* parents) {
  const D d;
  const Word found = look_up(candidates, frontier) & asking;
  if (found == 0) return 0;
  for (std::size_t i = 0; i < kWordBits; i += kLanes) {
    const Word bits = found >> i & ((Word{1} << kLanes) - 1);
    store_where(bits, hn::LoadU(d, candidates + i), parents + i);
  }
  return found;
}

void orphan(const Word* bits, Vertex* parents, std::size_t words) {
  const D d;
  const auto none = hn::Set(d, kNoVertex);
  for (std::size_t w = 0; w < words; ++w) {
    const Word word = bits[w];
    for (std::size_t i = 0; i < kWordBits; i += kLanes) {
      const Word some = word >> i & ((Word{1} << kLanes) - 1);
      if (some != 0) store_where(some, none, parents + w * kWordBits + i);
    }
  }
}

#else

HWY_INLINE Word adopt_many(const Vertex* candidates, const Word* frontier, Word asking,
                           Vertex* parents) {
  Word found = 0;
  for (std::size_t i = 0; i < kWordBits; ++i) {
    const Vertex candidate = candidates[i];
    found |= (frontier[candidate / 64] >> (candidate % 64) & 1) << i;
  }
  found &= asking;
  for (Word left = found; left != 0; left &= left - 1) {
    const int bit = __builtin_ctzll(left);
    parents[bit] = candidates[bit];
  }
  return found;
}

void orphan(const Word* bits, Vertex* parents, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w, parents += kWordBits) {
    for (Word left = bits[w]; left != 0; left &= left - 1) {
      parents[__builtin_ctzll(left)] = kNoVertex;
    }
  }
}

#endif

Answers adopt(const Vertex* candidates, const Word* frontier, Word* asking, Word* found,
              Vertex* parents, std::size_t words) {
  Answers answers;
  for (std::size_t w = 0; w < words; ++w, candidates += kWordBits, parents += kWordBits) {
    const Word ask = asking[w];
    if (ask == 0) continue;
    const int count = __builtin_popcountll(ask);
    const Word adopted = count < kMany ? adopt_few(candidates, frontier, ask, parents)
                                       : adopt_many(candidates, frontier, ask, parents);
    asking[w] = ask ^ adopted;
    found[w] |= adopted;
    answers.asked += static_cast<unsigned>(count);
    answers.found += static_cast<unsigned>(__builtin_popcountll(adopted));
  }
  return answers;
}

/// What became of rows, put down without a branch: which found a parent nobody can foresee, and a
/// wrong guess costs more than a store.
class Results {
 public:
  Results(WaitingRow* rows, Find* finds) : rows_(rows), finds_(finds) {}

  /// The first `asked` neighbours were asked, and the last of them is a parent or is not.
  HWY_INLINE void add(const WaitingRow& row, std::size_t asked, bool is_found) {
    const Vertex* const next = row.next + asked;
    finds_[looked_.found] = {row.v, next[-1]};
    looked_.found += is_found;
    rows_[looked_.waiting] = {row.v, next, row.end};
    looked_.waiting += !is_found & (next != row.end);
    looked_.asked += asked;
    fetch_to_second(next);
  }
  const Looked& all() const { return looked_; }

 private:
  WaitingRow* const rows_;
  Find* const finds_;
  Looked looked_;
};

#if HWY_TARGET == HWY_AVX3

/// A line is a vector. It is loaded whole: a vector that lay across two lines would wait for the
/// second one even where nothing of it is asked for. Where numbers are left out 0 is looked up.
Looked look(WaitingRow* rows, std::size_t count, const Word* frontier, Find* finds) {
  static_assert(kLanes == kLine);
  const D d;
  const hn::RebindToSigned<D> index;
  const auto* halves = reinterpret_cast<const Vertex*>(frontier);
  const auto last = hn::Set(d, 31);
  Results results(rows, finds);
  for (std::size_t r = 0; r < count; ++r) {
    const WaitingRow row = rows[r];
    const Vertex* const line = line_of(row.next);
    const auto begin = row.next - line, end = end_in_line(row) - line;
    const Word asked = (Word{1} << end) - (Word{1} << begin);
    const auto neighbours = hn::MaskedLoad(mask_of(asked), d, line);
    const auto half = hn::GatherIndex(d, halves, hn::BitCast(index, hn::ShiftRight<5>(neighbours)));
    const auto in = hn::MaskFromVec(hn::Shl(half, hn::AndNot(neighbours, last)));
    const Word hits = bits_of(in) & asked;
    const auto first = hits != 0 ? __builtin_ctzll(hits) + 1 : end;
    results.add(row, static_cast<std::size_t>(first - begin), hits != 0);
  }
  return results.all();
}

#else

/// A few neighbours of a row at a time, all of which are looked up: a wrong guess which is the
/// first in the frontier costs more than bits that are fetched for nothing.
Looked look(WaitingRow* rows, std::size_t count, const Word* frontier, Find* finds) {
  constexpr std::uint32_t kFew = 4;
  Results results(rows, finds);
  for (std::size_t r = 0; r < count; ++r) {
    const WaitingRow row = rows[r];
    const auto few = std::min(kFew, static_cast<std::uint32_t>(end_in_line(row) - row.next));
    std::uint32_t in = 1u << kFew;
    for (std::uint32_t k = 0; k < kFew; ++k) {
      const Vertex u = row.next[std::min(k, few - 1)];
      in |= static_cast<std::uint32_t>(frontier[u / kWordBits] >> u % kWordBits & 1) << k;
    }
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(in));
    results.add(row, std::min(first + 1, few), first < kFew);
  }
  return results.all();
}

#endif

}  // namespace

extern const SearchKernelSet kSearchKernels = {adopt, orphan, look};

}  // namespace kinjo::graph::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::graph::detail {

namespace {

const kinjo::detail::KernelTable<SearchKernelSet> kTable = {&kSearchReference,
                                                            KINJO_SIMD_TARGETS(kSearchKernels)};

}  // namespace

const SearchKernelSet& search_kernels() { return kinjo::detail::chosen(kTable); }

}  // namespace kinjo::graph::detail
#endif
