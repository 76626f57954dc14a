/// Samples in higher precision, and Freivalds' test on all of C.
///
/// Freivalds: for x with elements ±1, A(Bx) costs two matrix-vector products. Beside each vector
/// goes the same computed of magnitudes, from which the bound of each row follows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <kinjo/gemm.hpp>

#include "gemm/arguments.hpp"

namespace kinjo::gemm {

namespace {

using Wide = long double;

/// A vector, and the sum of the magnitudes that each of its elements was added up from.
struct Vector {
  std::vector<Wide> value, magnitude;
  explicit Vector(std::size_t n) : value(n), magnitude(n) {}
};

/// y ← y + factor·M·x, line by line as M lies in memory.
template <class T>
void add_product(Wide factor, View<const T> m, const Vector& x, Vector& y) {
  const auto add = [&](std::size_t i, std::size_t j) {
    const Wide v = factor * static_cast<Wide>(*m.at(i, j));
    y.value[i] += v * x.value[j];
    y.magnitude[i] += std::abs(v) * x.magnitude[j];
  };
  if (m.order == Order::row_major) {
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.columns; ++j) add(i, j);
    }
  } else {
    for (std::size_t j = 0; j < m.columns; ++j) {
      for (std::size_t i = 0; i < m.rows; ++i) add(i, j);
    }
  }
}

/// The arguments of a check.
template <class T>
struct Product {
  Wide alpha;
  View<const T> a, b;
  Wide beta;
  View<const T> before, c;

  bool has_product() const { return alpha != 0 && a.columns > 0; }
  /// The error that a sum of magnitudes allows: of the product, and of evaluating it here over
  /// `terms` more terms.
  Wide bound(Wide magnitude, std::size_t terms) const {
    const auto k = static_cast<Wide>(a.columns);
    const Wide u = std::numeric_limits<T>::epsilon() / 2;
    const Wide here = std::numeric_limits<Wide>::epsilon();
    const Wide underflow = (k + 2) * std::numeric_limits<T>::min();
    const Wide relative = (k + 2) * u / (1 - (k + 2) * u) + (k + static_cast<Wide>(terms)) * here;
    return relative * magnitude + underflow;
  }
};

template <class T>
void check_samples(const Product<T>& p, const CheckOptions& options, std::mt19937_64& random,
                   Check& check) {
  for (std::size_t s = 0; s < options.samples; ++s) {
    const std::size_t i = random() % p.c.rows, j = random() % p.c.columns;
    Wide exact = 0, magnitude = 0;
    const auto add = [&](Wide term) {
      exact += term;
      magnitude += std::abs(term);
    };
    if (p.has_product()) {
      for (std::size_t q = 0; q < p.a.columns; ++q) {
        add(p.alpha * static_cast<Wide>(*p.a.at(i, q)) * static_cast<Wide>(*p.b.at(q, j)));
      }
    }
    if (p.beta != 0) add(p.beta * static_cast<Wide>(*p.before.at(i, j)));
    const Wide found = *p.c.at(i, j);
    const auto ratio = static_cast<double>(std::abs(found - exact) / p.bound(magnitude, 8));
    if (!(ratio <= 1) && check.fault.empty()) {
      check.fault = fmt::format("element ({}, {}) is {}: expected {} within {:.2g}", i, j,
                                static_cast<double>(found), static_cast<double>(exact),
                                static_cast<double>(p.bound(magnitude, 8)));
    }
    check.worst_sample = std::max(check.worst_sample, ratio);
  }
}

template <class T>
void check_rows(const Product<T>& p, std::mt19937_64& random, Check& check) {
  Vector x(p.c.columns), bx(p.a.columns), expected(p.c.rows), found(p.c.rows);
  for (std::size_t j = 0; j < p.c.columns; ++j) {
    x.value[j] = random() % 2 == 0 ? 1 : -1;
    x.magnitude[j] = 1;
  }
  if (p.has_product()) {
    add_product(Wide{1}, p.b, x, bx);
    add_product(p.alpha, p.a, bx, expected);
  }
  if (p.beta != 0) add_product(p.beta, p.before, x, expected);
  add_product(Wide{1}, p.c, x, found);
  const std::size_t terms = 2 * p.c.columns + 8;
  for (std::size_t i = 0; i < p.c.rows; ++i) {
    const Wide magnitude = expected.magnitude[i];
    const Wide bound =
        p.bound(magnitude, terms) + static_cast<Wide>(terms) * std::numeric_limits<T>::min();
    const auto ratio = static_cast<double>(std::abs(found.value[i] - expected.value[i]) / bound);
    if (!(ratio <= 1) && check.fault.empty()) {
      check.fault =
          fmt::format("row {} fails Freivalds' test: off by {:.2g}, expected at most {:.2g}", i,
                      static_cast<double>(std::abs(found.value[i] - expected.value[i])),
                      static_cast<double>(bound));
    }
    check.worst_row = std::max(check.worst_row, ratio);
  }
}

}  // namespace

template <class T>
Check verify_gemm(T alpha, View<const T> a, View<const T> b, T beta, View<const T> before,
                  View<const T> c, const CheckOptions& options) {
  const View<T> result(const_cast<T*>(c.data), c.rows, c.columns, c.order, c.ld);
  check_arguments(a, b, result);
  if (beta != 0) check_same_shape(before, c);
  Check check;
  if (c.rows == 0 || c.columns == 0) return check;
  const Product<T> product{alpha, a, b, beta, before, c};
  std::mt19937_64 random(options.seed);
  check_samples(product, options, random, check);
  for (std::size_t r = 0; r < options.rounds; ++r) check_rows(product, random, check);
  return check;
}

template Check verify_gemm(float, View<const float>, View<const float>, float, View<const float>,
                           View<const float>, const CheckOptions&);
template Check verify_gemm(double, View<const double>, View<const double>, double,
                           View<const double>, View<const double>, const CheckOptions&);

}  // namespace kinjo::gemm
