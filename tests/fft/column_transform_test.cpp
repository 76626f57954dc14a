/// Columns against the definition of the discrete Fourier transform, at every level.
#include "fft/column_transform.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "fft/roots.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {
namespace {

template <class T>
constexpr std::size_t kWidth = 64 / sizeof(T);

/// Random lines and their transforms by the definition, of every width up to two of floats.
struct Example {
  std::size_t n;
  std::vector<std::vector<std::complex<float>>> lines;
  std::vector<std::vector<std::complex<double>>> transforms;
};

constexpr std::size_t kMostLines = 2 * kWidth<float>;

std::vector<std::complex<double>> transform(const std::vector<std::complex<float>>& x,
                                            const std::vector<std::complex<double>>& roots) {
  const std::size_t n = x.size();
  std::vector<std::complex<double>> y(n);
  // Sums of exact products in long double; the roots' rounding averages out far below a double's ε.
  for (std::size_t k = 0; k < n; ++k) {
    long double real = 0, imaginary = 0;
    for (std::size_t j = 0, at = 0; j < n; ++j, at = at + k < n ? at + k : at + k - n) {
      const long double c = roots[at].real(), s = roots[at].imag();
      const long double a = x[j].real(), b = x[j].imag();
      real += c * a - s * b;
      imaginary += c * b + s * a;
    }
    y[k] = {static_cast<double>(real), static_cast<double>(imaginary)};
  }
  return y;
}

/// Made once for each n; of longer ones few lines are different.
const Example& example(std::size_t n) {
  static std::map<std::size_t, Example> all;
  const auto [at, is_new] = all.try_emplace(n);
  Example& e = at->second;
  if (!is_new) return e;
  e.n = n;
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<std::complex<double>> roots;
  for (std::size_t k = 0; k < n; ++k) roots.push_back(root<double>(n, k));
  const std::size_t different = n <= 200 ? 5 : 2;
  for (std::size_t l = 0; l < kMostLines; ++l) {
    if (l >= different) {
      e.lines.push_back(e.lines[l % different]);
      e.transforms.push_back(e.transforms[l % different]);
      continue;
    }
    std::vector<std::complex<float>> line;
    for (std::size_t j = 0; j < n; ++j) line.emplace_back(uniform(random), uniform(random));
    e.transforms.push_back(transform(line, roots));
    e.lines.push_back(std::move(line));
  }
  return e;
}

/// Where lines lie: element j of line l at l·line + j·element, in units of T.
enum class Layout {
  split_columns,
  split_rows,
  complex_columns,
  complex_rows,
  exchanged_columns,
  exchanged_rows,
  strided
};
constexpr Layout kLayouts[] = {
    Layout::split_columns, Layout::split_rows,        Layout::complex_columns,
    Layout::complex_rows,  Layout::exchanged_columns, Layout::exchanged_rows,
    Layout::strided};

/// Memory with lines in it. What does not belong to them is a value that no transform yields.
template <class T>
struct Memory {
  static constexpr T kForeign = T(-12345);
  std::vector<T> first, second;
  Lines<T> lines;

  Memory(Layout layout, std::size_t n, std::size_t count, std::size_t skew) {
    const auto columns = static_cast<std::ptrdiff_t>(n), rows = static_cast<std::ptrdiff_t>(count);
    const std::size_t size = 2 * 3 * (n + 3) * (count + 3) + skew + 1;
    first.assign(size, kForeign);
    second.assign(size, kForeign);
    T* const at = first.data() + skew;
    T* const other = second.data() + skew;
    switch (layout) {
      case Layout::split_columns:
        lines = {at, other, 1, rows + 3};
        break;
      case Layout::split_rows:
        lines = {at, other, columns + 3, 1};
        break;
      case Layout::complex_columns:
        lines = {at, at + 1, 2, 2 * (rows + 1)};
        break;
      case Layout::complex_rows:
        lines = {at, at + 1, 2 * (columns + 1), 2};
        break;
      case Layout::exchanged_columns:
        lines = {at + 1, at, 2, 2 * rows};
        break;
      case Layout::exchanged_rows:
        lines = {at + 1, at, 2 * columns, 2};
        break;
      case Layout::strided:
        lines = {at, at + 1, 4, 4 * (rows + 1)};
        break;
    }
  }
  std::ptrdiff_t at(std::size_t l, std::size_t j) const {
    return static_cast<std::ptrdiff_t>(l) * lines.line +
           static_cast<std::ptrdiff_t>(j) * lines.element;
  }
  T& real(std::size_t l, std::size_t j) { return lines.real[at(l, j)]; }
  T& imaginary(std::size_t l, std::size_t j) { return lines.imaginary[at(l, j)]; }
  Lines<const T> source() const { return {lines.real, lines.imaginary, lines.line, lines.element}; }
  std::size_t foreign() const {
    const auto is_foreign = [](T x) { return x == kForeign; };
    return static_cast<std::size_t>(std::count_if(first.begin(), first.end(), is_foreign) +
                                    std::count_if(second.begin(), second.end(), is_foreign));
  }
};

template <class T>
struct AlignedDelete {
  void operator()(T* p) const { ::operator delete[](p, std::align_val_t(64)); }
};
/// Working memory full of NaN: nothing may depend on what is in it.
template <class T>
std::unique_ptr<T[], AlignedDelete<T>> work_for(const ColumnTransform<T>& transform) {
  const std::size_t size = transform.work_size();
  T* const p = static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t(64)));
  std::fill_n(p, size, std::numeric_limits<T>::quiet_NaN());
  return std::unique_ptr<T[], AlignedDelete<T>>(p);
}

enum class Way { run, steps, begun };
constexpr const char* kNames[] = {" run", " steps", " begun while loading"};

/// One transform of the first `lines` lines of an example.
template <class T>
struct Case {
  std::size_t n, width, lines;
  InCache method;
  Layout from, to;
  Way way;
  Store<T> store;
};

template <class T>
std::ostream& operator<<(std::ostream& out, const Case<T>& c) {
  return out << "n " << c.n << " width " << c.width << " lines " << c.lines
             << (c.method == InCache::in_place ? " in place" : " Stockham") << " from "
             << static_cast<int>(c.from) << " to " << static_cast<int>(c.to)
             << kNames[static_cast<int>(c.way)];
}

template <class T>
void transform(const Case<T>& c, const Memory<T>& from, Memory<T>& to) {
  const ColumnTransform<T> columns(c.n, c.width, c.method);
  const auto work = work_for(columns);
  if (c.way == Way::run) {
    columns.run(from.source(), to.lines, c.lines, work.get(), c.store);
    return;
  }
  if (c.way == Way::begun) {
    const std::size_t done = columns.load_and_begin(from.source(), c.lines, work.get());
    columns.compute_from(done, work.get());
  } else {
    columns.load(from.source(), c.lines, work.get());
    for (std::size_t i = 0; i < columns.pieces(); ++i) columns.compute_piece(work.get(), i);
  }
  columns.store(work.get(), to.lines, c.lines, c.store);
}

template <class T>
Memory<T> filled(const Case<T>& c, std::size_t skew) {
  const Example& e = example(c.n);
  Memory<T> memory(c.from, c.n, c.lines, skew);
  for (std::size_t l = 0; l < c.lines; ++l) {
    for (std::size_t j = 0; j < c.n; ++j) {
      memory.real(l, j) = static_cast<T>(e.lines[l][j].real());
      memory.imaginary(l, j) = static_cast<T>(e.lines[l][j].imag());
    }
  }
  return memory;
}

/// ‖y − expected‖ / ‖expected‖ of one line.
template <class T, class Expected>
double error_of(Memory<T>& y, std::size_t l, std::size_t n, const Expected& expected) {
  long double error = 0, norm = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::complex<double> wanted = expected(k);
    error += std::norm(std::complex<double>(y.real(l, k), y.imaginary(l, k)) - wanted);
    norm += std::norm(wanted);
  }
  return static_cast<double>(std::sqrt(error / norm));
}

template <class T>
double allowed(std::size_t n) {
  return 0.6 * std::numeric_limits<T>::epsilon() * std::sqrt(std::log2(static_cast<double>(n) + 1));
}

template <class T>
void check(const Case<T>& c) {
  const Memory<T> from = filled(c, 1);
  Memory<T> to(c.to, c.n, c.lines, 3);
  const std::size_t foreign = to.foreign();
  transform(c, from, to);
  ASSERT_EQ(to.foreign(), foreign - 2 * c.n * c.lines) << c;
  for (std::size_t l = 0; l < c.lines; ++l) {
    const auto& expected = example(c.n).transforms[l];
    const double error =
        error_of(to, l, c.n, [&](std::size_t k) { return expected[k] * double(c.store.scale); });
    ASSERT_LE(error, allowed<T>(c.n)) << c << " line " << l;
  }
}

template <class T>
class Columns : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Columns, Types);

/// Calls `f` with every level in force.
template <class F>
void at_every_level(const F& f) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    SCOPED_TRACE(to_string(level));
    f();
  }
}

bool has_only_small_primes(std::size_t n) {
  for (std::size_t p = 2; p <= kLargestPrime; ++p) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

constexpr InCache kMethods[] = {InCache::in_place, InCache::stockham};
constexpr Way kWays[] = {Way::run, Way::steps, Way::begun};

TYPED_TEST(Columns, OfEveryLengthAreTheDefinitionsTransformAtEveryLevel) {
  using T = TypeParam;
  at_every_level([] {
    for (std::size_t n = 1; n <= 200; ++n) {
      if (!has_only_small_primes(n)) continue;
      for (const InCache method : kMethods) {
        for (const Way way : kWays) {
          check<T>(
              {n, kWidth<T>, 5, method, Layout::complex_columns, Layout::split_columns, way, {}});
        }
      }
    }
  });
}

TYPED_TEST(Columns, OfLongLinesAreTheDefinitionsTransform) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {256u, 512u, 729u, 1000u, 1024u, 1331u, 2048u, 2310u, 4096u}) {
      for (const InCache method : kMethods) {
        for (const Way way : kWays) {
          check<T>({n,
                    2 * kWidth<T>,
                    3,
                    method,
                    Layout::complex_rows,
                    Layout::complex_columns,
                    way,
                    {}});
        }
      }
    }
  });
}

TYPED_TEST(Columns, ComeFromAndGoToEveryLayoutForAnyNumberOfLines) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {1u, 2u, 6u, 13u, 64u, 96u}) {
      for (const std::size_t lines : {std::size_t{1}, kWidth<T> - 1, kWidth<T>, kWidth<T> + 5}) {
        for (const Layout from : kLayouts) {
          for (const Layout to : kLayouts) {
            for (const Way way : kWays) {
              check<T>({n, 2 * kWidth<T>, lines, InCache::in_place, from, to, way, {}});
            }
          }
        }
      }
    }
  });
}

TYPED_TEST(Columns, AreScaledAndStreamed) {
  using T = TypeParam;
  at_every_level([] {
    for (const Layout to : kLayouts) {
      for (const Way way : kWays) {
        const Store<T> store = {T(0.25), nullptr, nullptr, kinjo::detail::Store::streaming};
        check<T>(
            {60, kWidth<T>, kWidth<T> - 3, InCache::stockham, Layout::split_rows, to, way, store});
        check<T>({64, kWidth<T>, kWidth<T>, InCache::in_place, Layout::split_rows, to, way, store});
      }
    }
  });
}

/// The tables of `Store` for the factors root(n·n, j·(lane + 1)).
template <class T>
std::vector<T> factors(std::size_t n, std::size_t rows, std::size_t step) {
  const std::size_t w = kWidth<T>;
  std::vector<T> table(2 * w * rows);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t l = 0; l < w; ++l) {
      const auto factor = root<T>(n * n, r * step * (l + 1));
      table[2 * w * r + l] = factor.real();
      table[2 * w * r + w + l] = factor.imag();
    }
  }
  return table;
}

TYPED_TEST(Columns, AreMultipliedWithTheFactorsOfTheirLines) {
  using T = TypeParam;
  const auto check_factors = [](const Case<T>& c) {
    const Memory<T> source = filled(c, 0);
    Memory<T> y(c.to, c.n, c.lines, 0);
    transform(c, source, y);
    const Roots roots(c.n * c.n);
    for (std::size_t l = 0; l < c.lines; ++l) {
      const auto& plain = example(c.n).transforms[l];
      const auto expected = [&](std::size_t k) {
        return 0.5 * plain[k] * roots.rounded<double>(k * (l + 1));
      };
      const double bound = allowed<T>(c.n) + 2 * std::numeric_limits<T>::epsilon();
      ASSERT_LE(error_of(y, l, c.n, expected), bound) << c;
    }
  };
  at_every_level([&] {
    for (const std::size_t n : {7u, 64u, 150u, 320u}) {
      const auto high = factors<T>(n, n / kTwiddleBlock + 1, kTwiddleBlock);
      const auto low = factors<T>(n, kTwiddleBlock, 1);
      const Store<T> store = {T(0.5), high.data(), low.data()};
      for (const Layout to : kLayouts) {
        for (const std::size_t lines : {kWidth<T> - 1, kWidth<T>}) {
          for (const Way way : kWays) {
            check_factors(
                {n, kWidth<T>, lines, InCache::in_place, Layout::complex_columns, to, way, store});
          }
        }
      }
    }
  });
}

TYPED_TEST(Columns, AreTheSameBitsInOneCallAndStepByStep) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {8u, 48u, 320u}) {  // one pass; one block; several blocks
      for (const InCache method : kMethods) {
        for (const Layout from : kLayouts) {
          for (const Layout to : kLayouts) {
            const std::size_t w = kWidth<T>;
            const Case<T> run = {n, w, w, method, from, to, Way::run, {T(0.75)}};
            const Memory<T> x = filled(run, 0);
            Memory<T> a(to, n, w, 0);
            transform(run, x, a);
            for (const Way way : {Way::steps, Way::begun}) {
              Case<T> other = run;
              other.way = way;
              Memory<T> b(to, n, w, 0);
              transform(other, x, b);
              ASSERT_EQ(a.first, b.first) << other;
              ASSERT_EQ(a.second, b.second) << other;
            }
          }
        }
      }
    }
  });
}

TYPED_TEST(Columns, MayGoBackToWhereTheyCameFrom) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {1u, 5u, 16u, 100u, 1024u}) {
      for (const Layout layout : kLayouts) {
        for (const std::size_t lines : {kWidth<T>, kWidth<T> - 2}) {
          const Case<T> c = {n, kWidth<T>, lines, InCache::in_place, layout, layout, Way::run, {}};
          const Memory<T> apart = filled(c, 1);
          Memory<T> result(layout, n, lines, 1), same = filled(c, 1);
          transform(c, apart, result);
          transform(c, same, same);
          ASSERT_EQ(same.first, result.first) << c;
          ASSERT_EQ(same.second, result.second) << c;
        }
      }
    }
  });
}

/// Line l of y has the bits of line m of z.
template <class T>
void expect_equal_lines(const Case<T>& c, Memory<T>& y, std::size_t l, Memory<T>& z,
                        std::size_t m) {
  for (std::size_t k = 0; k < c.n; ++k) {
    ASSERT_EQ(y.real(l, k), z.real(m, k)) << c << " line " << l;
    ASSERT_EQ(y.imaginary(l, k), z.imaginary(m, k)) << c << " line " << l;
  }
}

TYPED_TEST(Columns, AreTheSameBitsWhereverInTheWidthALineLies) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {30u, 64u, 1024u}) {
      for (const Way way : kWays) {
        // Lines 0, 2, 4 … of long examples are equal.
        const std::size_t w = 2 * kWidth<T>;
        const Case<T> c = {n,   w, w, InCache::in_place, Layout::split_rows, Layout::complex_rows,
                           way, {}};
        Memory<T> from = filled(c, 0), to(c.to, n, w, 0);
        for (std::size_t l = 1; l < w; ++l) {
          for (std::size_t j = 0; j < n; ++j) {
            from.real(l, j) = from.real(0, j);
            from.imaginary(l, j) = from.imaginary(0, j);
          }
        }
        transform(c, from, to);
        for (std::size_t l = 1; l < w; ++l) expect_equal_lines(c, to, l, to, 0);
      }
    }
  });
}

TYPED_TEST(Columns, KeepNaNAndInfinityInTheirLine) {
  using T = TypeParam;
  at_every_level([] {
    for (const std::size_t n : {12u, 64u, 77u}) {
      for (const Layout layout : kLayouts) {
        const std::size_t lines = kWidth<T> - 1;
        const Case<T> c = {n, kWidth<T>, lines, InCache::in_place, layout, layout, Way::run, {}};
        Memory<T> from = filled(c, 0), to(layout, n, lines, 0), clean(layout, n, lines, 0);
        transform(c, from, clean);
        from.real(2, n / 2) = std::numeric_limits<T>::quiet_NaN();
        from.imaginary(4, 1) = std::numeric_limits<T>::infinity();
        transform(c, from, to);
        for (std::size_t l = 0; l < lines; ++l) {
          if (l != 2 && l != 4) {
            expect_equal_lines(c, to, l, clean, l);
            continue;
          }
          for (std::size_t k = 0; k < n; ++k) {
            ASSERT_FALSE(std::isfinite(to.real(l, k)) && std::isfinite(to.imaginary(l, k))) << c;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace kinjo::fft::detail
