/// The vector levels of direct transforms, float.
#include "fft/direct_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/direct_kernels_float.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/direct_pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::DirectKernels<float> kDirect32 = direct_kernels<hn::ScalableTag<float>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::DirectKernels<float>> kDirectFloat = {
    &fft::detail::kDirectScalarFloat, KINJO_SIMD_TARGETS(kDirect32)};

}  // namespace kinjo::detail
#endif
