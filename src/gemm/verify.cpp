/// Samples in higher precision, Freivalds' test on all of C, and the rows again that it finds
/// worst.
///
/// Freivalds: for a random x, A(Bx) costs two matrix-vector products. Beside each vector goes the
/// same computed of magnitudes, from which the bound of each row follows. That is n times an
/// element's, so that it forgives an element much. But right rows keep to a small share of it, and
/// an element that is off by more makes its row the worst: each element of the worst rows is
/// computed again, and held to its own bound.
///
/// Where magnitudes are not finite, or exceed the type, C may be infinite or NaN. x is 0 for
/// columns of B that are not finite: in those, and in rows of A that are not, each element is held
/// to what they make of it. So is an element whose old number is not finite, and its row is tested
/// without it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/gemm.hpp>

#include "gemm/arguments.hpp"
#include "gemm/error_bound.hpp"
#include "gemm/outcome.hpp"
#include "gemm/verify_sums.hpp"

namespace kinjo::gemm {

namespace {

using Wide = long double;
constexpr double kWrong = std::numeric_limits<double>::infinity();

/// The arguments of a check.
template <class T>
struct Product {
  Wide alpha;
  View<const T> a, b;
  Wide beta;
  View<const T> before, c;

  bool has_product() const { return alpha != 0 && a.columns > 0; }
  /// The error that an element's sum of magnitudes allows: of the product, and of a sample.
  Wide bound(Wide magnitude) const {
    const auto k = static_cast<Wide>(a.columns);
    const Wide u = std::numeric_limits<T>::epsilon() / 2;
    const Wide here = std::numeric_limits<Wide>::epsilon();
    const Wide underflow = underflow_bound<T>(a.columns, has_product() ? alpha : Wide{0});
    return ((k + 2) * u + (k + 8) * here) * magnitude + underflow;
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
  std::size_t i, j;
  Wide exact = 0, magnitude = 0;
  Outcome<T, Wide> outcome;

  Expected(const Product<T>& p, std::size_t row, std::size_t column)
      : i(row), j(column), outcome(p.reach()) {}

  void add_inner(const Product<T>& p, Range inner) {
    Wide sum = 0, size = 0;
    for (std::size_t q = inner.begin; q < inner.end; ++q) {
      const Wide term = Wide{*p.a.at(i, q)} * Wide{*p.b.at(q, j)};
      sum += term;
      size += std::abs(term);
    }
    if (std::isfinite(size) && std::isfinite(p.alpha)) {
      exact += p.alpha * sum;
      magnitude += std::abs(p.alpha) * size;
      outcome.add(p.alpha * (size + sum) / 2, true);  // the terms above 0, and those below
      outcome.add(p.alpha * (sum - size) / 2, true);
      return;
    }
    for (std::size_t q = inner.begin; q < inner.end; ++q) {
      const Wide a = *p.a.at(i, q), b = *p.b.at(q, j);
      add(p.alpha * a * b, std::isfinite(p.alpha) && std::isfinite(a) && std::isfinite(b));
    }
  }
  void add_old(const Product<T>& p) {
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
  if (!std::isfinite(found)) return expected.outcome.allows(found) ? 0 : kWrong;
  if (expected.outcome.is_never_finite()) return kWrong;
  return static_cast<double>(std::abs(found - expected.exact) / bound);
}

template <class T>
void check_element(const Product<T>& p, const Expected<T>& expected, Check& check) {
  const Wide found = *p.c.at(expected.i, expected.j), bound = p.bound(expected.magnitude);
  const double ratio = off_by(expected, found, bound);
  if (!(ratio <= 1) && check.fault.empty()) {
    check.fault = fmt::format("element ({}, {}) is {}: expected {} within {:.2g}", expected.i,
                              expected.j, static_cast<double>(found),
                              static_cast<double>(expected.exact), static_cast<double>(bound));
  }
  check.worst_sample = std::max(check.worst_sample, ratio);
}

/// Many samples go along the inner dimension together, so that each cache line of A and B comes
/// once.
template <class T>
void check_samples(const Product<T>& p, std::size_t count, std::mt19937_64& random, Check& check) {
  constexpr std::size_t kTogether = 1024, kLine = 64 / sizeof(T);
  const std::size_t inner = p.has_product() ? p.a.columns : 0;
  const std::size_t all = p.c.rows > count / p.c.columns ? count + 1 : p.c.rows * p.c.columns;
  const bool each = all <= count;  // once; drawing would leave some out, and take others often
  if (each) count = all;
  for (std::size_t done = 0; done < count; done += kTogether) {
    std::vector<Expected<T>> samples;
    for (std::size_t s = done; s < std::min(done + kTogether, count); ++s) {
      const std::size_t i = each ? s / p.c.columns : random() % p.c.rows,
                        j = each ? s % p.c.columns : random() % p.c.columns;
      samples.emplace_back(p, i, j);
    }
    for (std::size_t q = 0; q < inner; q += kLine) {
      for (Expected<T>& sample : samples) sample.add_inner(p, {q, std::min(q + kLine, inner)});
    }
    for (Expected<T>& sample : samples) {
      if (p.beta != 0) sample.add_old(p);
      check_element(p, sample, check);
    }
  }
}

/// Whether a matrix holds neither NaN nor infinity, which times 0 are not 0.
template <class T>
bool is_finite(View<const T> m) {
  constexpr std::size_t kLanes = 16;
  const bool by_rows = m.order == Order::row_major;
  const std::size_t lines = by_rows ? m.rows : m.columns, length = by_rows ? m.columns : m.rows;
  T sum[kLanes] = {};
  for (std::size_t line = 0; line < lines; ++line) {
    const T* const first = m.data + line * m.ld;
    std::size_t e = 0;
    for (; e + kLanes <= length; e += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += first[e + lane] * T{0};
    }
    for (; e < length; ++e) sum[0] += first[e] * T{0};
  }
  return std::ranges::all_of(sum, [](T s) { return s == 0; });
}

/// The test of all of C.
template <class T>
class AllRows {
 public:
  AllRows(const Product<T>& p, const CheckOptions& options, Check& check)
      : p_(p),
        alpha_(p.has_product() ? static_cast<double>(p.alpha) : 0),
        beta_(static_cast<double>(p.beta)),
        check_(check),
        worst_(options.rows) {
    find_factors();
    if (beta_ == 0 || is_finite(p.before)) return;
    each_element(p.before, [&](std::size_t i, std::size_t j, double old) {
      const bool is_alone = rows_[i] == Kind::finite && columns_[j] == Kind::finite;
      if (is_alone && !std::isfinite(old)) spoilt_[i].push_back(j);
    });
  }

  /// Holds each element to what α, its row, its column and its old number make of it.
  void check_kinds() {
    if (alpha_kind_ == Kind::finite && rows_.are_finite() && columns_.are_finite() &&
        spoilt_.empty() && std::isfinite(beta_)) {
      return;
    }
    each_element(p_.c, [&](std::size_t i, std::size_t j, double found) {
      const Kind kind = std::max({alpha_kind_, rows_[i], columns_[j], kind_of_old(i, j)});
      if (allows(kind, found)) return;
      judge(kWrong, check_.worst_sample, [&] {
        return fmt::format("element ({}, {}) is {}: expected {}", i, j, static_cast<T>(found),
                           to_string(kind));
      });
    });
  }

  /// Freivalds' test.
  void check_rows(std::uint64_t seed) {
    if (alpha_kind_ != Kind::finite || !std::isfinite(beta_)) return;
    RandomVector x(columns_, seed);
    const Vector product = has_product() ? times(p_.a, times(p_.b, x)) : Vector{};
    const Vector old = beta_ != 0 ? times(p_.before, x) : Vector{};
    const Vector found = times(p_.c, x);
    for (std::size_t i = 0; i < p_.c.rows; ++i) {
      if (rows_[i] != Kind::finite) continue;
      const auto spoilt = spoilt_.find(i);
      spoilt == spoilt_.end() ? check_row(i, found.value[i], sum(product, old, i))
                              : check_row_without(spoilt->second, i, sum(product, {}, i), x);
    }
  }

  /// Each element of the rows that differed most, within its own bound.
  void compute_rows_again() {
    for (const std::size_t i : worst_.numbers()) {
      const Vector product = has_product() ? times(p_.b.transposed(), row(p_.a, i)) : Vector{};
      const Vector old = beta_ != 0 ? row(p_.before, i) : Vector{};
      for (std::size_t j = 0; j < p_.c.columns; ++j) {
        if (columns_[j] != Kind::finite) continue;  // held to that before
        check_element(i, j, sum(product, old, j));
      }
    }
  }

 private:
  struct Sum {
    double value = 0, magnitude = 0;
  };

  void find_factors() {
    if (!p_.has_product()) return;
    alpha_kind_ = kind_of(p_.alpha);
    if (!is_finite(p_.a)) {
      rows_.begin(p_.a.rows);
      each_element(p_.a, [&](auto i, auto, double a) { rows_.add(i, kind_of(a)); });
    }
    if (!is_finite(p_.b)) {
      columns_.begin(p_.b.columns);
      each_element(p_.b, [&](auto, auto j, double b) { columns_.add(j, kind_of(b)); });
    }
  }

  /// Of β times the old number.
  Kind kind_of_old(std::size_t i, std::size_t j) const {
    if (beta_ == 0) return Kind::finite;
    const auto old = static_cast<double>(*p_.before.at(i, j));
    return kind_of(std::isfinite(beta_) ? old : beta_ * old);
  }

  void check_row(std::size_t i, double found, const Sum& expected) {
    const double off = std::fabs(found - expected.value);
    const double bound = row_bound<T>(p_.a.columns, p_.c.columns, alpha_, expected.magnitude);
    const double share = share_of(found, off, bound, expected.magnitude);
    judge(share, check_.worst_row, [&] {
      return fmt::format("row {} fails Freivalds' test: off by {:.2g}, expected at most {:.2g}", i,
                         off, bound);
    });
    worst_.add(i, share);
  }

  /// The same of all elements but some, in ascending order; `expected` is α times the product with
  /// all of x.
  void check_row_without(const std::vector<std::size_t>& left_out, std::size_t i, Sum expected,
                         RandomVector& x) {
    double found = 0;
    auto next = left_out.begin();
    for (std::size_t begin = 0; begin < p_.c.columns; begin += kSumTerms) {
      const Range range{begin, std::min(begin + kSumTerms, p_.c.columns)};
      const Terms terms = x.terms(range);
      for (std::size_t j = range.begin; j < range.end; ++j) {
        const double v = terms.value[j - begin], w = terms.magnitude[j - begin];
        if (next != left_out.end() && *next == j) {
          ++next;
          const Sum element = product_at(i, j);
          expected.value -= element.value * v;
          expected.magnitude += element.magnitude * w;
        } else if (columns_[j] == Kind::finite) {
          const double old = beta_ * static_cast<double>(*p_.before.at(i, j));
          expected.value += old * v;
          expected.magnitude += std::fabs(old) * w;
          found += static_cast<double>(*p_.c.at(i, j)) * v;
        }
      }
    }
    check_row(i, found, expected);
  }
  /// α times row i of A times column j of B.
  Sum product_at(std::size_t i, std::size_t j) const {
    Sum sum;
    if (!has_product()) return sum;
    for (std::size_t q = 0; q < p_.a.columns; ++q) {
      const double term =
          alpha_ * static_cast<double>(*p_.a.at(i, q)) * static_cast<double>(*p_.b.at(q, j));
      sum.value += term;
      sum.magnitude += std::fabs(term);
    }
    return sum;
  }

  bool has_product() const { return alpha_ != 0; }

  template <class X>
  Vector times(View<const T> m, X&& x) const {
    Vector y;
    y.begin({0, m.rows});
    if (columns_.are_finite()) {
      add_product<TimesZero::spoils>(m, {0, m.rows}, {0, m.columns}, x, y);
    } else {
      add_product<TimesZero::counts_nothing>(m, {0, m.rows}, {0, m.columns}, x, y);
    }
    return y;
  }
  static Vector row(View<const T> m, std::size_t i) {
    Vector elements;
    elements.begin({0, m.columns});
    for (std::size_t j = 0; j < m.columns; ++j) elements.set(j, static_cast<double>(*m.at(i, j)));
    return elements;
  }
  /// α·product + β·old at i; an empty vector counts nothing.
  Sum sum(const Vector& product, const Vector& old, std::size_t i) const {
    Sum sum;
    if (!product.value.empty()) {
      sum = {alpha_ * product.value[i], std::fabs(alpha_) * product.magnitude[i]};
    }
    if (!old.value.empty()) {
      sum.value += beta_ * old.value[i];
      sum.magnitude += std::fabs(beta_) * old.magnitude[i];
    }
    return sum;
  }

  /// What the test of a row says, in bounds. One that may have overflowed is left to the samples.
  double share_of(double found, double off, double bound, double magnitude) const {
    if (std::isfinite(bound) && std::isfinite(found)) return off / bound;
    return std::isfinite(found) || p_.may_overflow(magnitude) ? 0 : kWrong;
  }

  void check_element(std::size_t i, std::size_t j, const Sum& expected) {
    const double found = static_cast<double>(*p_.c.at(i, j));
    const double bound = element_bound<T>(p_.a.columns, alpha_, expected.magnitude);
    if (!std::isfinite(bound)) return;
    judge(std::fabs(found - expected.value) / bound, check_.worst_sample, [&] {
      return fmt::format("element ({}, {}) is {}: expected {} within {:.2g}", i, j, found,
                         expected.value, bound);
    });
  }

  /// A share in bounds; NaN is wrong, too.
  template <class Text>
  void judge(double share, double& worst, Text&& text) {
    if (!(share <= 1) && check_.fault.empty()) check_.fault = text();
    worst = std::max(worst, std::isnan(share) ? kWrong : share);
  }

  const Product<T>& p_;
  double alpha_, beta_;
  Check& check_;
  Kind alpha_kind_ = Kind::finite;
  Kinds rows_, columns_;
  /// By row, the elements whose old numbers alone are not finite.
  std::map<std::size_t, std::vector<std::size_t>> spoilt_;
  WorstRows worst_;
};

}  // namespace

template <class T>
Check verify_gemm(T alpha, View<const T> a, View<const T> b, T beta, View<const T> before,
                  View<const T> c, const CheckOptions& options) {
  const View<T> result(const_cast<T*>(c.data), c.rows, c.columns, c.order, c.ld);
  check_arguments(a, b, result, factors_for(alpha));
  if (options.samples == 0 && options.rounds == 0) {
    throw Error(Errc::invalid_argument,
                "gemm: a check of 0 samples and 0 rounds: expected one of them above 0");
  }
  if (beta != 0) check_same_shape(before, c);
  Check check;
  if (c.rows == 0 || c.columns == 0) return check;
  const Product<T> product{alpha, a, b, beta, before, c};
  std::mt19937_64 random(options.seed);
  AllRows<T> all(product, options, check);
  all.check_kinds();
  // An α that is not finite leaves nothing more to say: it is applied to sums.
  const bool has_values = !product.has_product() || std::isfinite(alpha);
  if (has_values) check_samples(product, options.samples, random, check);
  for (std::size_t r = 0; r < options.rounds; ++r) all.check_rows(random());
  if (check.passed()) all.compute_rows_again();
  return check;
}

template Check verify_gemm(float, View<const float>, View<const float>, float, View<const float>,
                           View<const float>, const CheckOptions&);
template Check verify_gemm(double, View<const double>, View<const double>, double,
                           View<const double>, View<const double>, const CheckOptions&);

}  // namespace kinjo::gemm
