/// The level `scalar` of short transforms: vectors of one lane. Compiled without automatic
/// vectorisation.
#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/highway.h>

#include "fft/short_pass-inl.hpp"

namespace kinjo::fft::detail {

namespace level = kinjo::detail::HWY_NAMESPACE;

const ShortKernels<float> kShortScalarFloat =
    level::short_kernels<level::hn::CappedTag<float, 1>>();
const ShortKernels<double> kShortScalarDouble =
    level::short_kernels<level::hn::CappedTag<double, 1>>();

}  // namespace kinjo::fft::detail
