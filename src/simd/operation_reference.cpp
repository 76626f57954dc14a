/// The level `scalar` of the arithmetic chains: one double at a time, unfused.
#include "simd/operation_kernels.hpp"

namespace kinjo::detail {

namespace {

double step(Operation operation, double x, double y, double z) {
  switch (operation) {
    case Operation::add:
      return x + y;
    case Operation::multiply:
      return x * y;
    case Operation::fma:
      return x * y + z;
  }
  return x;
}

double scalar(Operation operation, double x, double y, double z, std::size_t n) {
  for (; n > 0; --n) x = step(operation, x, y, z);
  return x;
}

void vector(Operation operation, double* x, double y, double z, std::size_t n) {
  *x = scalar(operation, *x, y, z, n);
}

constexpr std::size_t kVectors = 8;

template <class T>
T step(Arithmetic arithmetic, T v, T y, T z) {
  switch (arithmetic) {
    case Arithmetic::add:
      return v + z;
    case Arithmetic::multiply:
      return v * y;
    case Arithmetic::fma:
    case Arithmetic::multiply_add:
      return v * y + z;
  }
  return v;
}

template <class T, Arithmetic kArithmetic>
T burst_of(T x, T y, T z, std::size_t n) {
  T v[kVectors];
  for (std::size_t k = 0; k < kVectors; ++k) v[k] = x + static_cast<T>(k);
  for (; n > 0; --n) {
    for (T& each : v) each = step(kArithmetic, each, y, z);
  }
  T sum = 0;
  for (T each : v) sum += each;
  return sum;
}

template <class T>
T burst(Arithmetic arithmetic, T x, T y, T z, std::size_t n) {
  switch (arithmetic) {
    case Arithmetic::add:
      return burst_of<T, Arithmetic::add>(x, y, z, n);
    case Arithmetic::multiply:
      return burst_of<T, Arithmetic::multiply>(x, y, z, n);
    case Arithmetic::fma:
    case Arithmetic::multiply_add:
      break;
  }
  return burst_of<T, Arithmetic::multiply_add>(x, y, z, n);
}

}  // namespace

const OperationKernelSet kOperationReference = {1,      kVectors,      false,       scalar,
                                                vector, burst<double>, burst<float>};

}  // namespace kinjo::detail
