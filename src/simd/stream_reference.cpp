/// The level `scalar` of STREAM. Compiled without automatic vectorisation.
#include "simd/stream_kernels.hpp"

namespace kinjo::detail {

namespace {

void copy(const double* a, double* c, std::size_t n, Store) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i];
}

void scale(const double* c, double* b, double s, std::size_t n, Store) {
  for (std::size_t i = 0; i < n; ++i) b[i] = s * c[i];
}

void add(const double* a, const double* b, double* c, std::size_t n, Store) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void triad(const double* b, const double* c, double* a, double s, std::size_t n, Store) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

}  // namespace

const StreamKernelSet kStreamReference = {copy, scale, add, triad};

}  // namespace kinjo::detail
