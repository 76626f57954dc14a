#include "workload/numbers.hpp"

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace kinjo {

namespace {

/// Random bits that depend on the index alone.
std::uint64_t random_bits(std::uint64_t index) {
  return detail::mix((index + 1) * detail::kMixStep);
}

}  // namespace

const char* to_string(Precision precision) noexcept {
  return precision == Precision::double_ ? "double" : "float";
}

std::size_t bytes_of(Precision precision) noexcept {
  return precision == Precision::double_ ? sizeof(double) : sizeof(float);
}

template <class T>
T random_number(std::uint64_t index) {
  constexpr int kDigits = std::numeric_limits<T>::digits;  // of the mantissa, one of them implied
  const std::uint64_t bits = random_bits(index);
  const T magnitude = std::ldexp(static_cast<T>(bits >> (65 - kDigits)), -kDigits) + T{0.5};
  return bits & 1 ? -magnitude : magnitude;
}

template float random_number(std::uint64_t index);
template double random_number(std::uint64_t index);

}  // namespace kinjo
