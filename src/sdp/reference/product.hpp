/// The product of dense matrices, on which all that takes time here is built.
#pragma once

#include <cstddef>
#include <span>

#include <kinjo/sdp.hpp>

#include "sdp/reference/real.hpp"

namespace kinjo::sdp::detail::reference {

/// A matrix in memory: entry (i, j) is data[i · down + j · across].
template <class T>
struct Strided {
  T* data = nullptr;
  std::size_t down = 1, across = 0;

  T& operator()(std::size_t i, std::size_t j) const { return data[i * down + j * across]; }
  Strided at(std::size_t i, std::size_t j) const { return {&(*this)(i, j), down, across}; }
};

/// The matrix in columns of `n` entries, and its transpose.
template <class T>
Strided<T> columns(T* data, std::size_t n) {
  return {data, 1, n};
}
template <class T>
Strided<T> transposed(Strided<T> a) {
  return {a.data, a.across, a.down};
}

/// What is multiplied: rows × inner times inner × columns.
struct ProductShape {
  std::size_t rows = 0, columns = 0, inner = 0;
};

/// C += A B, C −= A B; `a.down` and `c.down` are 1, and C overlaps neither A nor B.
void add_product(ProductShape shape, Strided<const double> a, Strided<const double> b,
                 Strided<double> c);
void add_product(ProductShape shape, Strided<const DoubleDouble> a, Strided<const DoubleDouble> b,
                 Strided<DoubleDouble> c);
void subtract_product(ProductShape shape, Strided<const double> a, Strided<const double> b,
                      Strided<double> c);
void subtract_product(ProductShape shape, Strided<const DoubleDouble> a,
                      Strided<const DoubleDouble> b, Strided<DoubleDouble> c);

/// c_j −= Σ_i A_ij b_i for `rows` rows and `columns` columns; `a.down` is 1.
void subtract_dots(std::size_t rows, std::size_t columns, Strided<const double> a, const double* b,
                   double* c);
void subtract_dots(std::size_t rows, std::size_t columns, Strided<const DoubleDouble> a,
                   const DoubleDouble* b, DoubleDouble* c);

/// F • U for the entries of a symmetric F and any U.
double inner_product(std::span<const Entry> f, Strided<const double> u);
DoubleDouble inner_product(std::span<const Entry> f, Strided<const DoubleDouble> u);

}  // namespace kinjo::sdp::detail::reference
