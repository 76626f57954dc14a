/// Loads are kept by an `and` of eight vectors, the cheapest operation there is on every CPU; they
/// have names, see blas1/kernels.cpp. Stores take four vectors at a time.
///
/// Compiled once for each target, see stream_kernels.cpp.
#include "simd/move_kernels.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/move_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using Whole = hn::ScalableTag<double>;
#if HWY_TARGET == HWY_AVX3
using Half = hn::CappedTag<double, 4>;
constexpr std::size_t kWidths = 2;
#else
using Half = Whole;
constexpr std::size_t kWidths = 1;
#endif

template <class D>
HWY_INLINE auto bits(D d, const double* p) {
  return hn::BitCast(hn::RebindToSigned<D>(), hn::LoadU(d, p));
}

/// Each pass reads and writes anew, as far as the compiler knows.
HWY_INLINE void forget() { asm volatile("" ::: "memory"); }
template <class V>
HWY_INLINE void keep(V& v) {
  asm volatile("" : "+m"(v));
}

template <class D, class Load>
HWY_INLINE void load_all(D, std::size_t n, std::size_t passes, const Load& load) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  auto v0 = hn::Zero(hn::RebindToSigned<D>());
  auto v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0;
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; i += 8 * kLanes) {
      v0 = hn::And(v0, load(i));
      v1 = hn::And(v1, load(i + kLanes));
      v2 = hn::And(v2, load(i + 2 * kLanes));
      v3 = hn::And(v3, load(i + 3 * kLanes));
      v4 = hn::And(v4, load(i + 4 * kLanes));
      v5 = hn::And(v5, load(i + 5 * kLanes));
      v6 = hn::And(v6, load(i + 6 * kLanes));
      v7 = hn::And(v7, load(i + 7 * kLanes));
    }
    forget();
  }
  keep(v0), keep(v1), keep(v2), keep(v3), keep(v4), keep(v5), keep(v6), keep(v7);
}

template <class D, class Value, class Put>
HWY_INLINE void store_all(D, std::size_t n, std::size_t passes, const Value& value,
                          const Put& put) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; i += 4 * kLanes) {
      put(value(i), i);
      put(value(i + kLanes), i + kLanes);
      put(value(i + 2 * kLanes), i + 2 * kLanes);
      put(value(i + 3 * kLanes), i + 3 * kLanes);
    }
    forget();
  }
}

/// As usual.
template <class D>
struct Put {
  D d;
  double* y;
  template <class V>
  HWY_INLINE void operator()(V v, std::size_t i) const {
    hn::StoreU(hn::BitCast(d, v), d, y + i);
  }
};

template <class D>
void load(const double* x, double*, std::size_t n, std::size_t passes) {
  const D d;
  load_all(d, n, passes, [=](std::size_t i) HWY_ATTR { return bits(d, x + i); });
}
template <class D>
void load_two(const double* x, double* y, std::size_t n, std::size_t passes) {
  const D d;
  load_all(d, n, passes,
           [=](std::size_t i) HWY_ATTR { return hn::And(bits(d, x + i), bits(d, y + i)); });
}
template <class D>
void store(const double*, double* y, std::size_t n, std::size_t passes) {
  const D d;
  const auto constant = hn::BitCast(hn::RebindToSigned<D>(), hn::Set(d, 0.75));
  store_all(
      d, n, passes, [=](std::size_t) HWY_ATTR { return constant; }, Put<D>{d, y});
}
template <class D>
void load_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  const D d;
  store_all(
      d, n, passes, [=](std::size_t i) HWY_ATTR { return bits(d, x + i); }, Put<D>{d, y});
}
template <class D>
void load_two_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  const D d;
  store_all(
      d, n, passes, [=](std::size_t i) HWY_ATTR { return hn::And(bits(d, x + i), bits(d, y + i)); },
      Put<D>{d, y});
}
template <class D>
void load_stream(const double* x, double* y, std::size_t n, std::size_t passes) {
  const D d;
  store_all(
      d, n, passes, [=](std::size_t i) HWY_ATTR { return bits(d, x + i); },
      [=](auto v, std::size_t i) HWY_ATTR { hn::Stream(hn::BitCast(d, v), d, y + i); });
  hwy::FlushStream();
}

}  // namespace

extern const MoveKernelSet kMoveLoops = {kWidths,
                                         {{{load<Whole>, load<Half>},
                                           {load_two<Whole>, load_two<Half>},
                                           {store<Whole>, store<Half>},
                                           {load_store<Whole>, load_store<Half>},
                                           {load_two_store<Whole>, load_two_store<Half>},
                                           {load_stream<Whole>, load_stream<Half>}}}};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {
const KernelTable<MoveKernelSet> kTable = {&kMoveReference, KINJO_SIMD_TARGETS(kMoveLoops)};
}

std::span<const MoveLoop> move_loops(Moves moves) {
  const MoveKernelSet& set = chosen(kTable);
  return std::span(set.loops[static_cast<std::size_t>(moves)]).first(set.widths);
}

}  // namespace kinjo::detail
#endif
