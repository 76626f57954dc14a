/// Samples in higher precision, and Freivalds' test on all of C.
///
/// Freivalds: for x with elements ±1, A(Bx) costs two matrix-vector products. Beside each vector
/// goes the same computed of magnitudes, from which the bound of each row follows. Where they are
/// not finite, or exceed the type, C may be infinite or NaN. x is 0 for columns of B that are not
/// finite: in those, and in rows of A that are not, each element is held to what they make of it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <kinjo/gemm.hpp>

#include "gemm/arguments.hpp"
#include "gemm/error_bound.hpp"
#include "gemm/outcome.hpp"

namespace kinjo::gemm {

namespace {

using Wide = long double;

/// A vector, and the sum of the magnitudes that each of its elements was added up from.
struct Vector {
  std::vector<Wide> value, magnitude;
  explicit Vector(std::size_t n) : value(n), magnitude(n) {}
};

/// Columns that are left out.
using Apart = std::vector<bool>;

/// y ← y + factor·M·x, line by line as M lies in memory, without some columns.
template <class T>
void add_product(Wide factor, View<const T> m, const Apart& apart, const Vector& x, Vector& y) {
  const auto add = [&](std::size_t i, std::size_t j) {
    if (apart[j]) return;
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
  /// The error that a sum of magnitudes allows over so many elements: of the product, and of
  /// evaluating it here over `terms` more terms.
  Wide bound(Wide magnitude, std::size_t elements, std::size_t terms) const {
    const auto k = static_cast<Wide>(a.columns);
    const Wide u = std::numeric_limits<T>::epsilon() / 2;
    const Wide here = std::numeric_limits<Wide>::epsilon();
    const Wide underflow = static_cast<Wide>(elements) *
                           underflow_bound<T>(a.columns, has_product() ? alpha : Wide{0});
    const Wide relative = (k + 2) * u / (1 - (k + 2) * u) + (k + static_cast<Wide>(terms)) * here;
    return relative * magnitude + underflow;
  }
  /// How many times larger than with α a sum may be while it is computed.
  Wide reach() const { return has_product() ? 1 / std::abs(alpha) : Wide{1}; }
  /// Whether sums of T that large may become infinite. NaN may be anything.
  bool may_overflow(Wide magnitude) const {
    const Wide most =
        std::numeric_limits<T>::max() * (1 - std::numeric_limits<T>::epsilon() * 1024);
    return !(magnitude * std::max(reach(), Wide{1}) <= most);
  }
};

/// What an element is to be.
template <class T>
struct Expected {
  Wide exact = 0, magnitude = 0;
  Outcome<T, Wide> outcome;

  Expected(const Product<T>& p, std::size_t i, std::size_t j) : outcome(p.reach()) {
    if (p.has_product()) {
      for (std::size_t q = 0; q < p.a.columns; ++q) {
        const Wide a = *p.a.at(i, q), b = *p.b.at(q, j);
        add(p.alpha * a * b, std::isfinite(p.alpha) && std::isfinite(a) && std::isfinite(b));
      }
    }
    if (p.beta == 0) return;
    const Wide before = *p.before.at(i, j);
    add(p.beta * before, std::isfinite(p.beta) && std::isfinite(before));
  }

 private:
  void add(Wide term, bool is_finite) {
    exact += term;
    magnitude += std::abs(term);
    outcome.add(term, is_finite);
  }
};

/// By how many bounds a number is off.
template <class T>
double off_by(const Expected<T>& expected, Wide found, Wide bound) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (!std::isfinite(found)) return expected.outcome.allows(found) ? 0 : kWrong;
  if (expected.outcome.is_never_finite()) return kWrong;
  return static_cast<double>(std::abs(found - expected.exact) / bound);
}

template <class T>
void check_samples(const Product<T>& p, const CheckOptions& options, std::mt19937_64& random,
                   Check& check) {
  for (std::size_t s = 0; s < options.samples; ++s) {
    const std::size_t i = random() % p.c.rows, j = random() % p.c.columns;
    const Expected<T> expected(p, i, j);
    const Wide found = *p.c.at(i, j), bound = p.bound(expected.magnitude, 1, 8);
    const double ratio = off_by(expected, found, bound);
    if (!(ratio <= 1) && check.fault.empty()) {
      check.fault = fmt::format("element ({}, {}) is {}: expected {} within {:.2g}", i, j,
                                static_cast<double>(found), static_cast<double>(expected.exact),
                                static_cast<double>(bound));
    }
    check.worst_sample = std::max(check.worst_sample, ratio);
  }
}

/// What the test of a row says, in bounds. A row that cannot be finite, since some number in it is
/// not, must not be; one that may have overflowed is left to the samples.
template <class T>
double row_off_by(const Product<T>& p, Wide found, Wide expected, Wide magnitude, Wide bound) {
  const bool is_finite = std::isfinite(found);
  if (!std::isfinite(magnitude)) return is_finite ? std::numeric_limits<double>::infinity() : 0;
  if (!is_finite && p.may_overflow(magnitude)) return 0;
  return static_cast<double>(std::abs(found - expected) / bound);
}

/// What the factors make of rows and columns of C.
template <class T>
struct Kinds {
  std::vector<Kind> rows, columns;
  Apart no_inner, apart;

  explicit Kinds(const Product<T>& p)
      : rows(p.c.rows), columns(p.c.columns), no_inner(p.a.columns), apart(p.c.columns) {
    if (!p.has_product()) return;
    std::ranges::fill(rows, kind_of(p.alpha));
    for (std::size_t q = 0; q < p.a.columns; ++q) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = std::max(rows[i], kind_of(*p.a.at(i, q)));
      }
      for (std::size_t j = 0; j < columns.size(); ++j) {
        columns[j] = std::max(columns[j], kind_of(*p.b.at(q, j)));
      }
    }
    for (std::size_t j = 0; j < columns.size(); ++j) apart[j] = columns[j] != Kind::finite;
  }
  bool are_finite() const {
    const auto is_finite = [](Kind kind) { return kind == Kind::finite; };
    return std::ranges::all_of(rows, is_finite) && std::ranges::all_of(columns, is_finite);
  }
};

/// Holds each element to what its row and its column make of it.
template <class T>
void check_kinds(const Product<T>& p, const Kinds<T>& kinds, Check& check) {
  if (kinds.are_finite()) return;
  for (std::size_t i = 0; i < p.c.rows; ++i) {
    for (std::size_t j = 0; j < p.c.columns; ++j) {
      const Kind kind = std::max(kinds.rows[i], kinds.columns[j]);
      const T found = *p.c.at(i, j);
      if (allows(kind, found)) continue;
      check.worst_sample = std::numeric_limits<double>::infinity();
      if (!check.fault.empty()) continue;
      check.fault =
          fmt::format("element ({}, {}) is {}: expected {}", i, j, found, to_string(kind));
    }
  }
}

template <class T>
void check_rows(const Product<T>& p, const Kinds<T>& kinds, std::mt19937_64& random, Check& check) {
  Vector x(p.c.columns), bx(p.a.columns), expected(p.c.rows), found(p.c.rows);
  for (std::size_t j = 0; j < p.c.columns; ++j) {
    x.value[j] = random() % 2 == 0 ? 1 : -1;
    x.magnitude[j] = 1;
  }
  if (p.has_product()) {
    add_product(Wide{1}, p.b, kinds.apart, x, bx);
    add_product(p.alpha, p.a, kinds.no_inner, bx, expected);
  }
  if (p.beta != 0) add_product(p.beta, p.before, kinds.apart, x, expected);
  add_product(Wide{1}, p.c, kinds.apart, x, found);
  const std::size_t terms = 2 * p.c.columns + 8;
  for (std::size_t i = 0; i < p.c.rows; ++i) {
    if (kinds.rows[i] != Kind::finite) continue;
    const Wide magnitude = expected.magnitude[i];
    const Wide bound = p.bound(magnitude, p.c.columns, terms);
    const double ratio = row_off_by(p, found.value[i], expected.value[i], magnitude, bound);
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
  const Kinds<T> kinds(product);
  check_kinds(product, kinds, check);
  // An α that is not finite leaves nothing more to say: it is applied to sums.
  const bool has_values = !product.has_product() || std::isfinite(alpha);
  if (has_values) check_samples(product, options, random, check);
  for (std::size_t r = 0; r < options.rounds; ++r) check_rows(product, kinds, random, check);
  return check;
}

template Check verify_gemm(float, View<const float>, View<const float>, float, View<const float>,
                           View<const float>, const CheckOptions&);
template Check verify_gemm(double, View<const double>, View<const double>, double,
                           View<const double>, View<const double>, const CheckOptions&);

}  // namespace kinjo::gemm
