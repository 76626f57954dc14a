/// The level `scalar` of matrix multiplication: the same strips and the same order of additions,
/// one element at a time. Compiled without automatic vectorisation.
#include "gemm/kernels.hpp"

namespace kinjo::detail {

namespace {

constexpr Strips kRows = {4, 1};
constexpr Strips kColumns = {4, 1};

template <class T>
void one_tile(const TileJob<T>& j, std::size_t r0, std::size_t height, std::size_t c0,
              std::size_t width) {
  const T* const x = j.x_step == 0 ? j.x + r0 * j.inner : j.x + r0;
  const T* const y = j.y_step == 0 ? j.y + c0 * j.inner : j.y + c0 * j.y_column;
  const std::size_t x_step = j.x_step == 0 ? height : j.x_step;
  const std::size_t y_step = j.y_step == 0 ? width : j.y_step;
  const std::size_t y_column = j.y_step == 0 ? 1 : j.y_column;
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t r = 0; r < height; ++r) {
      T sum = 0;
      for (std::size_t p = 0; p < j.inner; ++p)
        sum += x[r + p * x_step] * y[c * y_column + p * y_step];
      T& result = j.c[r0 + r + (c0 + c) * j.ldc];
      result = j.beta == 0 ? j.alpha * sum : j.alpha * sum + j.beta * result;
    }
  }
}

template <class T>
void multiply(const TileJob<T>& j) {
  for (std::size_t c = 0, width; c < j.columns; c += width) {
    width = kColumns.width(j.columns - c);
    for (std::size_t r = 0, height; r < j.rows; r += height) {
      height = kRows.width(j.rows - r);
      one_tile(j, r, height, c, width);
    }
  }
}

template <class T>
void pack(const PackJob<T>& j, const Strips& strips) {
  for (std::size_t first = 0, width; first < j.size; first += width) {
    width = strips.width(j.size - first);
    T* const to = j.to + first * j.inner;
    for (std::size_t p = 0; p < j.inner; ++p) {
      for (std::size_t i = 0; i < width; ++i) {
        to[p * width + i] = j.from[(first + i) * j.step + p * j.inner_step];
      }
    }
  }
}

template <class T>
void pack_rows(const PackJob<T>& job) {
  pack(job, kRows);
}
template <class T>
void pack_columns(const PackJob<T>& job) {
  pack(job, kColumns);
}

}  // namespace

const GemmKernels<float> kGemmScalarFloat = {kRows, kColumns, multiply<float>, pack_rows<float>,
                                             pack_columns<float>};
const GemmKernels<double> kGemmScalarDouble = {kRows, kColumns, multiply<double>, pack_rows<double>,
                                               pack_columns<double>};

}  // namespace kinjo::detail
