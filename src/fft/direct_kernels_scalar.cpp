/// The level `scalar` of direct transforms: vectors of one lane. Compiled without automatic
/// vectorisation.
#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/highway.h>

#include "fft/direct_pass-inl.hpp"

namespace kinjo::fft::detail {

namespace level = kinjo::detail::HWY_NAMESPACE;

const DirectKernels<float> kDirectScalarFloat =
    level::direct_kernels<level::hn::CappedTag<float, 1>>();
const DirectKernels<double> kDirectScalarDouble =
    level::direct_kernels<level::hn::CappedTag<double, 1>>();

}  // namespace kinjo::fft::detail
