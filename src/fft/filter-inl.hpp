/// Per target: rows of a buffer times those of a filter, on their way to another buffer.
#if defined(KINJO_FFT_FILTER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_FILTER_INL
#undef KINJO_FFT_FILTER_INL
#else
#define KINJO_FFT_FILTER_INL
#endif

#include "fft/butterfly-inl.hpp"
#include "fft/column_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

template <class D>
void filter(const fft::detail::FilterJob<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  const D d;
  const fft::detail::FilterJob<T> job = given;
  const T* f = job.factors;
  for (std::size_t i = 0; i < job.count; ++i, f += 2 * job.width) {
    const T* const from = job.from + job.from_offsets[i];
    T* const to = job.to + job.to_offsets[i];
    for (std::size_t lane = 0; lane < job.width; lane += hn::MaxLanes(D())) {
      const Complex<hn::Vec<D>> x = {hn::LoadU(d, from + lane),
                                     hn::LoadU(d, from + job.width + lane)};
      const Complex<hn::Vec<D>> factor = {hn::LoadU(d, f + lane),
                                          hn::LoadU(d, f + job.width + lane)};
      const auto y = times(x, factor);
      hn::StoreU(y.im, d, to + lane);
      hn::StoreU(y.re, d, to + job.width + lane);
    }
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
