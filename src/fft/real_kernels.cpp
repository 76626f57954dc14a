/// The vector levels of what lies between real numbers and transforms of complex ones.
#include "fft/real_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/real_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/real_pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::RealKernels<float> kReal32 = real_kernels<hn::ScalableTag<float>>();
extern const fft::detail::RealKernels<double> kReal64 = real_kernels<hn::ScalableTag<double>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::RealKernels<float>> kRealFloat = {&fft::detail::kRealScalarFloat,
                                                                 KINJO_SIMD_TARGETS(kReal32)};
const KernelTable<fft::detail::RealKernels<double>> kRealDouble = {&fft::detail::kRealScalarDouble,
                                                                   KINJO_SIMD_TARGETS(kReal64)};

}  // namespace kinjo::detail
#endif
