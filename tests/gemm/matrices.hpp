/// Matrices for tests: in memory with spare elements around each line, which must not change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/gemm.hpp>

namespace kinjo::test {

/// rows × columns in `order`, with `spare` elements between its lines and before the first.
template <class T>
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns, gemm::Order order, std::size_t spare, unsigned seed)
      : rows_(rows),
        columns_(columns),
        order_(order),
        spare_(spare),
        ld_((order == gemm::Order::row_major ? columns : rows) + spare),
        all_(spare + ld_ * (order == gemm::Order::row_major ? rows : columns)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<T> numbers(-1, 1);
    for (T& v : all_) v = numbers(random);
  }
  gemm::View<T> view() { return {all_.data() + spare_, rows_, columns_, order_, ld_or_one()}; }
  gemm::View<const T> view() const {
    return {all_.data() + spare_, rows_, columns_, order_, ld_or_one()};
  }
  void fill(T value) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) *view().at(i, j) = value;
    }
  }
  /// Everything, spare elements too.
  const std::vector<T>& all() const { return all_; }

 private:
  std::size_t ld_or_one() const { return std::max<std::size_t>(ld_, 1); }
  std::size_t rows_, columns_;
  gemm::Order order_;
  std::size_t spare_, ld_;
  std::vector<T> all_;
};

/// A bound for each element's difference between two products: twice that of docs/gemm.md.
template <class T>
Matrix<T> bounds(T alpha, const Matrix<T>& a, const Matrix<T>& b, T beta, const Matrix<T>& c) {
  const auto va = a.view();
  const auto vb = b.view();
  Matrix<T> bound = c;
  const T u = std::numeric_limits<T>::epsilon() / 2;
  for (std::size_t i = 0; i < va.rows; ++i) {
    for (std::size_t j = 0; j < vb.columns; ++j) {
      T sum = beta == 0 ? T{0} : std::abs(beta * *c.view().at(i, j));
      for (std::size_t p = 0; p < va.columns; ++p) {
        sum += std::abs(alpha * *va.at(i, p) * *vb.at(p, j));
      }
      *bound.view().at(i, j) = 2 * static_cast<T>(va.columns + 2) * u * sum;
    }
  }
  return bound;
}

/// Whether `found` is `expected` within `bound`, and the spare elements are the same.
template <class T>
::testing::AssertionResult is_near(Matrix<T>& found, Matrix<T>& expected, Matrix<T>& bound) {
  for (std::size_t i = 0; i < found.view().rows; ++i) {
    for (std::size_t j = 0; j < found.view().columns; ++j) {
      const T x = *found.view().at(i, j), y = *expected.view().at(i, j);
      if (!(std::abs(x - y) <= *bound.view().at(i, j))) {
        return ::testing::AssertionFailure()
               << "element (" << i << ", " << j << ") is " << x << ", expected " << y;
      }
    }
  }
  Matrix<T> x = found, y = expected;
  x.fill(0);
  y.fill(0);
  if (x.all() != y.all()) return ::testing::AssertionFailure() << "wrote outside of C";
  return ::testing::AssertionSuccess();
}

inline constexpr gemm::Order kOrders[] = {gemm::Order::row_major, gemm::Order::column_major};

/// A team of so many threads, more than there may be CPUs.
inline Team make_team(std::size_t threads) {
  return Team(Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap));
}

}  // namespace kinjo::test
