/// The vector levels of short transforms, float.
#include "fft/short_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/short_kernels_float.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/short_pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::ShortKernels<float> kShort32 = short_kernels<hn::ScalableTag<float>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::ShortKernels<float>> kShortFloat = {&fft::detail::kShortScalarFloat,
                                                                   KINJO_SIMD_TARGETS(kShort32)};

}  // namespace kinjo::detail
#endif
