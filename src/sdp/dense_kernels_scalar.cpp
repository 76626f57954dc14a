/// The level `scalar` of the kernels: by loops, without vectors.
#include <algorithm>
#include <cmath>

#include "sdp/dense_kernels.hpp"

namespace kinjo::sdp::detail {

namespace {

void multiply_rows(std::size_t rows, std::size_t columns, double factor, const double* a,
                   std::size_t ld, const double* x, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += a[r * ld + c] * x[c];
    y[r] += factor * sum;
  }
}

void add_rows(std::size_t rows, std::size_t columns, double factor, const double* a, std::size_t ld,
              const double* x, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double f = factor * x[r];
    for (std::size_t c = 0; c < columns; ++c) y[c] += f * a[r * ld + c];
  }
}

void multiply_symmetric(std::size_t n, const double* a, std::size_t ld, const double* x,
                        double* y) {
  std::fill_n(y, n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] += a[i * ld + i] * x[i];
    for (std::size_t j = i + 1; j < n; ++j) {
      y[i] += a[i * ld + j] * x[j];
      y[j] += a[i * ld + j] * x[i];
    }
  }
}

void forward(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t side = 0; side < kSides; ++side) {
      double x = b[i * ldb + side];
      for (std::size_t j = 0; j < i; ++j) x -= l[i * ld + j] * b[j * ldb + side];
      b[i * ldb + side] = x / l[i * ld + i];
    }
  }
}

void backward(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb) {
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t side = 0; side < kSides; ++side) {
      double x = b[i * ldb + side];
      for (std::size_t j = i + 1; j < n; ++j) x -= l[j * ld + i] * b[j * ldb + side];
      b[i * ldb + side] = x / l[i * ld + i];
    }
  }
}

bool factorise(std::size_t n, double* a) {
  for (std::size_t j = 0; j < n; ++j) {
    double* row = a + j * kFactorBlock;
    if (!(row[j] > 0)) return false;
    row[j] = std::sqrt(row[j]);
    for (std::size_t k = j + 1; k < n; ++k) row[k] /= row[j];
    for (std::size_t k = j + 1; k < n; ++k) {
      for (std::size_t c = k; c < n; ++c) a[k * kFactorBlock + c] -= row[k] * row[c];
    }
  }
  return true;
}

void gather(std::size_t n, const double* from, std::size_t ld, double* to) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t side = 0; side < kSides; ++side) to[i * kSides + side] = from[side * ld + i];
  }
}

void scatter(std::size_t n, const double* from, double* to, std::size_t ld) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t side = 0; side < kSides; ++side) to[side * ld + i] = from[i * kSides + side];
  }
}

}  // namespace

const DenseKernels kReferenceDenseKernels = {
    multiply_rows, add_rows, multiply_symmetric, forward, backward, factorise, gather, scatter};

}  // namespace kinjo::sdp::detail
