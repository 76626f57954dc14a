#include "fft/verify.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <span>

#include <fmt/format.h>

namespace kinjo::fft::detail {

namespace {

using Wide = long double;
using Complex = std::complex<Wide>;
using Shape = std::vector<std::size_t>;

constexpr std::size_t kRun = 1024;    // terms of one plain sum
constexpr std::size_t kGroup = 16;    // sums that are computed together
constexpr std::size_t kWhole = 2048;  // numbers of a transform that is checked whole
constexpr std::size_t kFewest = 4;    // samples of a longer one
/// At most a quarter of the elements of a vector exceed twice their root of the mean square.
constexpr double kSampleTolerance = 2;

/// a · b, in the plain way: not by `operator*`, which looks after infinities.
Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// e^(−2πi·m/n), from an angle of at most π/4.
Complex root(std::size_t n, std::size_t j, std::size_t k) {
  __extension__ using Long = unsigned __int128;
  const Long m = static_cast<Long>(j) * k % n;
  const auto octant = static_cast<unsigned>(8 * m / n);
  // The distance, in parts of 8n, to the nearest multiple of π/2 around the octant.
  const Long from = 8 * m - static_cast<Long>(octant) * n;
  const bool falling = octant % 2 == 1;
  const Wide angle = 2 * std::numbers::pi_v<Wide> * static_cast<Wide>(falling ? n - from : from) /
                     (8 * static_cast<Wide>(n));
  const Wide c = std::cos(angle), s = falling ? -std::sin(angle) : std::sin(angle);
  switch ((octant + 1) / 2 % 4) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

/// A sum of many terms, with what its additions lose (A. Neumaier, 1974).
class Sum {
 public:
  void add(Wide term) {
    const Wide sum = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  Wide value() const { return sum_ + lost_; }

 private:
  Wide sum_ = 0, lost_ = 0;
};

std::size_t product(const Shape& shape) {
  std::size_t n = 1;
  for (const std::size_t size : shape) n *= size;
  return n;
}

/// The index of an element, one number for each axis.
Shape index_of(std::size_t element, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t a = shape.size(); a-- > 0;) {
    index[a] = element % shape[a];
    element /= shape[a];
  }
  return index;
}

/// Whether a half that is transformed is read as that of real numbers, whose spectrum it may not
/// be: as NumPy has it, only the part of it counts that is.
enum class Halves { as_they_are, of_real };

/// A side's numbers as those of the full shape. A row is a run along the last axis.
template <class T>
class Reader {
 public:
  Reader(const Shape& shape, const Signal<T>& signal, Halves halves)
      : shape_(shape),
        rows_shape_(shape.begin(), shape.end() - 1),
        signal_(signal),
        is_of_real_(signal.numbers == Numbers::half && halves == Halves::of_real) {
    length_ = shape.back();
    stored_ = signal.numbers == Numbers::half ? length_ / 2 + 1 : length_;
  }

  const Shape& shape() const { return shape_; }
  std::size_t length() const { return length_; }
  std::size_t rows() const { return product(rows_shape_); }
  std::size_t points() const { return rows() * length_; }
  std::size_t stored() const { return stored_; }  ///< numbers of a row that are in memory
  /// How many numbers of the full shape the stored ones of a column stand for.
  int weight(std::size_t column) const {
    return stored_ == length_ || column == 0 || 2 * column == length_ ? 1 : 2;
  }
  Shape row_index(std::size_t row) const { return index_of(row, rows_shape_); }

  Complex at(std::size_t row, std::size_t column) const {
    if (column < stored_) return stored(row, column);
    return std::conj(stored(mirrored(row), length_ - column));
  }
  void read(std::size_t row, std::size_t begin, std::size_t count, Complex* to) const {
    const std::size_t end = begin + count;
    for (std::size_t c = begin; c < std::min(end, stored_); ++c) *to++ = stored(row, c);
    if (end <= stored_) return;
    const std::size_t opposite = mirrored(row);
    for (std::size_t c = std::max(begin, stored_); c < end; ++c) {
      *to++ = std::conj(stored(opposite, length_ - c));
    }
  }

 private:
  Complex stored(std::size_t row, std::size_t column) const {
    const Complex z = in_memory(row, column);
    // Twice in the full shape, or its own opposite.
    if (!is_of_real_ || weight(column) == 2) return z;
    const std::size_t opposite = mirrored(row);
    if (opposite == row) return z.real();
    return (z + std::conj(in_memory(opposite, column))) / Wide{2};
  }
  Complex in_memory(std::size_t row, std::size_t column) const {
    const auto i = static_cast<std::ptrdiff_t>(row * stored_ + column) * signal_.step;
    return {static_cast<Wide>(signal_.real[i]),
            signal_.numbers == Numbers::real ? Wide{0} : static_cast<Wide>(signal_.imaginary[i])};
  }
  /// The row whose index has the opposite sign along each axis.
  std::size_t mirrored(std::size_t row) const {
    const Shape index = row_index(row);
    std::size_t opposite = 0;
    for (std::size_t a = 0; a < index.size(); ++a) {
      opposite = opposite * rows_shape_[a] + (index[a] == 0 ? 0 : rows_shape_[a] - index[a]);
    }
    return opposite;
  }

  Shape shape_, rows_shape_;
  Signal<T> signal_;
  bool is_of_real_;
  std::size_t length_, stored_;
};

bool is_finite(const Complex& z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

/// A number that is not finite.
struct Odd {
  Shape place;
  Complex value;
};

/// What the numbers of a side come to.
struct Size {
  Wide norm = 0;         ///< of those that are finite
  Wide sum = 0;          ///< of the magnitudes of both parts of all
  std::vector<Odd> odd;  ///< the first of those that are not finite
};

/// The factor of an element of a transform in another, forward.
Complex factor_of(const Shape& shape, const Shape& j, const Shape& k) {
  Complex all = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) all = times(all, root(shape[a], j[a], k[a]));
  return all;
}

/// Which values that are not finite a transform of some numbers can have.
///
/// A number that is not finite stays in each sum of which it is a part: no step divides. Beyond
/// that, transforms may spread it, as they multiply by factors whose one part is 0; and where all
/// numbers together exceed the type, some sum on the way may do so.
class Excuse {
 public:
  Excuse() = default;  ///< for numbers that are finite
  /// `read`: as they are transformed, of what `in` are in memory. `largest`: of the type.
  Excuse(const Shape& shape, const Size& in, const Size& read, Numbers out, Wide scale,
         Wide largest)
      : shape_(shape), odd_(read.odd), is_real_(out == Numbers::real) {
    const Wide reach = 4 * in.sum * std::max(std::abs(scale), Wide{1});
    may_be_odd_ = !in.odd.empty() || !(reach < largest);
  }

  bool may_be_odd() const { return may_be_odd_; }
  /// Whether an element must not be finite.
  bool must_be_odd(const Shape& element) const {
    constexpr Wide kNone = 1e-9L;  // factors that may be 0 but for rounding
    return std::ranges::any_of(odd_, [&](const Odd& odd) {
      if (!is_real_) return true;
      const Complex factor = factor_of(shape_, odd.place, element);
      return (!std::isfinite(odd.value.real()) && std::abs(factor.real()) > kNone) ||
             (!std::isfinite(odd.value.imag()) && std::abs(factor.imag()) > kNone);
    });
  }

 private:
  Shape shape_;
  std::vector<Odd> odd_;
  bool is_real_ = false, may_be_odd_ = false;
};

/// Σ_j x_j · w^(±jk) for a group of k, each given as an index of several numbers.
template <class T>
class GroupSum {
 public:
  GroupSum(const Reader<T>& x, Direction direction, std::span<const Shape> wanted)
      : x_(x), direction_(direction), wanted_(wanted), run_(std::min(kRun, x.length())) {
    for (const Shape& k : wanted) {
      for (std::size_t j = 0; j < run_; ++j) roots_.push_back(factor(x.length(), j, k.back()));
    }
  }

  std::vector<Complex> compute() {
    std::vector<Sum> real(wanted_.size()), imaginary(wanted_.size());
    std::vector<Complex> values(run_);
    for (std::size_t row = 0; row < x_.rows(); ++row) {
      const Shape index = x_.row_index(row);
      for (std::size_t begin = 0; begin < x_.length(); begin += run_) {
        const std::size_t count = std::min(run_, x_.length() - begin);
        x_.read(row, begin, count, values.data());
        for (std::size_t s = 0; s < wanted_.size(); ++s) {
          const Complex part =
              times(run_sum(values.data(), &roots_[s * run_], count), outer(index, begin, s));
          real[s].add(part.real());
          imaginary[s].add(part.imag());
        }
      }
    }
    std::vector<Complex> sums;
    for (std::size_t s = 0; s < wanted_.size(); ++s) {
      sums.emplace_back(real[s].value(), imaginary[s].value());
    }
    return sums;
  }

 private:
  Complex factor(std::size_t n, std::size_t j, std::size_t k) const {
    const Complex w = root(n, j, k);
    return direction_ == Direction::forward ? w : std::conj(w);
  }
  static Complex run_sum(const Complex* values, const Complex* roots, std::size_t count) {
    Wide real = 0, imaginary = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const Complex term = times(values[j], roots[j]);
      real += term.real();
      imaginary += term.imag();
    }
    return {real, imaginary};
  }
  /// The factors of a run besides those along it.
  Complex outer(const Shape& index, std::size_t begin, std::size_t s) const {
    Complex all = begin == 0 ? Complex(1) : factor(x_.length(), begin, wanted_[s].back());
    for (std::size_t a = 0; a < index.size(); ++a) {
      if (index[a] != 0) all = times(all, factor(x_.shape()[a], index[a], wanted_[s][a]));
    }
    return all;
  }

  const Reader<T>& x_;
  Direction direction_;
  std::span<const Shape> wanted_;
  std::size_t run_;
  std::vector<Complex> roots_;
};

template <class T>
Size size_of(const Reader<T>& x) {
  constexpr std::size_t kEnough = 64;
  Size size;
  Sum squares;
  std::vector<Complex> values(std::min(kRun, x.length()));
  for (std::size_t row = 0; row < x.rows(); ++row) {
    for (std::size_t begin = 0; begin < x.length(); begin += kRun) {
      const std::size_t count = std::min(kRun, x.length() - begin);
      x.read(row, begin, count, values.data());
      Wide part = 0;
      for (std::size_t j = 0; j < count; ++j) {
        size.sum += std::abs(values[j].real()) + std::abs(values[j].imag());
        if (is_finite(values[j])) {
          part += std::norm(values[j]);
        } else if (size.odd.size() < kEnough) {
          size.odd.push_back({x.row_index(row), values[j]});
          size.odd.back().place.push_back(begin + j);
        }
      }
      squares.add(part);
    }
  }
  size.norm = std::sqrt(squares.value());
  return size;
}

/// Numbers of a side that are computed again.
struct Samples {
  std::vector<Shape> indices;
  bool all = false;
};

template <class T>
Samples choose(const Reader<T>& side, double terms, std::mt19937_64& random) {
  Samples samples;
  const std::size_t points = side.points();
  samples.all = points <= kWhole && static_cast<double>(points * points) <= terms / 2;
  const auto affordable = static_cast<std::size_t>(terms / 2 / static_cast<double>(points));
  const std::size_t stored = side.rows() * side.stored();
  const std::size_t count = samples.all ? stored : std::min(std::max(affordable, kFewest), stored);
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t element = samples.all ? s : random() % stored;
    samples.indices.push_back(side.row_index(element / side.stored()));
    samples.indices.back().push_back(element % side.stored());
  }
  return samples;
}

std::string index_text(const Shape& index) {
  return index.size() == 1 ? std::to_string(index[0]) : fmt::format("({})", fmt::join(index, ", "));
}

/// With as many digits as tell neighbouring numbers of T apart.
template <class T>
std::string complex_text(const Complex& z) {
  constexpr int kDigits = std::numeric_limits<T>::max_digits10;
  return fmt::format("{:.{}g}{:+.{}g}i", static_cast<double>(z.real()), kDigits,
                     static_cast<double>(z.imag()), kDigits);
}

/// What samples of one side came to, over `magnitude`.
struct Found {
  double error = 0;   ///< of all elements the root of the mean square, of samples the median
  double least = 0;   ///< what ‖e‖₂/‖y‖₂ is at least
  std::string where;  ///< of the worst
};

/// `off`: by how much samples, or all elements, differ; `squares`: their mean square; `count`: how
/// many elements there are.
void judge(std::vector<Wide> off, Wide squares, Wide magnitude, Wide count, bool all,
           Found& found) {
  if (all) {
    found.error = found.least = static_cast<double>(std::sqrt(squares) / magnitude);
    return;
  }
  // What is not a number comes last, as the largest.
  std::ranges::sort(off, [](Wide a, Wide b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  // A right transform may have its whole error in one element, so the mean of samples says little
  // of it. But no element exceeds the norm of all, and at most a quarter twice their root of the
  // mean square.
  const Wide median = off[(off.size() - 1) / 2] / magnitude;
  const Wide largest = off.back() / magnitude / std::sqrt(count);
  found.error = static_cast<double>(median);
  // In this order what is not a number stays so.
  found.least = static_cast<double>(std::max(largest, median / kSampleTolerance));
}

/// By how much a number is off.
Wide off_by(const Complex& value, const Complex& expected, const Shape& at, const Excuse& excuse) {
  if (excuse.may_be_odd()) {
    if (!is_finite(value)) return 0;
    if (!is_finite(expected)) {
      return excuse.must_be_odd(at) ? std::numeric_limits<Wide>::infinity() : 0;
    }
  }
  return std::abs(value - expected);
}

/// What the magnitude of numbers is taken to be larger by: the smallest numbers of T are rounded to
/// multiples of one, and errors of that size are within the bound. A sum of numbers has `sum` times
/// the error of one.
template <class T>
Wide coarseness(Wide sum, Wide bound) {
  constexpr Wide kMultiples = 32;
  return kMultiples * std::numeric_limits<T>::denorm_min() * (1 + sum) / bound;
}

/// Compares numbers of `given` with `scale` times the transform of `other`. `magnitude` is the root
/// of the mean square of the given ones.
template <class T>
Found compare(const Reader<T>& given, const Reader<T>& other, Direction direction, Wide scale,
              const Samples& samples, Wide magnitude, const Excuse& excuse) {
  Found found;
  std::vector<Wide> differences;
  Wide squares = 0, weights = 0, worst = 0;
  const std::span<const Shape> all = samples.indices;
  for (std::size_t begin = 0; begin < all.size(); begin += kGroup) {
    const auto group = all.subspan(begin, std::min(kGroup, all.size() - begin));
    const std::vector<Complex> sums = GroupSum<T>(other, direction, group).compute();
    for (std::size_t s = 0; s < group.size(); ++s) {
      const Shape row(group[s].begin(), group[s].end() - 1);
      std::size_t r = 0;
      for (std::size_t a = 0; a < row.size(); ++a) r = r * given.shape()[a] + row[a];
      const Complex expected = scale * sums[s], value = given.at(r, group[s].back());
      const Wide off = off_by(value, expected, group[s], excuse);
      const Wide weight = given.weight(group[s].back());
      differences.push_back(off);
      squares += weight * off * off;
      weights += weight;
      if (!(off <= worst) && !std::isnan(worst)) {
        worst = off;
        found.where = fmt::format("{} is {}: expected {}", index_text(group[s]),
                                  complex_text<T>(value), complex_text<T>(expected));
      }
    }
  }
  judge(std::move(differences), squares / weights, magnitude, static_cast<Wide>(given.points()),
        samples.all, found);
  return found;
}

/// What exceeds its bound, in words; or nothing.
std::string fault_of(const Check& check, const Found& element, const Found& column) {
  if (!(element.least <= check.bound)) {
    return fmt::format("element {}; relative error {:.2g}, expected at most {:.2g}", element.where,
                       element.least, check.bound);
  }
  if (!(column.least <= check.bound)) {
    return fmt::format(
        "some element is wrong: transformed back, element {}; relative error {:.2g}, expected at "
        "most {:.2g}",
        column.where, column.least, check.bound);
  }
  if (check.parseval <= check.bound) return {};
  return fmt::format("the sum of squares is off by {:.2g} (Parseval), expected at most {:.2g}",
                     check.parseval, check.bound);
}

std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t p = 2; p <= n / p; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return std::max(largest, n);
}

/// The bound of a line of n numbers, in units of ε.
double steps_of_line(std::size_t n) {
  constexpr std::size_t kLargestOfShortSums = 23, kLargestOfSums = 61;
  const double levels = std::log2(static_cast<double>(n));
  const std::size_t prime = largest_prime_factor(n);
  if (prime <= kLargestOfShortSums) return 2.5 * levels;
  return prime <= kLargestOfSums ? 4 * levels : 10 * (levels + 2);
}

}  // namespace

template <class T>
double error_bound(const std::vector<std::size_t>& shape) {
  double steps = 0;
  for (const std::size_t n : shape) steps += steps_of_line(n);
  return static_cast<double>(std::numeric_limits<T>::epsilon()) * std::max(1.0, steps);
}

template <class T>
Check verify(const std::vector<std::size_t>& shape, const Signal<T>& in, const Signal<T>& out,
             Direction direction, double scale, const CheckOptions& options) {
  Check check;
  if (product(shape) == 0) return check;
  const Reader<T> x(shape, in, Halves::of_real), y(shape, out, Halves::as_they_are);
  const auto points = static_cast<Wide>(x.points());
  std::mt19937_64 random(options.seed);
  const Samples elements = choose(y, options.terms, random),
                columns = choose(x, options.terms, random);
  const Size of_x = size_of(x), of_y = size_of(y);
  const Size stored =
      in.numbers == Numbers::half ? size_of(Reader<T>(shape, in, Halves::as_they_are)) : of_x;
  const Excuse excuse(shape, stored, of_x, out.numbers, scale, std::numeric_limits<T>::max());
  // Sums over all of y say something only where all of it is finite, or should be.
  const bool has_sums = of_x.odd.empty() && (of_y.odd.empty() || !excuse.may_be_odd());
  check.bound = error_bound<T>(shape);
  // The root of the mean square grows so much from x to y.
  const Wide root_n = std::sqrt(points), growth = std::abs(Wide{scale}) * root_n;
  // Of several axes what is no spectrum goes along up to the last one.
  const Wide norm = shape.size() > 1 ? std::max(of_x.norm, stored.norm) : of_x.norm;
  const Wide expected = growth * of_x.norm, allowed = growth * norm,
             coarse = coarseness<T>(growth, check.bound);
  const Direction opposite =
      direction == Direction::forward ? Direction::backward : Direction::forward;
  const Found element =
      compare(y, x, direction, scale, elements, allowed / root_n + coarse, excuse);
  Found column;
  if (has_sums) {
    column = compare(x, y, opposite, 1 / (Wide{scale} * points), columns,
                     norm / root_n + coarseness<T>(1 / growth, check.bound), Excuse());
    check.parseval =
        static_cast<double>(std::abs(of_y.norm - expected) / (allowed + root_n * coarse));
  }
  check.error = element.error;
  check.column_error = column.error;
  check.elements = elements.indices.size();
  check.columns = has_sums ? columns.indices.size() : 0;
  check.fault = fault_of(check, element, column);
  return check;
}

template double error_bound<float>(const std::vector<std::size_t>&);
template double error_bound<double>(const std::vector<std::size_t>&);
template Check verify(const std::vector<std::size_t>&, const Signal<float>&, const Signal<float>&,
                      Direction, double, const CheckOptions&);
template Check verify(const std::vector<std::size_t>&, const Signal<double>&, const Signal<double>&,
                      Direction, double, const CheckOptions&);

}  // namespace kinjo::fft::detail
