/// The numbers that computations work on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo {

enum class Precision { single_, double_ };
const char* to_string(Precision precision) noexcept;
std::size_t bytes_of(Precision precision) noexcept;

/// A random number of ±[0.5, 1), exactly, that depends on the index alone. T is float or double.
template <class T>
T random_number(std::uint64_t index);

}  // namespace kinjo
