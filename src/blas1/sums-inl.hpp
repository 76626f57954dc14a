/// Per target: sums of BLAS-1.
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
#if defined(KINJO_BLAS1_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_BLAS1_SUMS_INL
#undef KINJO_BLAS1_SUMS_INL
#else
#define KINJO_BLAS1_SUMS_INL
#endif

#include "blas1/kernels.hpp"
#include "blas1/loads-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

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

/// Few terms are added in vectors of at most 32 bytes: wider ones cost a call of 16 elements half
/// as much again on Intel's CPUs.
template <class T>
#if HWY_TARGET == HWY_AVX3
using FewTag = Narrow<T>;
#else
using FewTag = hn::ScalableTag<T>;
#endif

template <class T>
HWY_INLINE bool is_few(std::size_t n) {
  return n <= 4 * hn::MaxLanes(hn::ScalableTag<T>());
}

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

/// The fast sum of `n` terms, with `kStep` vectors of them in a step. `op.x` is what the loop is
/// aligned to where that pays.
template <std::size_t kStep = 8, class Load, class Op>
HWY_INLINE auto reduce(const Load& load, std::size_t n, const Op& op) {
  static_assert(kStep == 4 || kStep == 8);
  using D = std::remove_cvref_t<decltype(load.d)>;
  constexpr D d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto zero = hn::Zero(d);
  Eight<hn::Vec<D>> v{zero, zero, zero, zero, zero, zero, zero, zero};
  std::size_t i = 0;
  if (n >= 32 * kLanes) {
    // A load across two lines costs twice.
    i = misaligned_elements(d, op.x);
    if (i != 0) v.v7 = op(First<D>{d, i}, v.v7, 0);
  }
  for (; i + kStep * kLanes <= n; i += kStep * kLanes) {
    if constexpr (kStep == 4) {
      v.v0 = op(load, v.v0, i);
      v.v1 = op(load, v.v1, i + kLanes);
      v.v2 = op(load, v.v2, i + 2 * kLanes);
      v.v3 = op(load, v.v3, i + 3 * kLanes);
    } else {
      v = add_next_terms(load, v, op, i);
    }
  }
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

/// The fast sum of `n` terms that read one array. A CPU that paces itself takes four vectors a step
/// beyond `four_from` bytes.
template <class T, class Op>
HWY_INLINE T reduce_one_array(std::size_t n, const Op& op,
                              [[maybe_unused]] std::size_t four_from = kBeyondL1) {
  using D = hn::ScalableTag<T>;
  if (is_few<T>(n)) return reduce_few(FewTag<T>(), n, op);
#if HWY_TARGET == HWY_AVX3
  const std::size_t bytes = n * sizeof(T);
  if (kPacesItself && bytes > four_from) {
    if (bytes > kPastL2) return reduce<4>(WholeAhead<D, kAheadOfPages>(), n, op);
    return reduce<4>(Whole<D>(), n, op);
  }
  if (kFetchesStreamsSideBySide && bytes > kBeyondL1) {
    const bool fills_l3 = bytes > kInsideL3 && bytes <= kBeyondL3;
    if (bytes > kBeyondL2 && !fills_l3) return reduce(WholeAhead<D, kAheadInPage>(), n, op);
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
  // Two operations a vector share the ports of additions, so four sums are enough in L1 as well.
  return reduce_one_array<T>(n, AbsoluteValues<T>{x}, 0);
}
template <class T>
T dot(const T* x, const T* y, std::size_t n) {
  using D = hn::ScalableTag<T>;
  const Products<T, Rounding::once> products{x, y};
  if (is_few<T>(n)) return reduce_few(FewTag<T>(), n, products);
#if HWY_TARGET == HWY_AVX3
  const std::size_t bytes = 2 * n * sizeof(T);
  if (kPacesItself && bytes > kBeyondL1) {
    if (bytes > kPastL2) return reduce<4>(WholeAhead<D, kAheadOfPages>(), n, products);
    return reduce<4>(Whole<D>(), n, products);
  }
  if (kFetchesStreamsSideBySide && bytes > kBeyondL1 && bytes <= kInsideL3) {
    if (bytes > kBeyondL2) return reduce(WholeAhead<D, kAheadInPage>(), n, products);
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

}  // namespace
}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
