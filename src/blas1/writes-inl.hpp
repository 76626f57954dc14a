/// Per target: the kernels of BLAS-1 whose results lie in memory (axpy, scale, copy). First up to a
/// vector's alignment of the output, since a store across two lines costs twice; then four vectors
/// at a time.
#if defined(KINJO_BLAS1_WRITES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_BLAS1_WRITES_INL
#undef KINJO_BLAS1_WRITES_INL
#else
#define KINJO_BLAS1_WRITES_INL
#endif

#include <cstring>

#include <hwy/cache_control.h>

#include "blas1/kernels.hpp"
#include "blas1/loads-inl.hpp"
#include "simd/pages-inl.hpp"

// Lambdas that the compiler must not leave to calls: what they capture would have to go to memory.
#ifndef KINJO_BLAS1_INLINE
#define KINJO_BLAS1_INLINE HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

/// Whether aligning the output would cost more than it saves.
template <class D>
HWY_INLINE bool are_few(D, std::size_t n) {
  return n < 16 * hn::MaxLanes(D());
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

/// How results are stored.
enum class Stores {
  cached,
  asked_for,  ///< likewise, their lines having been asked for a little earlier
  streaming,
};

/// out[i] ← `op(load, i)` from element i on, where `out` is aligned, as far as whole vectors go.
/// Returns the first element that is left.
template <Stores kStores, class D, class Op>
HWY_INLINE std::size_t write_vectors(D d, hn::TFromD<D>* out, std::size_t i, std::size_t n,
                                     const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const Whole<D> whole{d};
  const auto put = [&](auto v, hn::TFromD<D>* to) KINJO_BLAS1_INLINE {
    if constexpr (kStores == Stores::streaming) {
      hn::Stream(v, d, to);
    } else {
      if constexpr (kStores == Stores::asked_for) prefetch_behind<256>(to);
      hn::StoreU(v, d, to);
    }
  };
  const auto put_four = [&](std::size_t j) KINJO_BLAS1_INLINE {
    put(op(whole, j), out + j);
    put(op(whole, j + kLanes), out + j + kLanes);
    put(op(whole, j + 2 * kLanes), out + j + 2 * kLanes);
    put(op(whole, j + 3 * kLanes), out + j + 3 * kLanes);
  };
  if constexpr (kStores == Stores::streaming) {
    if (kPacesItself) i = by_eight_pages<hn::TFromD<D>, 4 * kLanes>(i, n, put_four);
  }
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) put_four(i);
  // Streaming stores are weakly ordered; other threads must see them when this returns.
  if constexpr (kStores == Stores::streaming) hwy::FlushStream();
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(op(whole, i), d, out + i);
  return i;
}

/// out[i] ← `op(load, i)` for all elements, in vectors of `d`.
///
/// A vector at the beginning, up to where `out` is aligned, and one at the end cover some elements
/// that whole vectors between them cover as well. Both are computed before anything is written, so
/// that they write the same there, although `out` may be an input of `op`.
template <Stores kStores, class D, class Op>
HWY_INLINE void write_all(D d, hn::TFromD<D>* out, std::size_t n, const Op& op) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if (are_few(d, n)) return write_few(d, out, n, op);
  const std::size_t aligned = misaligned_elements(d, out);
#if HWY_TARGET == HWY_AVX3
  if (kStoresLanesFast) {
    if (aligned > 0) store_first(op(First<D>{d, aligned}, 0), d, out, aligned);
    const std::size_t i = write_vectors<kStores>(d, out, aligned, n, op);
    if (i < n) store_first(op(First<D>{d, n - i}, i), d, out + i, n - i);
    return;
  }
#endif
  const Whole<D> whole{d};
  const auto head = op(whole, 0), tail = op(whole, n - kLanes);
  write_vectors<kStores>(d, out, aligned, n, op);
  hn::StoreU(tail, d, out + n - kLanes);
  hn::StoreU(head, d, out);
}

/// As `write_all`, in the vectors that suit this CPU; `bytes` is all that the kernel reads or
/// writes.
template <Stores kStores, class T, class Op>
HWY_INLINE void write_many(T* out, std::size_t n, [[maybe_unused]] std::size_t bytes,
                           const Op& op) {
#if HWY_TARGET == HWY_AVX3
  const bool narrow = kSplitsWideMoves ? bytes <= kWellInsideL1 || bytes > kBeyondL2
                                       : kPacesItself && bytes > kBeyondL1 && bytes <= kBeyondL3;
  if (narrow) return write_all<kStores>(Narrow<T>(), out, n, op);
#endif
  write_all<kStores>(hn::ScalableTag<T>(), out, n, op);
}

/// Likewise; few elements come first, and wait for none of its choices.
template <class T, class Op>
HWY_INLINE void write(T* out, std::size_t n, std::size_t bytes, const Op& op) {
#if HWY_TARGET == HWY_AVX3
  if (kSplitsWideMoves) return write_many<Stores::cached>(out, n, bytes, op);
#endif
  if (are_few(hn::ScalableTag<T>(), n)) return write_few(hn::ScalableTag<T>(), out, n, op);
  write_many<Stores::cached>(out, n, bytes, op);
}

template <class T, Rounding kRounding>
void axpy(T a, const T* x, T* y, std::size_t n) {
  write(y, n, 2 * n * sizeof(T), [=](const auto& load, std::size_t i) KINJO_BLAS1_INLINE {
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
  write(x, n, n * sizeof(T), [=](const auto& load, std::size_t i) KINJO_BLAS1_INLINE {
    return hn::Mul(hn::Set(load.d, a), load(x + i));
  });
}

/// Strings may be moved faster up to here (simd/this_cpu.hpp).
constexpr std::size_t kInsideL2 = std::size_t{512} << 10;

/// Copies beyond the first level of cache. A function of its own: few elements then save none of
/// its registers.
template <class T>
HWY_NOINLINE void copy_much(const T* x, T* y, std::size_t n, Write how) {
  const std::size_t bytes = 2 * n * sizeof(T);
  if (kMovesStringsFast && bytes <= kInsideL2) {
    std::memmove(y, x, n * sizeof(T));  // they may be the same
    return;
  }
  const auto op = [=](const auto& load, std::size_t i) KINJO_BLAS1_INLINE { return load(x + i); };
  if (how == Write::streaming) return write_many<Stores::streaming>(y, n, bytes, op);
#if HWY_TARGET == HWY_AVX3
  if (kPacesItself && lies_in_l2(bytes)) {
    return write_all<Stores::asked_for>(hn::ScalableTag<T>(), y, n, op);
  }
#endif
  write_many<Stores::cached>(y, n, bytes, op);
}

template <class T>
void copy(const T* x, T* y, std::size_t n, Write how) {
  const std::size_t bytes = 2 * n * sizeof(T);
  if (bytes > kBeyondL1) return copy_much(x, y, n, how);
  const auto op = [=](const auto& load, std::size_t i) KINJO_BLAS1_INLINE { return load(x + i); };
  write(y, n, bytes, op);
}

}  // namespace
}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
