/// Products with vectors, added up from parts of matrices, beside them the sums of magnitudes that
/// bound what becomes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <kinjo/gemm.hpp>

#include "gemm/outcome.hpp"

namespace kinjo::gemm {

/// What an underflow of double loses is no more than what the rounding of a number as small as
/// this does. Magnitudes begin with it.
inline constexpr double kTiny = 0x1p-1021;
inline constexpr double kRounding = 0x1p-53;

/// Elements of a vector and their magnitudes.
struct Terms {
  const double *value, *magnitude;
};

/// The elements of a long vector from `first` on.
struct Vector {
  std::vector<double> value, magnitude;
  std::size_t first = 0;

  /// Zero, for `range`; memory grows to the largest range.
  void begin(Range range) {
    first = range.begin;
    value.assign(range.size(), 0);
    magnitude.assign(range.size(), kTiny);
  }
  Terms terms(Range range) const {
    return {value.data() + (range.begin - first), magnitude.data() + (range.begin - first)};
  }
  static constexpr std::size_t kMostTerms = SIZE_MAX;
};

/// Kinds of many lines, in two bits for each.
class Kinds {
 public:
  Kind operator[](std::size_t i) const {
    if (nan_.empty()) return Kind::finite;
    return nan_[i] ? Kind::nan : infinite_[i] ? Kind::infinite : Kind::finite;
  }
  /// `count` that are finite. As long as nothing is begun all are, and none takes memory.
  void begin(std::size_t count) {
    infinite_.assign(count, false);
    nan_.assign(count, false);
  }
  void clear() { begin(0); }
  bool are_finite() const { return nan_.empty(); }
  void add(std::size_t i, Kind kind) {
    if (kind == Kind::infinite) infinite_[i] = true;
    if (kind == Kind::nan) nan_[i] = true;
  }

 private:
  std::vector<bool> infinite_, nan_;
};

/// A vector of random signs and magnitudes in [1/2, 1), the same in every run, of which nothing is
/// kept. Zero where columns are not finite.
class RandomVector {
 public:
  explicit RandomVector(const Kinds& columns)
      : columns_(columns), value_(kMostTerms), magnitude_(kMostTerms) {}

  static constexpr std::size_t kMostTerms = 1024;
  /// Of up to `kMostTerms` elements; they hold until the next call.
  Terms terms(Range range) {
    for (std::size_t j = range.begin; j < range.end; ++j) {
      const std::uint64_t bits = mixed(j);
      const double magnitude = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
      const double used = columns_[j] == Kind::finite ? magnitude : 0;
      magnitude_[j - range.begin] = used;
      value_[j - range.begin] = bits & 1 ? used : -used;
    }
    return {value_.data(), magnitude_.data()};
  }

 private:
  /// The j-th number of splitmix64 (Steele, Lea, Flood, Fast splittable pseudorandom number
  /// generators, 2014).
  static std::uint64_t mixed(std::uint64_t j) {
    std::uint64_t z = 0x6b696e6a6f + (j + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  const Kinds& columns_;
  std::vector<double> value_, magnitude_;
};

/// Elements that are not finite stand where the vector is zero, or spoil the sum of their row.
enum class NotFinite { spoils, counts_nothing };

namespace sums {

template <NotFinite kNotFinite, class T>
double element_of(T number) {
  const double element = static_cast<double>(number);
  return kNotFinite == NotFinite::counts_nothing && !std::isfinite(element) ? 0 : element;
}

/// y += Mx for up to `kMostTerms` columns of a part of M.
template <NotFinite kNotFinite, class T>
void add_columns(View<const T> m, const Terms& x, double* value, double* magnitude) {
  if (m.order == Order::column_major) {
    for (std::size_t j = 0; j < m.columns; ++j) {
      const T* const column = m.at(0, j);
      const double v = x.value[j], w = x.magnitude[j];
      for (std::size_t i = 0; i < m.rows; ++i) {
        const double element = element_of<kNotFinite>(column[i]);
        value[i] += element * v;
        magnitude[i] += std::fabs(element) * w;
      }
    }
    return;
  }
  for (std::size_t i = 0; i < m.rows; ++i) {
    const T* const row = m.at(i, 0);
    double v = 0, w = 0;
    for (std::size_t j = 0; j < m.columns; ++j) {
      const double element = element_of<kNotFinite>(row[j]);
      v += element * x.value[j];
      w += std::fabs(element) * x.magnitude[j];
    }
    value[i] += v;
    magnitude[i] += w;
  }
}

}  // namespace sums

/// y += Mx for the part of M that `rows` × `columns` covers.
template <NotFinite kNotFinite, class T, class X>
void add_product(View<const T> m, Range rows, Range columns, X& x, Vector& y) {
  double* const value = y.value.data() + (rows.begin - y.first);
  double* const magnitude = y.magnitude.data() + (rows.begin - y.first);
  while (!columns.empty()) {
    const std::size_t now = std::min(columns.size(), X::kMostTerms);
    sums::add_columns<kNotFinite>(m.block({0, m.rows}, {0, now}),
                                  x.terms({columns.begin, columns.begin + now}), value, magnitude);
    m = m.block({0, m.rows}, {now, m.columns});
    columns.begin += now;
  }
}

/// `f(i, j, element)` for all elements, as they lie in memory.
template <class T, class F>
void each_element(View<const T> m, F&& f) {
  const bool by_rows = m.order == Order::row_major;
  for (std::size_t line = 0; line < (by_rows ? m.rows : m.columns); ++line) {
    const T* const first = m.data + line * m.ld;
    for (std::size_t e = 0; e < (by_rows ? m.columns : m.rows); ++e) {
      by_rows ? f(line, e, static_cast<double>(first[e]))
              : f(e, line, static_cast<double>(first[e]));
    }
  }
}

}  // namespace kinjo::gemm
