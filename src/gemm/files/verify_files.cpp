#include "gemm/files/verify_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "gemm/files/matrix_stream.hpp"
#include "gemm/files/verify_element.hpp"
#include "gemm/strips.hpp"
#include "gemm/verify_sums.hpp"

namespace kinjo::gemm {

namespace {

using detail::ceil_div;
using Progress = std::function<bool(std::uint64_t, std::uint64_t)>;

constexpr std::size_t kPlaces = 16;    // rows, and columns, of elements that are computed again
constexpr std::size_t kWorstRows = 2;  // of which each element is
constexpr std::size_t kShortLine = std::size_t{256} << 10;  // bytes
constexpr double kWrong = std::numeric_limits<double>::infinity();

/// Up to `kPlaces` places in ascending order, spread over a size by chance, the first and last
/// among them.
std::vector<std::size_t> places(std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> at;
  if (size <= kPlaces) {
    for (std::size_t i = 0; i < size; ++i) at.push_back(i);
    return at;
  }
  const std::size_t part = size / kPlaces;
  for (std::size_t i = 0; i < kPlaces; ++i) at.push_back(i * part + random_bits(seed, i) % part);
  at.front() = 0;
  at.back() = size - 1;
  return at;
}

/// How the dimensions are cut for the memory: elements of vectors at a time.
struct Bands {
  std::size_t rows, inner;
  std::size_t again_inner, again_columns;  ///< where rows are computed again
  std::size_t stream_bytes;
  bool tells_columns;  ///< whether there is memory to know columns apart

  /// z and w with magnitudes and kinds; y, and the rows and columns of the places.
  static constexpr std::size_t kRowBytes = 4 * sizeof(double) + 1;
  static constexpr std::size_t kInnerBytes = (2 + 2 * kPlaces) * sizeof(double);
  /// A row of A, or of what C should be, with magnitudes.
  static constexpr std::size_t kAgainBytes = 2 * kWorstRows * sizeof(double);

  Bands(std::size_t m, std::size_t n, std::size_t k, std::size_t memory) {
    stream_bytes = memory / 2;
    const std::size_t kinds = n / 4;
    tells_columns = kinds <= memory / 8;
    const std::size_t vectors = memory / 2 - (tells_columns ? kinds : 0);
    const std::size_t for_rows = std::min(m, vectors / kRowBytes) * kRowBytes;
    const std::size_t for_inner = std::max(vectors / 2, vectors - for_rows);
    inner = std::clamp<std::size_t>(for_inner / kInnerBytes, 1, std::max<std::size_t>(k, 1));
    rows = std::clamp<std::size_t>((vectors - inner * kInnerBytes) / kRowBytes, 1, m);
    const std::size_t again = vectors / 2 / kAgainBytes;
    again_inner = std::clamp<std::size_t>(again, 1, std::max<std::size_t>(k, 1));
    again_columns = std::clamp<std::size_t>(again, 1, n);
  }
};

template <class T>
class Verifier {
 public:
  Verifier(double alpha, const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
           std::size_t memory, const Progress& progress)
      : alpha_(static_cast<double>(static_cast<T>(alpha))),
        a_(a),
        b_(b),
        c_(c),
        progress_(progress),
        bands_(c.rows(), c.columns(), a.columns(), memory),
        stream_(bands_.stream_bytes),
        rows_(places(c.rows(), 1)),
        columns_(places(c.columns(), 2)),
        x_(column_kinds_) {
    result_.rows = c.rows();
    result_.columns = c.columns();
    if (alpha_ == 0 || a.columns() == 0) return;
    inner_bands_ = ceil_div(a.columns(), bands_.inner);
    const std::uint64_t b_times = inner_bands_ == 1 ? 1 : 1 + ceil_div(c.rows(), bands_.rows);
    bytes_to_read_ = bytes_of(a) + (b_times + 1) * bytes_of(b);
  }

  Verification run() {
    bytes_to_read_ += bytes_of(c_);
    if (has_factors()) settle_columns();
    for (std::size_t at = 0; at < c_.rows() && !result_.interrupted; at += bands_.rows) {
      verify_rows({at, std::min(at + bands_.rows, c_.rows())});
    }
    if (!result_.interrupted && result_.fault.empty()) compute_rows_again();
    result_.columns_tested = c_.columns() - columns_apart_;
    return result_;
  }

 private:
  /// With α = 0 they count for nothing, whatever is in them.
  bool has_factors() const { return inner_bands_ > 0; }
  static std::uint64_t bytes_of(const StoredMatrix& m) {
    return m.layout().lines * m.layout().line_bytes();
  }

  /// `f(view, rows, columns)` for the parts of a matrix, unless somebody interrupts.
  template <class F>
  void each_part(const StoredMatrix& m, Range rows, Range columns, F&& f) {
    if (result_.interrupted) return;
    stream_.each_part<T>(m, rows, columns, [&](View<const T> part, Range r, Range c) {
      f(part, r, c);
      bytes_read_ += std::uint64_t{r.size()} * c.size() * sizeof(T);
      result_.interrupted = !progress_(bytes_read_, std::max(bytes_read_, bytes_to_read_));
      return !result_.interrupted;
    });
  }

  Range all_columns() const { return {0, c_.columns()}; }
  Range inner_band(std::size_t number) const {
    const std::size_t begin = number * bands_.inner;
    return {begin, std::min(begin + bands_.inner, a_.columns())};
  }
  static bool is_finite(const Vector& v) {
    return std::ranges::all_of(v.magnitude, [](double w) { return std::isfinite(w); });
  }

  /// Finds the columns of B that are not finite before anything is made of y.
  void settle_columns() {
    if (inner_bands_ == 1) {
      read_y(inner_band(0));
      if (is_finite(y_)) return;
      bytes_to_read_ += 2 * bytes_of(b_);
    }
    if (!bands_.tells_columns) return;
    mark_columns();
    if (inner_bands_ == 1) read_y(inner_band(0));
  }

  void mark_columns() {
    column_kinds_.begin(c_.columns());
    each_part(b_, {0, a_.columns()}, all_columns(), [&](View<const T> part, Range, Range columns) {
      each_element(part, [&](std::size_t, std::size_t j, double element) {
        column_kinds_.add(columns.begin + j, kind_of(element));
      });
    });
    std::vector<std::size_t> some;
    for (std::size_t j = 0; j < c_.columns(); ++j) {
      if (column_kinds_[j] == Kind::finite) continue;
      if (some.size() < kPlaces / 2) some.push_back(j);
      columns_apart_ += column_kinds_[j] == Kind::infinite;
    }
    if (columns_.size() == kPlaces) std::ranges::copy(some, columns_.begin() + 1);
    if (some.empty()) column_kinds_.clear();
  }

  /// y and the columns of the places, for some of their elements.
  void read_y(Range inner) {
    y_.begin(inner);
    b_columns_.assign(columns_.size(), std::vector<double>(inner.size()));
    each_part(b_, inner, all_columns(), [&](View<const T> part, Range rows, Range columns) {
      if (column_kinds_.are_finite()) {
        add_product<TimesZero::spoils>(part, rows, columns, x_, y_);
      } else {
        add_product<TimesZero::counts_nothing>(part, rows, columns, x_, y_);
      }
      pick_rows(part.transposed(), columns, counted_from(inner, rows), columns_, b_columns_);
    });
    if (!bands_.tells_columns && !is_finite(y_)) columns_apart_ = c_.columns();
  }
  static Range counted_from(Range whole, Range part) {
    return {part.begin - whole.begin, part.end - whole.begin};
  }

  /// Rows of a part at some places: out[place][other index].
  static void pick_rows(View<const T> m, Range rows, Range columns,
                        const std::vector<std::size_t>& at, std::vector<std::vector<double>>& out) {
    for (std::size_t p = 0; p < at.size(); ++p) {
      if (at[p] < rows.begin || at[p] >= rows.end) continue;
      for (std::size_t j = 0; j < m.columns; ++j) {
        out[p][columns.begin + j] = static_cast<double>(*m.at(at[p] - rows.begin, j));
      }
    }
  }

  void verify_rows(Range rows) {
    z_.begin(rows);
    w_.begin(rows);
    row_kinds_.clear();
    sums_.assign(rows_.size() * columns_.size(), ElementSum<T>(alpha_));
    for (std::size_t i = 0; i < inner_bands_; ++i) {
      if (inner_bands_ > 1) read_y(inner_band(i));
      read_a(rows, inner_band(i));
    }
    if (!is_finite(z_)) mark_rows(rows);
    read_c(rows);
    if (result_.interrupted) return;
    compare_rows(rows);
    compare_elements(rows);
  }

  void read_a(Range rows, Range inner) {
    a_rows_.assign(rows_.size(), std::vector<double>(inner.size()));
    each_part(a_, rows, inner, [&](View<const T> part, Range r, Range columns) {
      add_product<TimesZero::spoils>(part, r, columns, y_, z_);
      pick_rows(part, r, counted_from(inner, columns), rows_, a_rows_);
    });
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!holds(rows, rows_[r])) continue;
      for (std::size_t s = 0; s < columns_.size(); ++s) sum(r, s).add(a_rows_[r], b_columns_[s]);
    }
  }
  static bool holds(Range range, std::size_t i) { return i >= range.begin && i < range.end; }
  ElementSum<T>& sum(std::size_t r, std::size_t s) { return sums_[r * columns_.size() + s]; }

  void mark_rows(Range rows) {
    bytes_to_read_ += bytes_of(a_) / c_.rows() * rows.size();
    row_kinds_.begin(rows.size());
    each_part(a_, rows, {0, a_.columns()}, [&](View<const T> part, Range r, Range) {
      each_element(part, [&](std::size_t i, std::size_t, double element) {
        row_kinds_.add(r.begin - rows.begin + i, kind_of(element));
      });
    });
  }

  /// Of α, without which the factors do not count.
  Kind alpha_kind() const { return has_factors() ? kind_of(alpha_) : Kind::finite; }

  void read_c(Range rows) {
    const bool are_finite =
        alpha_kind() == Kind::finite && row_kinds_.are_finite() && column_kinds_.are_finite();
    each_part(c_, rows, all_columns(), [&](View<const T> part, Range r, Range columns) {
      if (are_finite) {
        add_product<TimesZero::spoils>(part, r, columns, x_, w_);
      } else {
        add_product<TimesZero::counts_nothing>(part, r, columns, x_, w_);
        hold_to_kinds(part, rows, r, columns);
      }
      for (std::size_t p = 0; p < rows_.size(); ++p) {
        for (std::size_t q = 0; q < columns_.size(); ++q) {
          if (!holds(r, rows_[p]) || !holds(columns, columns_[q])) continue;
          found_[p][q] =
              static_cast<double>(*part.at(rows_[p] - r.begin, columns_[q] - columns.begin));
        }
      }
    });
  }

  /// Each element of a part of C to what α, its row and its column make of it.
  void hold_to_kinds(View<const T> part, Range band, Range rows, Range columns) {
    each_element(part, [&](std::size_t i, std::size_t j, double element) {
      const std::size_t row = rows.begin + i, column = columns.begin + j;
      const Kind of_row = row_kinds_[row - band.begin], of_column = column_kinds_[column];
      const Kind kind = std::max({alpha_kind(), of_row, of_column});
      if (allows(kind, element)) return;
      judge(kWrong, 0, result_.worst_element, [&] {
        return fmt::format("element ({}, {}) of the product is {:.17g} and should be {}", row,
                           column, element, to_string(kind));
      });
    });
  }

  void compare_rows(Range rows) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const std::size_t i = row - rows.begin;
      const Kind kind = std::max(alpha_kind(), row_kinds_[i]);
      if (kind == Kind::nan) ++result_.rows_tested;
      const double bound = bound_of_row(i);
      if (kind != Kind::finite || !std::isfinite(bound) || may_have_overflowed(i)) continue;
      ++result_.rows_tested;
      const double difference =
          has_factors() ? std::fabs(w_.value[i] - alpha_ * z_.value[i]) : std::fabs(w_.value[i]);
      worst_rows_.add(row, judge(difference, bound, result_.worst_row, [&] {
                        return fmt::format(
                            "row {} of the product times a random vector differs by {:.3g}, more "
                            "than its bound {:.3g}",
                            row, difference, bound);
                      }));
    }
  }

  double bound_of_row(std::size_t i) const {
    if (!has_factors()) return 0;
    return row_bound<T>(a_.columns(), c_.columns(), alpha_, std::fabs(alpha_) * z_.magnitude[i]);
  }

  /// Whether sums of a row may exceed the type, and have.
  bool may_have_overflowed(std::size_t i) const {
    const double reach = z_.magnitude[i] * std::max(std::fabs(alpha_), 1.0);
    return !std::isfinite(w_.value[i]) &&
           reach > static_cast<double>(std::numeric_limits<T>::max() / 2);
  }

  /// Where α is not finite, there is nothing to say beyond what each element is held to.
  void compare_elements(Range rows) {
    if (alpha_kind() != Kind::finite) return;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (!holds(rows, rows_[r])) continue;
      for (std::size_t s = 0; s < columns_.size(); ++s) {
        const ElementSum<T>& expected = sum(r, s);
        const double is = found_[r][s];
        ++result_.elements;
        judge(expected.difference(is), expected.bound(), result_.worst_element, [&] {
          return element_fault(rows_[r], columns_[s], is, expected.value(), expected.bound());
        });
      }
    }
  }

  /// All elements of the rows that differ most, each within its own bound.
  void compute_rows_again() {
    const std::vector<std::size_t> rows = worst_rows_.numbers();
    if (rows.empty()) return;
    y_ = z_ = w_ = {};  // others take their memory
    a_rows_ = b_columns_ = {};
    for (std::size_t at = 0; at < c_.columns(); at += bands_.again_columns) {
      const Range columns{at, std::min(at + bands_.again_columns, c_.columns())};
      std::vector<Vector> expected(rows.size());
      for (Vector& row : expected) row.begin(columns);
      for (std::size_t p = 0; p < a_.columns(); p += bands_.again_inner) {
        add_rows(rows, {p, std::min(p + bands_.again_inner, a_.columns())}, columns, expected);
      }
      for (std::size_t r = 0; r < rows.size(); ++r) compare_row(rows[r], columns, expected[r]);
    }
  }

  /// expected[r] += the run of row r of A times that of B.
  void add_rows(const std::vector<std::size_t>& rows, Range inner, Range columns,
                std::vector<Vector>& expected) {
    std::vector<Vector> of_a(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      of_a[r].begin(inner);
      each_of_row(a_, rows[r], inner, [&](std::size_t p, double a) { of_a[r].set(p, a); });
    }
    each_part(b_, inner, columns, [&](View<const T> part, Range p, Range j) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        add_product<TimesZero::spoils>(part.transposed(), j, p, of_a[r], expected[r]);
      }
    });
  }

  void compare_row(std::size_t row, Range columns, const Vector& expected) {
    each_of_row(c_, row, columns, [&](std::size_t j, double element) {
      if (column_kinds_[j] != Kind::finite) return;  // held to that before
      const double value = alpha_ * expected.value[j - columns.begin];
      const double bound = element_bound<T>(
          a_.columns(), alpha_, std::fabs(alpha_) * expected.magnitude[j - columns.begin]);
      if (!std::isfinite(bound)) return;
      ++result_.elements;
      judge(std::fabs(element - value), bound, result_.worst_element,
            [&] { return element_fault(row, j, element, value, bound); });
    });
  }

  /// `f(column, element)` for a part of a row. Where lines lie across it and are short, reading
  /// them whole takes less than an access for each element.
  template <class F>
  void each_of_row(const StoredMatrix& m, std::size_t row, Range columns, F&& f) {
    const bool whole = m.order() == Order::column_major && m.layout().line_bytes() <= kShortLine;
    const Range rows = whole ? Range{0, m.rows()} : Range{row, row + 1};
    each_part(m, rows, columns, [&](View<const T> part, Range r, Range c) {
      if (!holds(r, row)) return;
      for (std::size_t j = 0; j < c.size(); ++j) {
        f(c.begin + j, static_cast<double>(*part.at(row - r.begin, j)));
      }
    });
  }

  static std::string element_fault(std::size_t row, std::size_t column, double is, double should,
                                   double bound) {
    return fmt::format(
        "element ({}, {}) of the product is {:.17g} and should be {:.17g}, within {:.3g}", row,
        column, is, should, bound);
  }

  /// The difference as a share of its bound. NaN is a difference, too.
  template <class Text>
  double judge(double difference, double bound, double& worst, Text&& text) {
    if (difference == 0) return 0;
    const bool is_right = difference <= bound && std::isfinite(difference);
    const double quotient = bound > 0 ? difference / bound : kWrong;
    const double share = std::isnan(quotient) ? kWrong : quotient;
    worst = std::max(worst, share);
    if (!is_right && result_.fault.empty()) result_.fault = text();
    return share;
  }

  double alpha_;
  const StoredMatrix &a_, &b_, &c_;
  const Progress& progress_;
  Bands bands_;
  MatrixStream stream_;
  std::vector<std::size_t> rows_, columns_;
  Kinds column_kinds_, row_kinds_;
  RandomVector x_;
  std::size_t inner_bands_ = 0, columns_apart_ = 0;
  Vector y_, z_, w_;
  std::vector<std::vector<double>> a_rows_, b_columns_;
  std::vector<ElementSum<T>> sums_;
  double found_[kPlaces][kPlaces] = {};
  WorstRows worst_rows_{kWorstRows};
  std::uint64_t bytes_read_ = 0, bytes_to_read_ = 0;
  Verification result_;
};

}  // namespace

Verification verify_files(double alpha, const StoredMatrix& a, const StoredMatrix& b,
                          const StoredMatrix& c, std::size_t memory_bytes,
                          const Progress& progress) {
  if (c.rows() == 0 || c.columns() == 0) {  // there is nothing, and its other side may be any
    Verification nothing;
    nothing.rows = nothing.rows_tested = c.rows();
    nothing.columns = nothing.columns_tested = c.columns();
    return nothing;
  }
  const std::size_t memory = std::max(memory_bytes, kLeastVerifyBytes);
  if (c.type() == detail::NpyType::float32) {
    return Verifier<float>(alpha, a, b, c, memory, progress).run();
  }
  return Verifier<double>(alpha, a, b, c, memory, progress).run();
}

}  // namespace kinjo::gemm
