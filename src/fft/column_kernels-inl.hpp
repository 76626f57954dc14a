/// Per target: the set of kernels with vectors of one kind.
#if defined(KINJO_FFT_COLUMN_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_COLUMN_KERNELS_INL
#undef KINJO_FFT_COLUMN_KERNELS_INL
#else
#define KINJO_FFT_COLUMN_KERNELS_INL
#endif

#include "fft/edge_pass-inl.hpp"
#include "fft/exchange-inl.hpp"
#include "fft/filter-inl.hpp"
#include "fft/line-inl.hpp"
#include "fft/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// Of 32 vector registers, a butterfly of radix 8 keeps its 16 and what it computes with.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr std::size_t kUsualRadix = 8;
#else
inline constexpr std::size_t kUsualRadix = 4;
#endif

/// None for AVX2: its stores past the caches are of half a line, and of rows that lie tiles apart,
/// with loads between them, take more time than is saved (a fifth of the whole on Zen 3).
template <class D>
constexpr auto exchange_kernel() {
#if HWY_TARGET == HWY_AVX2
  return nullptr;
#else
  return exchange<D>;
#endif
}

template <class D, std::size_t kRadix>
constexpr auto exchange_pass_kernel() {
#if HWY_TARGET == HWY_AVX2
  return nullptr;
#else
  return exchange_pass<D, kRadix>;
#endif
}

template <class D, std::size_t kRadix>
constexpr typename fft::detail::ColumnKernels<hn::TFromD<D>>::Pass passes() {
  return {
      pass<D, kRadix, Twiddles::none, Place::same>, pass<D, kRadix, Twiddles::some, Place::same>,
      pass<D, kRadix, Twiddles::none, Place::other>, pass<D, kRadix, Twiddles::some, Place::other>};
}

template <class D, std::size_t kRadix>
constexpr typename fft::detail::ColumnKernels<hn::TFromD<D>>::EdgePass edge_passes() {
  return {first_pass<D, kRadix>, last_pass<D, kRadix>, exchange_pass_kernel<D, kRadix>()};
}

template <class D, std::size_t... kIndex, std::size_t... kEdge>
constexpr fft::detail::ColumnKernels<hn::TFromD<D>> column_kernels(std::index_sequence<kIndex...>,
                                                                   std::index_sequence<kEdge...>) {
  return {kUsualRadix,
          {passes<D, fft::detail::kRadices[kIndex]>()...},
          passes<D, 0>(),
          {edge_passes<D, fft::detail::kEdgeRadices[kEdge]>()...},
          load<D>,
          store<D>,
          exchange_kernel<D>(),
          filter<D>};
}
template <class D>
constexpr fft::detail::ColumnKernels<hn::TFromD<D>> column_kernels() {
  return column_kernels<D>(std::make_index_sequence<std::size(fft::detail::kRadices)>(),
                           std::make_index_sequence<std::size(fft::detail::kEdgeRadices)>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
