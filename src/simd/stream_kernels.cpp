/// One loop shape for the four kernels: single elements until the output is aligned, four whole
/// vectors at a time, single vectors, single elements. Four vectors fill a line or more on every
/// target, so that a streaming store's write-combining buffer is filled in one go. With streaming
/// stores the inputs are fetched 1 KiB ahead: the stores leave the hardware's prefetcher fewer
/// slots, and asking early is worth 5 to 7 % on the machines that were tried
/// (docs/performance_stream.md). On Intel's CPUs one input is read as eight pages side by side
/// instead.
///
/// This file is compiled once for each target (Highway includes it again and again); what stands
/// between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE is per target, the rest once.
#include "simd/stream_kernels.hpp"

#include <cstdint>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/stream_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"
#include "simd/pages-inl.hpp"
#include "simd/this_cpu.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using Wide = hn::ScalableTag<double>;
using Single = hn::CappedTag<double, 1>;
using WideVector = hn::Vec<Wide>;

constexpr std::size_t kLine = 64 / sizeof(double);
constexpr std::size_t kAhead = 1024 / sizeof(double);

/// Fetches what `elements` elements from `i` on will need a little later. It may reach beyond the
/// end: a prefetch of an address that is not there does nothing.
template <class... Input>
HWY_INLINE void fetch_ahead(std::size_t i, std::size_t elements, const Input*... inputs) {
  for (std::size_t line = 0; line < elements; line += kLine) {
    (hwy::Prefetch(inputs + i + line + kAhead), ...);
  }
}

/// Calls `op(tag, i)` for the value of elements i, i + 1, … as a vector of `tag`; `inputs` is what
/// it reads.
template <bool kStreaming, class Op, class... Input>
HWY_INLINE void store_all(double* HWY_RESTRICT out, std::size_t n, const Op& op,
                          const Input*... inputs) {
  const Wide wide;
  const Single single;
  const std::size_t lanes = hn::Lanes(wide);
  std::size_t i = 0;
  if constexpr (kStreaming) {
    const std::size_t bytes = lanes * sizeof(double);
    for (; i < n && reinterpret_cast<std::uintptr_t>(out + i) % bytes != 0; ++i) {
      hn::StoreU(op(single, i), single, out + i);
    }
  }
  const auto put = [&](WideVector v, double* to) HWY_ATTR {
    if constexpr (kStreaming) {
      hn::Stream(v, wide, to);
    } else {
      hn::StoreU(v, wide, to);
    }
  };
  const auto put_four = [&](std::size_t j) HWY_ATTR {
    const WideVector v0 = op(wide, j);
    const WideVector v1 = op(wide, j + lanes);
    const WideVector v2 = op(wide, j + 2 * lanes);
    const WideVector v3 = op(wide, j + 3 * lanes);
    put(v0, out + j);
    put(v1, out + j + lanes);
    put(v2, out + j + 2 * lanes);
    put(v3, out + j + 3 * lanes);
  };
  if constexpr (kStreaming && sizeof...(inputs) == 1) {
    if (kPacesItself) i = by_eight_pages<double, 4 * hn::MaxLanes(Wide())>(i, n, put_four);
  }
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    if constexpr (kStreaming) fetch_ahead(i, 4 * lanes, inputs...);
    put_four(i);
  }
  for (; i + lanes <= n; i += lanes) put(op(wide, i), out + i);
  for (; i < n; ++i) hn::StoreU(op(single, i), single, out + i);
  // Streaming stores are weakly ordered; other threads must see them when this returns.
  if constexpr (kStreaming) hwy::FlushStream();
}

template <class Op, class... Input>
HWY_INLINE void store_all(double* out, std::size_t n, Store store, const Op& op,
                          const Input*... inputs) {
  if (store == Store::streaming) {
    store_all<true>(out, n, op, inputs...);
  } else {
    store_all<false>(out, n, op, inputs...);
  }
}

void copy(const double* a, double* c, std::size_t n, Store store) {
  const auto op = [=](auto d, std::size_t i) HWY_ATTR { return hn::LoadU(d, a + i); };
  store_all(c, n, store, op, a);
}

void scale(const double* c, double* b, double s, std::size_t n, Store store) {
  const auto op = [=](auto d, std::size_t i)
                      HWY_ATTR { return hn::Mul(hn::Set(d, s), hn::LoadU(d, c + i)); };
  store_all(b, n, store, op, c);
}

void add(const double* a, const double* b, double* c, std::size_t n, Store store) {
  const auto op = [=](auto d, std::size_t i)
                      HWY_ATTR { return hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)); };
  store_all(c, n, store, op, a, b);
}

void triad(const double* b, const double* c, double* a, double s, std::size_t n, Store store) {
  const auto op = [=](auto d, std::size_t i) HWY_ATTR {
    return hn::Add(hn::LoadU(d, b + i), hn::Mul(hn::Set(d, s), hn::LoadU(d, c + i)));
  };
  store_all(a, n, store, op, b, c);
}

}  // namespace

extern const StreamKernelSet kStream = {copy, scale, add, triad};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {

const KernelTable<StreamKernelSet> kTable = {&kStreamReference, KINJO_SIMD_TARGETS(kStream)};

}  // namespace

void stream_copy(const double* a, double* c, std::size_t n, Store store) {
  chosen(kTable).copy(a, c, n, store);
}
void stream_scale(const double* c, double* b, double s, std::size_t n, Store store) {
  chosen(kTable).scale(c, b, s, n, store);
}
void stream_add(const double* a, const double* b, double* c, std::size_t n, Store store) {
  chosen(kTable).add(a, b, c, n, store);
}
void stream_triad(const double* b, const double* c, double* a, double s, std::size_t n,
                  Store store) {
  chosen(kTable).triad(b, c, a, s, n, store);
}

}  // namespace kinjo::detail
#endif
