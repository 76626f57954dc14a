/// The number types of the reference: double, and about 32 digits.
#pragma once

#include <cmath>

#include "base/double_double.hpp"

namespace kinjo::sdp::detail::reference {

using kinjo::detail::DoubleDouble;

inline double to_double(double a) { return a; }
inline double to_double(DoubleDouble a) { return a.high; }
inline double root(double a) { return std::sqrt(a); }
inline DoubleDouble root(DoubleDouble a) { return sqrt(a); }

/// The distance from 1 to the next number, roughly.
template <class Real>
inline constexpr double kEpsilon = 0x1p-52;
template <>
inline constexpr double kEpsilon<DoubleDouble> = 0x1p-104;

}  // namespace kinjo::sdp::detail::reference
