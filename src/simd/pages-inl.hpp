/// Per target: the order in which much is streamed.
#if defined(KINJO_SIMD_PAGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_SIMD_PAGES_INL
#undef KINJO_SIMD_PAGES_INL
#else
#define KINJO_SIMD_PAGES_INL
#endif

#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

/// Calls `step(i)` for steps of `kStep` elements from element `begin` on, a step of each of eight
/// pages before the next step of the first, as long as eight whole pages are left before element
/// `n`. Returns the first element that is left.
///
/// A core's own prefetching ends at a page's end and follows many pages at a time: with eight under
/// way more lines are on their way (docs/performance_blas1.md).
template <class T, std::size_t kStep, class Step>
HWY_INLINE std::size_t by_eight_pages(std::size_t begin, std::size_t n, const Step& step) {
  constexpr std::size_t kPage = 4096 / sizeof(T), kPages = 8;
  static_assert(kPage % kStep == 0);
  for (; begin + kPages * kPage <= n; begin += kPages * kPage) {
    for (std::size_t i = begin; i < begin + kPage; i += kStep) {
      for (std::size_t page = 0; page < kPages; ++page) step(i + page * kPage);
    }
  }
  return begin;
}

}  // namespace
}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
