/// The transforms along several axes: one axis after the other or, where the parts of the array
/// that some of the last axes span fit a cache, those axes part by part, so that the array is read
/// and written once for all of them.
#pragma once

#include "fft/program.hpp"

namespace kinjo::fft::detail {

/// How many of the transformed axes, counted from the last one, are transformed part by part; 0 or
/// at least 2.
std::size_t axes_together(const Problem& problem, const Conditions& conditions);

/// All transformed axes of complex numbers, from `in` to `out`; scaled at last.
template <class T>
void add_axes(Program<T>& program, const Problem& problem);

}  // namespace kinjo::fft::detail
