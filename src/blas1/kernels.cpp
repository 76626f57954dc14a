/// The vector levels of BLAS-1.
///
/// *Sums.* An addition takes `latency` cycles and `ports` of them start in each cycle, so the loop
/// runs at the ports' speed only with latency × ports sums under way (S0 section 5.3: 4 on K10, 5
/// on K8, 3 on Intel's of its day). Eight vectors cover every CPU of the table in docs/blas1.md,
/// the greediest being Intel's with AVX-512 (4 cycles × 2 ports); where fewer would do, the others
/// cost nothing but a longer end. They have names, since arrays of vectors end up in memory, and
/// are not possible at all where a vector's size is not known at compile time.
///
/// *Block sums.* 64 virtual lanes of doubles (128 of floats) are eight vectors of AVX-512, and two
/// or four strips of eight vectors at the narrower levels, one strip after the other over a block,
/// which lies in L1. No fused multiply-add here, since SSE2 has none.
///
/// *Results in memory* (axpy, scale, copy). First up to a vector's alignment of the output, since a
/// store across two lines costs twice; then four vectors at a time.
#include "blas1/kernels.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "simd/targets.hpp"
#include "simd/this_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "blas1/kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

/// How a term of a sum reads memory: a whole vector, or its first `count` lanes with zeros behind.
template <class D>
struct Whole {
  D d;
  HWY_INLINE hn::Vec<D> operator()(const hn::TFromD<D>* p) const { return hn::LoadU(d, p); }
};
template <class D>
struct First {
  D d;
  std::size_t count;
  HWY_INLINE hn::Vec<D> operator()(const hn::TFromD<D>* p) const { return load_first(d, p, count); }
};

#if HWY_TARGET == HWY_AVX3
/// A whole vector, and a request for what lies 2 KiB behind it.
template <class D>
struct WholeAhead {
  D d;
  HWY_INLINE hn::Vec<D> operator()(const hn::TFromD<D>* p) const {
    const auto behind = reinterpret_cast<std::uintptr_t>(p) + 2048;  // perhaps past the array
    hwy::Prefetch(reinterpret_cast<const hn::TFromD<D>*>(behind));
    return hn::LoadU(d, p);
  }
};
#endif

template <class D>
HWY_INLINE hn::Vec<D> absolute(D d, hn::Vec<D> v) {
  const hn::RebindToSigned<D> bits;
  using Bits = hn::TFromD<hn::RebindToSigned<D>>;
  return hn::BitCast(
      d, hn::And(hn::BitCast(bits, v), hn::Set(bits, std::numeric_limits<Bits>::max())));
}

enum class Rounding { once, twice };  // of a product that is added

template <Rounding kRounding, class V>
HWY_INLINE V multiply_add(V a, V b, V sum) {
  if constexpr (kRounding == Rounding::once) return hn::MulAdd(a, b, sum);
  return hn::Add(sum, hn::Mul(a, b));
}

/// What is added up: `op(load, sum, i)` is `sum` with the terms from element i on.
template <class T>
struct Values {
  const T* x;
  template <class Load, class V>
  HWY_INLINE V operator()(const Load& load, V sum, std::size_t i) const {
    return hn::Add(sum, load(x + i));
  }
};
template <class T>
struct AbsoluteValues {
  const T* x;
  template <class Load, class V>
  HWY_INLINE V operator()(const Load& load, V sum, std::size_t i) const {
    return hn::Add(sum, absolute(load.d, load(x + i)));
  }
};
template <class T, Rounding kRounding>
struct Squares {
  const T* x;
  template <class Load, class V>
  HWY_INLINE V operator()(const Load& load, V sum, std::size_t i) const {
    const V v = load(x + i);
    return multiply_add<kRounding>(v, v, sum);
  }
};
template <class T, Rounding kRounding>
struct Products {
  const T* x;
  const T* y;
  template <class Load, class V>
  HWY_INLINE V operator()(const Load& load, V sum, std::size_t i) const {
    return multiply_add<kRounding>(load(x + i), load(y + i), sum);
  }
};

template <class V>
struct Eight {
  V v0, v1, v2, v3, v4, v5, v6, v7;
};

/// Lane by lane, in the order of the definition: the lower half adds the upper half.
template <class V>
HWY_INLINE V combine(const Eight<V>& v) {
  const V v04 = hn::Add(v.v0, v.v4);
  const V v15 = hn::Add(v.v1, v.v5);
  const V v26 = hn::Add(v.v2, v.v6);
  const V v37 = hn::Add(v.v3, v.v7);
  return hn::Add(hn::Add(v04, v26), hn::Add(v15, v37));
}

/// Elements up to the next address that is aligned to a vector.
template <class D>
HWY_INLINE std::size_t misaligned_elements(D, const hn::TFromD<D>* p) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  return (std::size_t{0} - reinterpret_cast<std::uintptr_t>(p) / sizeof *p) % kLanes;
}

/// What some CPUs do otherwise begins here (simd/this_cpu.hpp): Zen 5 has 48 KiB of L1.
constexpr std::size_t kBeyondL1 = std::size_t{48} << 10;

#if HWY_TARGET == HWY_AVX3
/// Vectors of half the width, for a CPU that moves whole ones in two halves (simd/this_cpu.hpp).
template <class T>
using Narrow = hn::CappedTag<T, 32 / sizeof(T)>;
constexpr std::size_t kWellInsideL1 = std::size_t{16} << 10;
constexpr std::size_t kBeyondL2 = std::size_t{1} << 20;
constexpr std::size_t kInsideL3 = std::size_t{12} << 20;
constexpr std::size_t kBeyondL3 = std::size_t{32} << 20;
#endif

/// Few terms, in two sums: the calls' cost is what counts.
template <class D, class Op>
HWY_INLINE hn::TFromD<D> reduce_few(D d, std::size_t n, const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const Whole<D> whole{d};
  auto v0 = hn::Zero(d), v1 = v0;
  std::size_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    v0 = op(whole, v0, i);
    v1 = op(whole, v1, i + kLanes);
  }
  if (i + kLanes <= n) {
    v0 = op(whole, v0, i);
    i += kLanes;
  }
  if (i < n) v1 = op(First<D>{d, n - i}, v1, i);
  return fold(d, hn::Add(v0, v1));
}

/// Eight sums with eight more vectors of terms: two each from elements i, i + near, i + far and
/// i + far + near on.
template <class Load, class V, class Op>
HWY_INLINE Eight<V> add_terms(const Load& load, const Eight<V>& v, const Op& op, std::size_t i,
                              std::size_t near, std::size_t far) {
  constexpr std::size_t kLanes = hn::MaxLanes(decltype(load.d)());
  return {op(load, v.v0, i),
          op(load, v.v1, i + kLanes),
          op(load, v.v2, i + near),
          op(load, v.v3, i + near + kLanes),
          op(load, v.v4, i + far),
          op(load, v.v5, i + far + kLanes),
          op(load, v.v6, i + far + near),
          op(load, v.v7, i + far + near + kLanes)};
}

/// Eight sums with the next eight vectors of terms, from element i on.
template <class Load, class V, class Op>
HWY_INLINE Eight<V> add_next_terms(const Load& load, const Eight<V>& v, const Op& op,
                                   std::size_t i) {
  constexpr std::size_t kLanes = hn::MaxLanes(decltype(load.d)());
  return add_terms(load, v, op, i, 2 * kLanes, 4 * kLanes);
}

/// The sum of `v` and of the terms from element i on, which are fewer than eight vectors.
template <class D, class Op>
HWY_INLINE hn::TFromD<D> finish(D d, Eight<hn::Vec<D>> v, std::size_t i, std::size_t n,
                                const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const Whole<D> whole{d};
  if (i + 4 * kLanes <= n) {
    v.v0 = op(whole, v.v0, i);
    v.v1 = op(whole, v.v1, i + kLanes);
    v.v2 = op(whole, v.v2, i + 2 * kLanes);
    v.v3 = op(whole, v.v3, i + 3 * kLanes);
    i += 4 * kLanes;
  }
  if (i + 2 * kLanes <= n) {
    v.v4 = op(whole, v.v4, i);
    v.v5 = op(whole, v.v5, i + kLanes);
    i += 2 * kLanes;
  }
  if (i + kLanes <= n) {
    v.v6 = op(whole, v.v6, i);
    i += kLanes;
  }
  if (i < n) v.v7 = op(First<D>{d, n - i}, v.v7, i);
  return fold(d, combine(v));
}

/// The fast sum of `n` terms. `op.x` is what the loop is aligned to where that pays.
template <class Load, class Op>
HWY_INLINE auto reduce(const Load& load, std::size_t n, const Op& op) {
  using D = std::remove_cvref_t<decltype(load.d)>;
  constexpr D d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  if (n <= 4 * kLanes) return reduce_few(d, n, op);
  const auto zero = hn::Zero(d);
  Eight<hn::Vec<D>> v{zero, zero, zero, zero, zero, zero, zero, zero};
  std::size_t i = 0;
  if (n >= 32 * kLanes) {
    // A load across two lines costs twice.
    i = misaligned_elements(d, op.x);
    if (i != 0) v.v7 = op(First<D>{d, i}, v.v7, 0);
  }
  for (; i + 8 * kLanes <= n; i += 8 * kLanes) v = add_next_terms(load, v, op, i);
  return finish(d, v, i, n, op);
}

#if HWY_TARGET == HWY_AVX3
/// The same with `kParts` parts read side by side, for a CPU that fetches several streams sooner
/// than one. A load across two lines does no harm then: it asks for the second one early.
template <std::size_t kParts, class D, class Op>
HWY_INLINE hn::TFromD<D> reduce_parts(D d, std::size_t n, const Op& op) {
  static_assert(kParts == 2 || kParts == 4);
  constexpr std::size_t kLanes = hn::MaxLanes(D()), kStep = 8 * kLanes / kParts;
  const auto zero = hn::Zero(d);
  Eight<hn::Vec<D>> v{zero, zero, zero, zero, zero, zero, zero, zero};
  const std::size_t begin = misaligned_elements(d, op.x) == 0 ? 1 : 0;
  if (begin != 0) v.v7 = op(First<D>{d, begin}, v.v7, 0);
  const std::size_t part = (n - begin) / (8 * kLanes) * kStep;
  const std::size_t near = kParts == 4 ? part : 2 * kLanes, far = kParts == 4 ? 2 * part : part;
  for (std::size_t i = begin; i < begin + part; i += kStep) {
    v = add_terms(Whole<D>{d}, v, op, i, near, far);
  }
  return finish(d, v, begin + kParts * part, n, op);
}
#endif

/// The fast sum of `n` terms that read one array.
template <class T, class Op>
HWY_INLINE T reduce_one_array(std::size_t n, const Op& op) {
  using D = hn::ScalableTag<T>;
#if HWY_TARGET == HWY_AVX3
  const std::size_t bytes = n * sizeof(T);
  if (kFetchesStreamsSideBySide && bytes > kBeyondL1) {
    const bool fills_l3 = bytes > kInsideL3 && bytes <= kBeyondL3;
    if (bytes > kBeyondL2 && !fills_l3) return reduce(WholeAhead<D>(), n, op);
    return reduce_parts<4>(D(), n, op);
  }
#endif
  return reduce(Whole<D>(), n, op);
}

template <class T>
T sum(const T* x, std::size_t n) {
  return reduce_one_array<T>(n, Values<T>{x});
}
template <class T>
T sum_of_squares(const T* x, std::size_t n) {
  return reduce_one_array<T>(n, Squares<T, Rounding::once>{x});
}
template <class T>
T asum(const T* x, std::size_t n) {
  return reduce_one_array<T>(n, AbsoluteValues<T>{x});
}
template <class T>
T dot(const T* x, const T* y, std::size_t n) {
  using D = hn::ScalableTag<T>;
  const Products<T, Rounding::once> products{x, y};
#if HWY_TARGET == HWY_AVX3
  const std::size_t bytes = 2 * n * sizeof(T);
  if (kFetchesStreamsSideBySide && bytes > kBeyondL1 && bytes <= kInsideL3) {
    if (bytes > kBeyondL2) return reduce(WholeAhead<D>(), n, products);
    if (misaligned_elements(D(), x) != 0) return reduce_parts<2>(D(), n, products);
    return reduce(Whole<Narrow<T>>(), n, products);
  }
  if (bytes > kBeyondL2 && (kSplitsWideMoves || kFetchesStreamsSideBySide)) {
    return reduce(Whole<Narrow<T>>(), n, products);
  }
#endif
  return reduce(Whole<D>(), n, products);
}

/// Eight vectors of virtual lanes, from lane `column` on, over the terms `begin` … `end` − 1.
template <class D, class Op>
HWY_INLINE Eight<hn::Vec<D>> sum_strip(D d, std::size_t column, std::size_t begin, std::size_t end,
                                       const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const Whole<D> whole{d};
  const auto zero = hn::Zero(d);
  Eight<hn::Vec<D>> v{zero, zero, zero, zero, zero, zero, zero, zero};
  std::size_t i = begin + column;
  for (; i + 8 * kLanes <= end; i += kVirtualLanes<hn::TFromD<D>>)
    v = add_next_terms(whole, v, op, i);
  if (i >= end) return v;
  const auto rest = [&](auto sum, std::size_t at) HWY_ATTR {
    if (at + kLanes <= end) return op(whole, sum, at);
    return at < end ? op(First<D>{d, end - at}, sum, at) : sum;
  };
  return {rest(v.v0, i),
          rest(v.v1, i + kLanes),
          rest(v.v2, i + 2 * kLanes),
          rest(v.v3, i + 3 * kLanes),
          rest(v.v4, i + 4 * kLanes),
          rest(v.v5, i + 5 * kLanes),
          rest(v.v6, i + 6 * kLanes),
          rest(v.v7, i + 7 * kLanes)};
}

template <class V>
HWY_INLINE Eight<V> add(const Eight<V>& a, const Eight<V>& b) {
  return {hn::Add(a.v0, b.v0), hn::Add(a.v1, b.v1), hn::Add(a.v2, b.v2), hn::Add(a.v3, b.v3),
          hn::Add(a.v4, b.v4), hn::Add(a.v5, b.v5), hn::Add(a.v6, b.v6), hn::Add(a.v7, b.v7)};
}

/// `kStrips` strips, `spacing` virtual lanes apart from `column` on, folded into one: the lower
/// half of them adds the upper half, so those that are added first lie farthest apart.
template <std::size_t kStrips, class D, class Op>
HWY_INLINE Eight<hn::Vec<D>> sum_strips(D d, std::size_t column, std::size_t spacing,
                                        std::size_t begin, std::size_t end, const Op& op) {
  if constexpr (kStrips == 1) {
    return sum_strip(d, column, begin, end, op);
  } else {
    return add(sum_strips<kStrips / 2>(d, column, 2 * spacing, begin, end, op),
               sum_strips<kStrips / 2>(d, column + spacing, 2 * spacing, begin, end, op));
  }
}

template <class T, class Op>
HWY_INLINE void reduce_blocks(std::size_t n, T* sums, const Op& op) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kStrip = 8 * hn::MaxLanes(hn::ScalableTag<T>());
  constexpr std::size_t kStrips = kVirtualLanes<T> / kStrip;
  for (std::size_t begin = 0; begin < n; begin += kBlock<T>) {
    const std::size_t end = n - begin < kBlock<T> ? n : begin + kBlock<T>;
    *sums++ = fold(d, combine(sum_strips<kStrips>(d, 0, kStrip, begin, end, op)));
  }
}

template <class T>
void block_sum(const T* x, std::size_t n, T* sums) {
  reduce_blocks<T>(n, sums, Values<T>{x});
}
template <class T>
void block_sum_of_squares(const T* x, std::size_t n, T* sums) {
  reduce_blocks<T>(n, sums, Squares<T, Rounding::twice>{x});
}
template <class T>
void block_asum(const T* x, std::size_t n, T* sums) {
  reduce_blocks<T>(n, sums, AbsoluteValues<T>{x});
}
template <class T>
void block_dot(const T* x, const T* y, std::size_t n, T* sums) {
  reduce_blocks<T>(n, sums, Products<T, Rounding::twice>{x, y});
}

/// As `write_all` for few elements, which are done sooner as they lie. Fewer than a vector has are
/// written in vectors of half the width, and so on.
template <class D, class Op>
HWY_INLINE void write_few(D d, hn::TFromD<D>* out, std::size_t n, const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if (n < kLanes) {
    if constexpr (kLanes > 1) write_few(hn::Half<D>(), out, n, op);
    return;
  }
  const Whole<D> whole{d};
  const auto tail = op(whole, n - kLanes);
  std::size_t i = 0;
  for (; i + 2 * kLanes < n; i += 2 * kLanes) {
    hn::StoreU(op(whole, i), d, out + i);
    hn::StoreU(op(whole, i + kLanes), d, out + i + kLanes);
  }
  if (i + kLanes < n) hn::StoreU(op(whole, i), d, out + i);
  hn::StoreU(tail, d, out + n - kLanes);
}

/// out[i] ← `op(load, i)` for all elements, in vectors of `d`.
///
/// A vector at the beginning, up to where `out` is aligned, and one at the end cover some elements
/// that whole vectors between them cover as well. Both are computed before anything is written, so
/// that they write the same there, although `out` may be an input of `op`.
template <Write kWrite, class D, class Op>
HWY_INLINE void write_all(D d, hn::TFromD<D>* out, std::size_t n, const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if (n < 16 * kLanes) return write_few(d, out, n, op);
  const Whole<D> whole{d};
  const auto head = op(whole, 0), tail = op(whole, n - kLanes);
  const auto put = [&](auto v, hn::TFromD<D>* to) HWY_ATTR {
    if constexpr (kWrite == Write::streaming) {
      hn::Stream(v, d, to);
    } else {
      hn::StoreU(v, d, to);
    }
  };
  std::size_t i = misaligned_elements(d, out);
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    put(op(whole, i), out + i);
    put(op(whole, i + kLanes), out + i + kLanes);
    put(op(whole, i + 2 * kLanes), out + i + 2 * kLanes);
    put(op(whole, i + 3 * kLanes), out + i + 3 * kLanes);
  }
  // Streaming stores are weakly ordered; other threads must see them when this returns.
  if constexpr (kWrite == Write::streaming) hwy::FlushStream();
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(op(whole, i), d, out + i);
  hn::StoreU(tail, d, out + n - kLanes);
  hn::StoreU(head, d, out);
}

/// As `write_all`, in the vectors that suit this CPU; `bytes` is all that the kernel reads or
/// writes.
template <Write kWrite, class T, class Op>
HWY_INLINE void write(T* out, std::size_t n, [[maybe_unused]] std::size_t bytes, const Op& op) {
#if HWY_TARGET == HWY_AVX3
  if (kSplitsWideMoves && (bytes <= kWellInsideL1 || bytes > kBeyondL2)) {
    return write_all<kWrite>(Narrow<T>(), out, n, op);
  }
#endif
  write_all<kWrite>(hn::ScalableTag<T>(), out, n, op);
}

template <class T, Rounding kRounding>
void axpy(T a, const T* x, T* y, std::size_t n) {
  write<Write::cached>(y, n, 2 * n * sizeof(T), [=](const auto& load, std::size_t i) HWY_ATTR {
    return multiply_add<kRounding>(hn::Set(load.d, a), load(x + i), load(y + i));
  });
}

/// As soon as possible: rounded once, unless additions have ports that fusing would leave idle.
template <class T>
void axpy_fast(T a, const T* x, T* y, std::size_t n) {
  if (kAddsApart) return axpy<T, Rounding::twice>(a, x, y, n);
  axpy<T, Rounding::once>(a, x, y, n);
}

template <class T>
void scale(T a, T* x, std::size_t n) {
  write<Write::cached>(x, n, n * sizeof(T), [=](const auto& load, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::Set(load.d, a), load(x + i));
  });
}

/// Strings may be moved faster up to here (simd/this_cpu.hpp).
constexpr std::size_t kInsideL2 = std::size_t{512} << 10;

template <class T>
void copy(const T* x, T* y, std::size_t n, Write how) {
  const std::size_t bytes = 2 * n * sizeof(T);
  if (kMovesStringsFast && bytes > kBeyondL1 && bytes <= kInsideL2) {
    std::memmove(y, x, n * sizeof(T));  // they may be the same
    return;
  }
  const auto op = [=](const auto& load, std::size_t i) HWY_ATTR { return load(x + i); };
  if (how == Write::streaming) {
    write<Write::streaming>(y, n, bytes, op);
  } else {
    write<Write::cached>(y, n, bytes, op);
  }
}

/// Magnitudes are compared as integers: without their sign bit, floating-point numbers are ordered
/// like their bits, infinity above all numbers and every NaN above infinity.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T>
constexpr BitsOf<T> kInfinityBits = std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());

template <class T>
HWY_INLINE BitsOf<T> magnitude(const T* x) {
  BitsOf<T> bits;
  __builtin_memcpy(&bits, x, sizeof bits);
  return bits & std::numeric_limits<BitsOf<T>>::max();
}

/// The largest lane.
template <class D>
HWY_INLINE hn::TFromD<D> largest(D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  auto most = v[0];
  for (std::size_t i = 1; i < hn::MaxLanes(D()); ++i) most = v[i] > most ? v[i] : most;
  return most;
#else
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<D> half;
    return largest(half, hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
}

/// The magnitudes of a vector of elements, whole or in part.
template <class T>
struct Magnitudes {
  using Values = hn::ScalableTag<T>;
  using Integers = hn::RebindToSigned<Values>;
  const T* x;
  template <class Load>
  HWY_INLINE hn::Vec<Integers> operator()(const Load& load, std::size_t i) const {
    const Integers d;
    const auto mask = hn::Set(d, std::numeric_limits<BitsOf<T>>::max());
    return hn::And(mask, hn::BitCast(d, load(x + i)));
  }
};

/// What the first element that counts has at least, if `most` is the largest magnitude: all NaNs
/// count as the same, next above infinity.
template <class T>
HWY_INLINE BitsOf<T> least_of_best(BitsOf<T> most) {
  return most > kInfinityBits<T> ? kInfinityBits<T> + 1 : most;
}

/// The first index from `i` on whose magnitude is `least` or more; there is one below `n`.
template <class T>
HWY_INLINE std::size_t first_of_at_least(const T* x, std::size_t i, std::size_t n,
                                         BitsOf<T> least) {
  const typename Magnitudes<T>::Integers d;
  const Whole<hn::ScalableTag<T>> whole{};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const auto below = hn::Set(d, least - 1);
  for (; i + kLanes <= n; i += kLanes) {
    const auto found = hn::FindFirstTrue(d, hn::Gt(Magnitudes<T>{x}(whole, i), below));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
  while (magnitude(x + i) < least) ++i;
  return i;
}

/// The largest magnitude of fewer elements than a group has; n > 0.
template <class T>
HWY_INLINE BitsOf<T> largest_of_few(const T* x, std::size_t n) {
  const hn::ScalableTag<T> values;
  const typename Magnitudes<T>::Integers d;
  const Magnitudes<T> magnitudes{x};
  const Whole<hn::ScalableTag<T>> whole{values};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  if (n < kLanes) return largest(d, magnitudes(First<hn::ScalableTag<T>>{values, n}, 0));
  auto most = magnitudes(whole, n - kLanes);  // what is seen twice does no harm
  for (std::size_t i = 0; i + kLanes < n; i += kLanes) most = hn::Max(most, magnitudes(whole, i));
  return largest(d, most);
}

/// Eight vectors at a time are compared with the largest magnitude so far; only a group that
/// exceeds it is looked into, which happens rarely (of m groups in random order about ln m times).
/// Which element of the last such group it was is found at the end.
template <class T>
std::size_t max_abs_index(const T* x, std::size_t n) {
  const typename Magnitudes<T>::Integers d;
  const Magnitudes<T> magnitudes{x};
  const Whole<hn::ScalableTag<T>> whole{};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  constexpr std::size_t kGroup = 8 * kLanes;
  if (n < kGroup) return first_of_at_least(x, 0, n, least_of_best<T>(largest_of_few(x, n)));
  std::size_t group = 0;
  auto bound = hn::Set(d, BitsOf<T>{-1});
  BitsOf<T> most = -1;
  std::size_t i = 0;
  const std::size_t skew = (kLanes - misaligned_elements(hn::ScalableTag<T>(), x)) % kLanes;
  // To the aligned place next to the end of the first group: what is seen twice is not found twice.
  const auto next = [&](std::size_t from) { return from + kGroup - (from == 0 ? skew : 0); };
  const auto larger = [&](std::size_t at) HWY_ATTR {
    return hn::Max(magnitudes(whole, at), magnitudes(whole, at + kLanes));
  };
  for (; i + kGroup <= n; i = next(i)) {
    const auto here = hn::Max(hn::Max(larger(i), larger(i + 2 * kLanes)),
                              hn::Max(larger(i + 4 * kLanes), larger(i + 6 * kLanes)));
    if (hn::AllFalse(d, hn::Gt(here, bound))) continue;
    group = i;
    most = largest(d, here);
    if (most > kInfinityBits<T>) break;
    bound = hn::Set(d, most);
  }
  if (i < n && most <= kInfinityBits<T>) {
    const BitsOf<T> last = largest_of_few(x + i, n - i);
    if (last > most) group = i, most = last;
  }
  return first_of_at_least(x, group, n, least_of_best<T>(most));
}

template <class T>
constexpr Blas1Kernels<T> kKernels = {
    sum<T>,          sum_of_squares<T>,        asum<T>,       dot<T>,
    block_sum<T>,    block_sum_of_squares<T>,  block_asum<T>, block_dot<T>,
    axpy_fast<T>,    axpy<T, Rounding::twice>, scale<T>,      copy<T>,
    max_abs_index<T>};

}  // namespace

extern const Blas1Kernels<float> kFloat = kKernels<float>;
extern const Blas1Kernels<double> kDouble = kKernels<double>;

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<Blas1Kernels<float>> kBlas1Float = {&kReferenceFloat, KINJO_SIMD_TARGETS(kFloat)};
const KernelTable<Blas1Kernels<double>> kBlas1Double = {&kReferenceDouble,
                                                        KINJO_SIMD_TARGETS(kDouble)};

}  // namespace kinjo::detail
#endif
