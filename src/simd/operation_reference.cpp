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

double burst(double x, double y, double z, std::size_t n) {
  double v[kVectors];
  for (std::size_t k = 0; k < kVectors; ++k) v[k] = x + static_cast<double>(k);
  for (; n > 0; --n) {
    for (double& each : v) each = each * y + z;
  }
  double sum = 0;
  for (double each : v) sum += each;
  return sum;
}

}  // namespace

const OperationKernelSet kOperationReference = {1, kVectors, false, scalar, vector, burst};

}  // namespace kinjo::detail
