/// The level `scalar` of transforms in columns: vectors of one lane. Compiled without automatic
/// vectorisation.
#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/highway.h>

#include "fft/column_kernels-inl.hpp"

namespace kinjo::fft::detail {

namespace level = kinjo::detail::HWY_NAMESPACE;

const ColumnKernels<float> kColumnsScalarFloat =
    level::column_kernels<level::hn::CappedTag<float, 1>>();
const ColumnKernels<double> kColumnsScalarDouble =
    level::column_kernels<level::hn::CappedTag<double, 1>>();

}  // namespace kinjo::fft::detail
