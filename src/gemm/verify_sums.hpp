/// Products with vectors, added up in double from parts of matrices, beside them the sums of
/// magnitudes that bound what becomes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <kinjo/gemm.hpp>

#include "gemm/error_bound.hpp"
#include "gemm/outcome.hpp"

namespace kinjo::gemm {

/// What an underflow of double loses is no more than what the rounding of a number as small as
/// this does. Magnitudes begin with it.
inline constexpr double kTiny = 0x1p-1021;
inline constexpr double kRounding = 0x1p-53;

/// A random vector is made of so many elements at a time.
inline constexpr std::size_t kSumTerms = 4096;

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
  /// What a row or a column of a matrix has at i.
  void set(std::size_t i, double element) {
    value[i - first] = element;
    magnitude[i - first] = std::fabs(element);
  }
  Terms terms(Range range) const {
    return {value.data() + (range.begin - first), magnitude.data() + (range.begin - first)};
  }
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

/// The i-th number of splitmix64 (Steele, Lea, Flood, Fast splittable pseudorandom number
/// generators, 2014).
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = 0x6b696e6a6f + (seed * 0xd1342543de82ef95) + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A vector of random signs and magnitudes in [1/2, 1), the same in every run, of which nothing is
/// kept. Zero where columns are not finite.
class RandomVector {
 public:
  explicit RandomVector(const Kinds& columns, std::uint64_t seed = 0)
      : columns_(columns), seed_(seed), value_(kSumTerms), magnitude_(kSumTerms) {}

  /// Of up to `kSumTerms` elements; they hold until the next call.
  Terms terms(Range range) {
    for (std::size_t j = range.begin; j < range.end; ++j) {
      const std::uint64_t bits = random_bits(seed_, j);
      const double magnitude = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
      const double used = columns_[j] == Kind::finite ? magnitude : 0;
      magnitude_[j - range.begin] = used;
      value_[j - range.begin] = bits & 1 ? used : -used;
    }
    return {value_.data(), magnitude_.data()};
  }

 private:
  const Kinds& columns_;
  std::uint64_t seed_;
  std::vector<double> value_, magnitude_;
};

/// What an element that is not finite does where the vector is zero. Elsewhere it spoils the sum.
enum class TimesZero { spoils, counts_nothing };

namespace sums {

/// value += element·v, magnitude += |element|·w.
template <TimesZero kTimesZero, class T>
void add_term(T number, double v, double w, double& value, double& magnitude) {
  const double element = static_cast<double>(number);
  const bool counts = kTimesZero == TimesZero::spoils || w != 0;
  value += counts ? element * v : 0;
  magnitude += counts ? std::fabs(element) * w : 0;
}

/// A row: sums that do not wait for each other, so that vector registers can hold them.
template <TimesZero kTimesZero, class T>
void add_row(const T* row, const Terms& x, std::size_t count, double& value, double& magnitude) {
  constexpr std::size_t kLanes = 16;
  double v[kLanes] = {}, w[kLanes] = {};
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      add_term<kTimesZero>(row[j + lane], x.value[j + lane], x.magnitude[j + lane], v[lane],
                           w[lane]);
    }
  }
  for (; j < count; ++j) add_term<kTimesZero>(row[j], x.value[j], x.magnitude[j], v[0], w[0]);
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    v[0] += v[lane];
    w[0] += w[lane];
  }
  value += v[0];
  magnitude += w[0];
}

/// y += Mx for up to `kSumTerms` columns of a part of M.
template <TimesZero kTimesZero, class T>
void add_columns(View<const T> m, const Terms& x, double* value, double* magnitude) {
  if (m.order == Order::row_major) {
    for (std::size_t i = 0; i < m.rows; ++i) {
      add_row<kTimesZero>(m.at(i, 0), x, m.columns, value[i], magnitude[i]);
    }
    return;
  }
  for (std::size_t j = 0; j < m.columns; ++j) {
    const T* const column = m.at(0, j);
    const double v = x.value[j], w = x.magnitude[j];
    for (std::size_t i = 0; i < m.rows; ++i) {
      add_term<kTimesZero>(column[i], v, w, value[i], magnitude[i]);
    }
  }
}

}  // namespace sums

/// y += Mx for the part of M that `rows` × `columns` covers.
template <TimesZero kTimesZero, class T, class X>
void add_product(View<const T> m, Range rows, Range columns, X& x, Vector& y) {
  double* const value = y.value.data() + (rows.begin - y.first);
  double* const magnitude = y.magnitude.data() + (rows.begin - y.first);
  while (!columns.empty()) {
    const std::size_t now = std::min(columns.size(), kSumTerms);
    sums::add_columns<kTimesZero>(m.block({0, m.rows}, {0, now}),
                                  x.terms({columns.begin, columns.begin + now}), value, magnitude);
    m = m.block({0, m.rows}, {now, m.columns});
    columns.begin += now;
  }
}

/// By how much a sum of so many elements of αAB, of which the magnitudes add up to `magnitude`, may
/// differ where the product is right and the test itself has rounded each term so often.
template <class T>
double sum_bound(std::size_t k, double alpha, double magnitude, double elements,
                 double rounded_here) {
  const double u = std::numeric_limits<T>::epsilon() / 2;
  const double factor = (static_cast<double>(k) + 2) * u + rounded_here * kRounding;
  return factor * (magnitude + kTiny) + underflow_bound<T>(k, alpha) * elements;
}
/// Of one row of m × k times k × n in Freivalds' test.
template <class T>
double row_bound(std::size_t k, std::size_t n, double alpha, double magnitude) {
  const double terms = 2 * static_cast<double>(n) + static_cast<double>(k);
  return sum_bound<T>(k, alpha, magnitude, static_cast<double>(n), terms + 8);
}
/// Of one element, added up by `add_product`.
template <class T>
double element_bound(std::size_t k, double alpha, double magnitude) {
  return sum_bound<T>(k, alpha, magnitude, 1, static_cast<double>(k) + 4);
}

/// The rows that differ by the largest shares of their bounds, of those that differ at all.
class WorstRows {
 public:
  explicit WorstRows(std::size_t most) : most_(most) {}

  void add(std::size_t row, double share) {
    if (!(share > 0) || most_ == 0) return;
    if (worst_.size() == most_ && share <= worst_.back().share) return;
    std::erase_if(worst_, [&](const Row& r) { return r.number == row && r.share <= share; });
    if (std::ranges::any_of(worst_, [&](const Row& r) { return r.number == row; })) return;
    worst_.push_back({row, share});
    std::ranges::stable_sort(worst_, std::greater<>{}, &Row::share);
    if (worst_.size() > most_) worst_.pop_back();
  }
  /// In ascending order.
  std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> numbers;
    for (const Row& row : worst_) numbers.push_back(row.number);
    std::ranges::sort(numbers);
    return numbers;
  }

 private:
  struct Row {
    std::size_t number;
    double share;
  };
  std::size_t most_;
  std::vector<Row> worst_;
};

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
