#include <kinjo/fft.hpp>

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "fft/direct.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::direct, test::exact, test::excess, test::random_numbers;

template <class T>
using Numbers = std::vector<std::complex<T>>;

template <class T>
Numbers<T> forward(const Fft<T>& plan, const Numbers<T>& x) {
  Numbers<T> y(x.size());
  plan.forward(x.data(), y.data());
  return y;
}
template <class T>
Numbers<T> backward(const Fft<T>& plan, const Numbers<T>& x) {
  Numbers<T> y(x.size());
  plan.backward(x.data(), y.data());
  return y;
}
template <class T>
bool same_bits(const Numbers<T>& x, const Numbers<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
}

/// Lengths of every kind: one sweep, two, primes, a team's share.
const std::size_t kLengths[] = {1, 7, 16, 60, 128, 257, 1000, 1024, 1331, 2310, 4096, 6561, 20011};

template <class T>
class FftOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FftOf, Types);

TYPED_TEST(FftOf, AgreesWithTheDefinitionForEveryLengthTo200) {
  for (std::size_t n = 1; n <= 200; ++n) {
    const auto x = random_numbers<TypeParam>(n);
    const Fft<TypeParam> plan(n, {.backward = fft::Scale::one});
    EXPECT_LE(excess(forward(plan, x), direct(x, -1)), 1) << "forward, n = " << n;
    EXPECT_LE(excess(backward(plan, x), direct(x, +1)), 1) << "backward, n = " << n;
  }
}

/// A single short line may exceed what lines of its length have in the mean.
TYPED_TEST(FftOf, KeepsItsErrorInTheMeanOverLinesOfEveryShortLength) {
  constexpr unsigned kLines = 25;
  for (std::size_t n = 1; n <= 100; ++n) {
    const Fft<TypeParam> plan(n);
    double squares = 0;
    for (unsigned seed = 1; seed <= kLines; ++seed) {
      const auto x = random_numbers<TypeParam>(n, seed);
      squares += std::pow(excess(forward(plan, x), direct(x, -1)), 2);
    }
    EXPECT_LE(std::sqrt(squares / kLines), 1) << "n = " << n;
  }
}

TYPED_TEST(FftOf, KeepsItsBoundForEveryLengthTo2000) {
  for (std::size_t n = 201; n <= 2000; ++n) {
    const auto x = random_numbers<TypeParam>(n);
    EXPECT_LE(excess(forward(Fft<TypeParam>(n), x), exact(x, -1)), 1) << "n = " << n;
  }
}

TYPED_TEST(FftOf, KeepsItsBoundForLongerLinesAndLargePrimes) {
  for (const std::size_t n :
       {2310u, 3125u, 4096u, 5003u, 5040u, 20011u, 59049u, 65537u, 100003u, 131071u, 1000003u}) {
    const auto x = random_numbers<TypeParam>(n);
    EXPECT_LE(excess(forward(Fft<TypeParam>(n), x), exact(x, -1)), 1) << "n = " << n;
  }
}

TEST(FftReference, IsTheDefinition) {
  for (const std::size_t n : {1u, 2u, 3u, 17u, 64u, 300u}) {
    const auto x = random_numbers<double>(n);
    const auto expected = direct(x, +1), found = test::exact(x, +1);
    const double most = 1e-15 * static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_LE(static_cast<double>(std::abs(found[k] - expected[k])), most);
    }
  }
}

TYPED_TEST(FftOf, AgreesWithTheDefinitionForEveryCut) {
  const auto x = random_numbers<TypeParam>(4096);
  const auto expected = direct(x, -1);
  for (const char* const factors : {"4096", "64x64", "8x512", "512x8", "16x16x16", "2x32x64"}) {
    for (const char* const how :
         {"", " width 16", " width 48 stockham", " in_place", " width 18446744073709551615"}) {
      const fft::Cut cut = fft::Cut::parse(std::string(factors) + how);
      const Fft<TypeParam> plan(4096, {.cuts = {cut}});
      EXPECT_LE(excess(forward(plan, x), expected), 1) << cut.to_string();
    }
  }
}

TYPED_TEST(FftOf, BackwardUndoesForward) {
  for (const std::size_t n : kLengths) {
    const auto x = random_numbers<TypeParam>(n);
    const Fft<TypeParam> plan(n);
    EXPECT_LE(excess(backward(plan, forward(plan, x)), {x.begin(), x.end()}), 2) << "n = " << n;
  }
}

TYPED_TEST(FftOf, IsScaledAsAsked) {
  const std::size_t n = 48;
  const auto x = random_numbers<TypeParam>(n);
  auto expected = direct(x, -1);
  const Fft<TypeParam> plan(n,
                            {.forward = fft::Scale::by_root_n, .backward = fft::Scale::by_root_n});
  for (auto& y : expected) y /= std::sqrt(static_cast<long double>(n));
  EXPECT_LE(excess(forward(plan, x), expected), 1);
  EXPECT_LE(excess(backward(plan, forward(plan, x)), {x.begin(), x.end()}), 2);
}

TYPED_TEST(FftOf, IsLinear) {
  for (const std::size_t n : kLengths) {
    const Fft<TypeParam> plan(n);
    const auto x = random_numbers<TypeParam>(n, 1), y = random_numbers<TypeParam>(n, 2);
    const std::complex<TypeParam> a(2, -1), b(-3, 0.5);
    Numbers<TypeParam> sum(n);
    for (std::size_t i = 0; i < n; ++i) sum[i] = a * x[i] + b * y[i];
    const auto of_x = forward(plan, x), of_y = forward(plan, y);
    std::vector<test::Wide> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] = test::Wide(a) * test::Wide(of_x[i]) + test::Wide(b) * test::Wide(of_y[i]);
    }
    EXPECT_LE(excess(forward(plan, sum), expected), 3) << "n = " << n;
  }
}

TYPED_TEST(FftOf, TurnsAShiftIntoPhases) {
  for (const std::size_t n : kLengths) {
    const Fft<TypeParam> plan(n);
    const auto x = random_numbers<TypeParam>(n);
    Numbers<TypeParam> shifted(n);
    for (std::size_t i = 0; i < n; ++i) shifted[(i + 1) % n] = x[i];
    const auto y = forward(plan, x);
    const auto roots = test::wide_roots(n, -1);
    std::vector<test::Wide> expected(n);
    for (std::size_t k = 0; k < n; ++k) expected[k] = test::Wide(y[k]) * roots[k];
    EXPECT_LE(excess(forward(plan, shifted), expected), 3) << "n = " << n;
  }
}

TYPED_TEST(FftOf, KeepsTheSumOfSquares) {
  for (const std::size_t n : kLengths) {
    const auto x = random_numbers<TypeParam>(n);
    long double before = 0, after = 0;
    for (const auto& v : x) before += std::norm(test::Wide(v));
    for (const auto& v : forward(Fft<TypeParam>(n), x)) after += std::norm(test::Wide(v));
    const long double n_before = static_cast<long double>(n) * before;
    EXPECT_NEAR(static_cast<double>(after / n_before), 1,
                20 * std::numeric_limits<TypeParam>::epsilon())
        << "n = " << n;
  }
}

TYPED_TEST(FftOf, TurnsAnImpulseIntoRoots) {
  for (const std::size_t n : kLengths) {
    const std::size_t place = n / 3;
    Numbers<TypeParam> x(n);
    x[place] = 1;
    const auto roots = test::wide_roots(n, -1);
    std::vector<test::Wide> expected(n);
    for (std::size_t k = 0; k < n; ++k) expected[k] = roots[k * place % n];
    EXPECT_LE(excess(forward(Fft<TypeParam>(n), x), expected), 3) << "n = " << n;
  }
}

TEST(Fft, RefusesSplitOutputsWhosePartsOverlap) {
  const Fft plan(8);
  std::vector<double> in(16), out(16);
  double* const o = out.data();
  using ConstSplit = fft::Split<const double>;
  const ConstSplit from{in.data(), in.data() + 8}, one{in.data(), in.data()};
  for (const fft::Split<double> to :
       {fft::Split<double>{o, o}, fft::Split<double>{o, o + 4}, fft::Split<double>{o + 7, o}}) {
    const auto refusal = [&](auto&& transform) {
      EXPECT_EQ(test::error_of(transform),
                "invalid_argument: fft: the real and imaginary parts of the output overlap: "
                "expected two arrays");
    };
    refusal([&] { plan.forward(from, to); });
    refusal([&] { plan.backward(from, to); });
    refusal([&] { plan.forward(to, to); });
  }
  // What is only read may be one.
  EXPECT_NO_THROW(plan.forward(one, fft::Split<double>{o, o + 8}));
  EXPECT_NO_THROW(plan.forward(one, fft::Split<double>{o + 8, o}));
}

TYPED_TEST(FftOf, GivesTheSameBitsInPlaceMisalignedAndSplit) {
  for (const std::size_t n : kLengths) {
    const Fft<TypeParam> plan(n);
    const auto x = random_numbers<TypeParam>(n);
    const auto y = forward(plan, x);
    Numbers<TypeParam> in_place = x;
    plan.forward(in_place.data(), in_place.data());
    EXPECT_TRUE(same_bits(in_place, y)) << "in place, n = " << n;

    std::vector<TypeParam> memory(4 * n + 2);
    auto* const from = reinterpret_cast<std::complex<TypeParam>*>(memory.data() + 1);
    auto* const to = reinterpret_cast<std::complex<TypeParam>*>(memory.data() + 2 * n + 1);
    std::copy(x.begin(), x.end(), from);
    plan.forward(from, to);
    EXPECT_TRUE(same_bits(Numbers<TypeParam>(to, to + n), y)) << "misaligned, n = " << n;

    std::vector<TypeParam> re(n), im(n);
    for (std::size_t i = 0; i < n; ++i) {
      re[i] = x[i].real();
      im[i] = x[i].imag();
    }
    plan.forward(fft::Split<const TypeParam>{re.data(), im.data()},
                 fft::Split<TypeParam>{re.data(), im.data()});
    Numbers<TypeParam> split(n);
    for (std::size_t i = 0; i < n; ++i) split[i] = {re[i], im[i]};
    EXPECT_TRUE(same_bits(split, y)) << "split, n = " << n;
  }
}

TYPED_TEST(FftOf, TransformsAlongTheAxesThatAreNamed) {
  const std::vector<std::size_t> shape{6, 5, 16};
  const auto x = random_numbers<TypeParam>(6 * 5 * 16);
  for (const std::vector<std::size_t>& axes :
       {std::vector<std::size_t>{}, {0}, {1}, {2}, {2, 0}, {0, 1}}) {
    std::vector<test::Wide> expected(x.begin(), x.end());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!axes.empty() && std::count(axes.begin(), axes.end(), axis) == 0) continue;
      std::size_t stride = 1;
      for (std::size_t d = axis + 1; d < 3; ++d) stride *= shape[d];
      const std::size_t n = shape[axis];
      for (std::size_t l = 0; l < x.size() / n; ++l) {
        const std::size_t first = l / stride * stride * n + l % stride;
        std::vector<std::complex<long double>> line(n);
        for (std::size_t j = 0; j < n; ++j) line[j] = expected[first + j * stride];
        const auto y = direct(line, -1);
        for (std::size_t j = 0; j < n; ++j) expected[first + j * stride] = y[j];
      }
    }
    const Fft<TypeParam> plan(shape, {.axes = axes});
    EXPECT_LE(excess(forward(plan, x), expected), 1) << axes.size() << " axes";
    EXPECT_LE(excess(backward(plan, forward(plan, x)), {x.begin(), x.end()}), 2);
  }
}

TYPED_TEST(FftOf, KeepsANanInItsTransformOfABatch) {
  for (const std::size_t n : {5u, 16u, 67u, 200u, 1024u}) {
    const std::size_t batch = 11, distance = n + 3;
    const Fft<TypeParam> plan(n, {.batch = batch, .distance = distance});
    auto x = random_numbers<TypeParam>(batch * distance);
    const auto clean = x;
    x[4 * distance + n / 2] = std::numeric_limits<TypeParam>::quiet_NaN();
    auto y = x;
    plan.forward(x.data(), y.data());
    for (std::size_t b = 0; b < batch; ++b) {
      const Numbers<TypeParam> line(y.begin() + static_cast<std::ptrdiff_t>(b * distance),
                                    y.begin() + static_cast<std::ptrdiff_t>(b * distance + n));
      if (b == 4) {
        for (const auto& v : line) EXPECT_TRUE(std::isnan(v.real()));
        continue;
      }
      const Numbers<TypeParam> in(clean.begin() + static_cast<std::ptrdiff_t>(b * distance),
                                  clean.begin() + static_cast<std::ptrdiff_t>(b * distance + n));
      EXPECT_LE(excess(line, direct(in, -1)), 1) << "n = " << n << ", transform " << b;
      for (std::size_t i = n; i < distance; ++i) {
        EXPECT_EQ(y[b * distance + i], x[b * distance + i]) << "between transforms";
      }
    }
  }
}

TYPED_TEST(FftOf, IsCalledByManyThreadsAtOnce) {
  for (const auto& [n, cut] : {std::pair<std::size_t, const char*>{64, "automatic"},
                               {4096, "automatic"},
                               {257, "automatic"},
                               {1 << 16, "16x64x64"}}) {
    const Fft<TypeParam> plan(n, {.cuts = {fft::Cut::parse(cut)}});
    const auto x = random_numbers<TypeParam>(n);
    const auto y = forward(plan, x);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (int& mine : wrong) {
      threads.emplace_back([&] {
        for (int turn = 0; turn < 20; ++turn) mine += !same_bits(forward(plan, x), y);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int mine : wrong) EXPECT_EQ(mine, 0) << "n = " << n;
  }
}

TEST(Fft, TakesNoMoreLinesAtATimeThanThereAre) {
  for (const char* const factors : {"64x64", "16x16x16", "4096"}) {
    const std::string cut = factors;
    const Fft plan(4096, {.cuts = {fft::Cut::parse(cut + " width 1000000000000")}});
    const Fft widest(4096, {.cuts = {fft::Cut::parse(cut + " width 256")}});
    EXPECT_EQ(plan.describe(), widest.describe());
    EXPECT_EQ(plan.work_bytes(), widest.work_bytes());
  }
}

TEST(Fft, RefusesADirectCutOfLinesWhoseElementsLieApart) {
  EXPECT_EQ(test::error_of([&] {
              Fft<double>({256, 3}, {.axes = {0}, .cuts = {fft::Cut::parse("256 direct")}});
            }),
            "invalid_argument: fft: cut '256 direct': elements lie 3 apart: expected 1 with "
            "'direct'");
}

TEST(Fft, DeducesDoubles) {
  const Fft plan(16);
  static_assert(std::is_same_v<decltype(plan), const Fft<double>>);
  EXPECT_EQ(plan.size(), 16u);
  EXPECT_EQ(plan.shape(), std::vector<std::size_t>{16});
}

TEST(Fft, RefusesArraysThatAreNullOrOverlap) {
  const Fft plan(8);
  Numbers<double> x(12);
  EXPECT_EQ(test::error_of([&] { plan.forward(nullptr, x.data()); }),
            "invalid_argument: fft: an array has no memory");
  EXPECT_EQ(test::error_of([&] { plan.forward(x.data(), x.data() + 4); }),
            "invalid_argument: fft: the arrays overlap: expected two, or the same one twice");
}

TEST(Fft, RefusesCutsThatDoNotMakeTheLine) {
  const struct {
    std::size_t n;
    const char *cut, *message;
  } refusals[] = {
      {16, "4x5", "fft: cut '4x5': expected factors that make a line of 16"},
      {16, "2x2x2x2", "fft: cut '2x2x2x2': expected one to three factors"},
      {134, "2x67", "fft: cut '2x67': a factor of 134 exceeds 61"},
      {4096, "64x64x1", "fft: cut '64x64x1': expected factors from 2"},
      {4096, "4096x1x1", "fft: cut '4096x1x1': expected factors from 2"},
      {4096, "1x64x64", "fft: cut '1x64x64': expected factors from 2"},
      {4096, "1x4096", "fft: cut '1x4096': expected factors from 2"},
      {std::size_t{1} << 29, "536870912",
       "fft: cut '536870912': 8 lines of 536870912 at a time: expected buffers of at most "
       "1073741824 numbers"},
      {256, "16x16 direct", "fft: cut '16x16 direct': expected for 'direct' one factor from 2"},
      {1, "1 direct", "fft: cut '1 direct': expected for 'direct' one factor from 2"},
      {67 * 8, "536 direct", "fft: cut '536 direct': a factor of 536 exceeds 61"},
  };
  for (const auto& r : refusals) {
    EXPECT_EQ(test::error_of([&] { Fft(r.n, {.cuts = {fft::Cut::parse(r.cut)}}); }),
              std::string("invalid_argument: ") + r.message);
  }
}

}  // namespace
}  // namespace kinjo
