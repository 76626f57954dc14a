/// Per target: how the kernels of BLAS-1 read memory, and what some CPUs do otherwise.
#if defined(KINJO_BLAS1_LOADS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_BLAS1_LOADS_INL
#undef KINJO_BLAS1_LOADS_INL
#else
#define KINJO_BLAS1_LOADS_INL
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include <hwy/cache_control.h>

#include "simd/lanes-inl.hpp"
#include "simd/this_cpu.hpp"

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

/// Asks for what lies so many bytes behind `p`, perhaps past the array.
template <std::size_t kBytes, class T>
HWY_INLINE void prefetch_behind(const T* p) {
  const auto behind = reinterpret_cast<std::uintptr_t>(p) + kBytes;
  hwy::Prefetch(reinterpret_cast<const T*>(behind));
}

#if HWY_TARGET == HWY_AVX3
/// A whole vector, and a request for what lies `kBytes` behind it.
template <class D, std::size_t kBytes>
struct WholeAhead {
  D d;
  HWY_INLINE hn::Vec<D> operator()(const hn::TFromD<D>* p) const {
    prefetch_behind<kBytes>(p);
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

/// Elements up to the next address that is aligned to a vector.
template <class D>
HWY_INLINE std::size_t misaligned_elements(D, const hn::TFromD<D>* p) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  return (std::size_t{0} - reinterpret_cast<std::uintptr_t>(p) / sizeof *p) % kLanes;
}

/// What some CPUs do otherwise begins here (simd/this_cpu.hpp): Zen 5 and Intel's have 48 KiB of
/// L1.
constexpr std::size_t kBeyondL1 = std::size_t{48} << 10;

#if HWY_TARGET == HWY_AVX3
/// Vectors of half the width, for a CPU that moves whole ones in two halves (simd/this_cpu.hpp).
template <class T>
using Narrow = hn::CappedTag<T, 32 / sizeof(T)>;
constexpr std::size_t kWellInsideL1 = std::size_t{16} << 10;
constexpr std::size_t kBeyondL2 = std::size_t{1} << 20;

/// Intel's server CPUs with AVX-512 have so much L2, or less.
constexpr std::size_t kPastL2 = std::size_t{2} << 20;

/// Whether so many bytes exceed L1 and fit in L2 of such a CPU, or nearly so.
inline bool lies_in_l2(std::size_t bytes) { return bytes > kBeyondL1 && bytes <= kPastL2; }

/// How far ahead sums ask for memory: Zen 5 well inside a page, as far as it looks itself; Intel's
/// into the page after next, whose address is then known when its own fetching, which ends with the
/// page, begins again there.
constexpr std::size_t kAheadInPage = 2048, kAheadOfPages = 8192;

constexpr std::size_t kInsideL3 = std::size_t{12} << 20;
constexpr std::size_t kBeyondL3 = std::size_t{32} << 20;
#endif

}  // namespace
}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
