#include "gemm/files/verify_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "gemm/files/unit_reader.hpp"
#include "gemm/outcome.hpp"

namespace kinjo::gemm {

namespace {

constexpr std::size_t kPlaces = 8;  // rows, and columns, of elements that are computed again
constexpr std::size_t kReadThreads = 4;
constexpr double kRounding = 0x1p-53;

/// A vector, and the sums of magnitudes that bound what becomes of it.
struct Vector {
  std::vector<double> value, magnitude;
  explicit Vector(std::size_t size) : value(size), magnitude(size) {}
};

Vector random_vector(std::size_t size) {
  Vector x(size);
  std::mt19937_64 random(0x6b696e6a6f);  // the same in every run
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t bits = random();
    const double magnitude = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
    x.magnitude[i] = magnitude;
    x.value[i] = bits & 1 ? magnitude : -magnitude;
  }
  return x;
}

/// Up to `most` places, spread over a size, the first and last among them.
std::vector<std::size_t> places(std::size_t size, std::size_t most) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < std::min(size, most); ++i) {
    at.push_back(size <= most || most == 1 ? i : i * (size - 1) / (most - 1));
  }
  return at;
}

/// As many places as memory allows: a row of A, a column of B and a row of C for each.
std::size_t place_count(const StoredMatrix& a, const StoredMatrix& c, std::size_t memory_bytes) {
  const std::size_t bytes = (2 * a.columns() + c.columns() + 1) * sizeof(double);
  return std::clamp<std::size_t>(memory_bytes / 4 / bytes, 1, kPlaces);
}

/// y += Mx for the part of M that `rows` × `columns` covers.
template <class T>
void add_product(View<const T> m, Range rows, Range columns, const Vector& x, Vector& y) {
  if (m.order == Order::column_major) {
    for (std::size_t j = 0; j < m.columns; ++j) {
      const T* const column = m.at(0, j);
      const double v = x.value[columns.begin + j], w = x.magnitude[columns.begin + j];
      double* const value = y.value.data() + rows.begin;
      double* const magnitude = y.magnitude.data() + rows.begin;
      for (std::size_t i = 0; i < m.rows; ++i) {
        const double element = static_cast<double>(column[i]);
        value[i] += element * v;
        magnitude[i] += std::fabs(element) * w;
      }
    }
    return;
  }
  for (std::size_t i = 0; i < m.rows; ++i) {
    const T* const row = m.at(i, 0);
    double value = 0, magnitude = 0;
    for (std::size_t j = 0; j < m.columns; ++j) {
      const double element = static_cast<double>(row[j]);
      value += element * x.value[columns.begin + j];
      magnitude += std::fabs(element) * x.magnitude[columns.begin + j];
    }
    y.value[rows.begin + i] += value;
    y.magnitude[rows.begin + i] += magnitude;
  }
}

/// Calls `f(view, rows, columns)` for all parts of a matrix, the next being read meanwhile.
template <class T, class F>
void stream(const StoredMatrix& m, std::size_t memory_bytes, F&& f) {
  const FileLayout layout = m.layout();
  if (layout.lines == 0 || layout.length == 0) return;
  const std::size_t fit = memory_bytes / 2 / std::max<std::uint64_t>(layout.line_bytes(), 1);
  const std::size_t lines = std::clamp<std::size_t>(fit, 1, layout.lines);
  std::vector<LinePart> parts;
  for (std::size_t at = 0; at < layout.lines; at += lines) {
    parts.push_back({{at, std::min(at + lines, layout.lines)}, {0, layout.length}});
  }
  TouchTasks tasks(kReadThreads);
  const SlotShape shape = slot_shape(layout, lines, layout.length);
  UnitReader reader(m, tasks, shape,
                    own_slots(std::min<std::size_t>(parts.size(), 2), shape.bytes, {}),
                    {parts, {}, false}, Touch::ahead);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    reader.advance(i);
    const View<const T> view = reader.template part<T>(i, parts[i]);
    const bool by_rows = m.order() == Order::row_major;
    f(view, by_rows ? parts[i].lines : parts[i].elements,
      by_rows ? parts[i].elements : parts[i].lines);
  }
}

/// Rows (columns) of a matrix at some places: out[place][other index].
using Strips = std::vector<std::vector<double>>;

template <class T>
void pick_rows(View<const T> m, Range rows, Range columns, const std::vector<std::size_t>& at,
               Strips& out) {
  for (std::size_t p = 0; p < at.size(); ++p) {
    if (at[p] < rows.begin || at[p] >= rows.end) continue;
    for (std::size_t j = 0; j < m.columns; ++j) {
      out[p][columns.begin + j] = static_cast<double>(*m.at(at[p] - rows.begin, j));
    }
  }
}

/// What an element must be, and by how much it may differ.
struct Expected {
  double value, bound;
};

/// α·Σ a_p b_p in twice the precision.
Expected expected_of(double alpha, const std::vector<double>& a, const std::vector<double>& b,
                     double rounding) {
  double sum = 0, rest = 0, magnitude = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const double product = a[p] * b[p];
    const double product_rest = std::fma(a[p], b[p], -product);
    const double next = sum + product, moved = next - sum;
    rest += (sum - (next - moved)) + (product - moved) + product_rest;
    sum = next;
    magnitude += std::fabs(product);
  }
  const auto k = static_cast<double>(a.size());
  return {alpha * (sum + rest), (k + 2) * rounding * std::fabs(alpha) * magnitude};
}

/// By how much an element is wrong whose sum is not finite in double, or that is not finite itself:
/// 0 or infinity.
template <class T>
double wrong_by(double is, double alpha, const std::vector<double>& a,
                const std::vector<double>& b) {
  using Wide = long double;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  Outcome<T, Wide> outcome(1 / std::fabs(Wide{alpha}));
  Wide exact = 0, magnitude = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const Wide term = Wide{alpha} * Wide{a[p]} * Wide{b[p]};
    outcome.add(term, std::isfinite(alpha) && std::isfinite(a[p]) && std::isfinite(b[p]));
    exact += term;
    magnitude += std::fabs(term);
  }
  if (!std::isfinite(is)) return outcome.allows(is) ? 0 : kWrong;
  if (outcome.is_never_finite()) return kWrong;
  const auto k = static_cast<Wide>(a.size());
  const Wide bound = (k + 2) * std::numeric_limits<T>::epsilon() * magnitude;
  return std::fabs(Wide{is} - exact) <= bound ? 0 : kWrong;
}

template <class T>
class Verifier {
 public:
  Verifier(double alpha, const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
           std::size_t memory)
      : alpha_(alpha),
        a_(a),
        b_(b),
        c_(c),
        memory_(memory / 2),
        rows_(places(c.rows(), place_count(a, c, memory))),
        columns_(places(c.columns(), place_count(a, c, memory))),
        x_(random_vector(c.columns())),
        w_(c.rows()),
        z_(c.rows()),
        a_rows_(rows_.size(), std::vector<double>(a.columns())),
        b_columns_(columns_.size(), std::vector<double>(a.columns())),
        elements_(rows_.size(), std::vector<double>(c.columns())) {}

  Verification run() {
    if (alpha_ != 0) read_factors();
    stream<T>(c_, memory_, [&](View<const T> part, Range rows, Range columns) {
      add_product(part, rows, columns, x_, w_);
      pick_rows(part, rows, columns, rows_, elements_);
    });
    compare_rows();
    compare_elements();
    return result_;
  }

 private:
  static constexpr double kTypeRounding = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;

  /// With α = 0 they count for nothing, whatever is in them, and stay zeros here.
  void read_factors() {
    Vector y(b_.rows());
    stream<T>(b_, memory_, [&](View<const T> part, Range rows, Range columns) {
      add_product(part, rows, columns, x_, y);
      pick_rows(part.transposed(), columns, rows, columns_, b_columns_);
    });
    stream<T>(a_, memory_, [&](View<const T> part, Range rows, Range columns) {
      add_product(part, rows, columns, y, z_);
      pick_rows(part, rows, columns, rows_, a_rows_);
    });
  }

  void compare_rows() {
    const auto k = static_cast<double>(a_.columns()), n = static_cast<double>(c_.columns());
    const double factor = (k + 2) * kTypeRounding + (2 * k + n + 8) * kRounding;
    result_.rows = c_.rows();
    for (std::size_t i = 0; i < c_.rows(); ++i) {
      const double bound = factor * std::fabs(alpha_) * z_.magnitude[i];
      if (!std::isfinite(bound) || may_have_overflowed(i)) continue;
      ++result_.rows_tested;
      const double difference = std::fabs(w_.value[i] - alpha_ * z_.value[i]);
      judge(difference, bound, result_.worst_row, [&] {
        return fmt::format(
            "row {} of the product times a random vector differs by {:.3g}, more "
            "than its bound {:.3g}",
            i, difference, bound);
      });
    }
  }

  /// Whether sums of a row may exceed the type, and have.
  bool may_have_overflowed(std::size_t row) const {
    const double reach = z_.magnitude[row] * std::max(std::fabs(alpha_), 1.0);
    return !std::isfinite(w_.value[row]) &&
           reach > static_cast<double>(std::numeric_limits<T>::max() / 2);
  }

  void compare_elements() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t s = 0; s < columns_.size(); ++s) {
        const Expected expected = expected_of(alpha_, a_rows_[r], b_columns_[s], kTypeRounding);
        const double is = elements_[r][columns_[s]];
        ++result_.elements;
        const bool is_finite =
            std::isfinite(expected.bound) && std::isfinite(expected.value) && std::isfinite(is);
        const double difference = is_finite ? std::fabs(is - expected.value)
                                            : wrong_by<T>(is, alpha_, a_rows_[r], b_columns_[s]);
        judge(difference, is_finite ? expected.bound : 0, result_.worst_element, [&] {
          return fmt::format(
              "element ({}, {}) of the product is {:.17g} and should be {:.17g}, "
              "within {:.3g}",
              rows_[r], columns_[s], is, expected.value, expected.bound);
        });
      }
    }
  }

  /// NaN is a difference, too.
  template <class Text>
  void judge(double difference, double bound, double& worst, Text&& text) {
    if (difference == 0) return;
    const double share =
        difference <= bound ? difference / bound : std::numeric_limits<double>::infinity();
    if (difference <= bound) {
      worst = std::max(worst, share);
    } else {
      worst = bound > 0 && difference > bound ? std::max(worst, difference / bound) : share;
      if (result_.fault.empty()) result_.fault = text();
    }
  }

  double alpha_;
  const StoredMatrix &a_, &b_, &c_;
  std::size_t memory_;
  std::vector<std::size_t> rows_, columns_;
  Vector x_, w_, z_;
  Strips a_rows_, b_columns_, elements_;
  Verification result_;
};

}  // namespace

Verification verify_files(double alpha, const StoredMatrix& a, const StoredMatrix& b,
                          const StoredMatrix& c, std::size_t memory_bytes) {
  if (c.rows() == 0 || c.columns() == 0) {  // there is nothing, and its other side may be any
    Verification nothing;
    nothing.rows = nothing.rows_tested = c.rows();
    return nothing;
  }
  if (c.type() == detail::NpyType::float32) {
    return Verifier<float>(alpha, a, b, c, memory_bytes).run();
  }
  return Verifier<double>(alpha, a, b, c, memory_bytes).run();
}

}  // namespace kinjo::gemm
