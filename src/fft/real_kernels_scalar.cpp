/// The level `scalar` of what lies between real numbers and transforms of complex ones: vectors of
/// one lane. Compiled without automatic vectorisation.
#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/highway.h>

#include "fft/real_pass-inl.hpp"

namespace kinjo::fft::detail {

namespace level = kinjo::detail::HWY_NAMESPACE;

const RealKernels<float> kRealScalarFloat = level::real_kernels<level::hn::CappedTag<float, 1>>();
const RealKernels<double> kRealScalarDouble =
    level::real_kernels<level::hn::CappedTag<double, 1>>();

}  // namespace kinjo::fft::detail
