/// Files by their whole way: read, transformed, written; and what is refused.
#include "fft/file_transform.hpp"

#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "fft/plan_bytes.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::fft::detail {
namespace {

using kinjo::detail::NpyElements;
using kinjo::detail::NpyHeader;
using kinjo::detail::NpyOrder;
using kinjo::detail::NpyType;
using test::error_of;
using test::Scratch;

template <class T>
std::string file_of(NpyType type, std::vector<std::uint64_t> shape, const std::vector<T>& values,
                    NpyOrder order = NpyOrder::c) {
  return kinjo::detail::npy_header_text({type, order, std::move(shape), 0}) +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

/// The elements of a file that has that type and shape.
template <class T>
std::vector<T> values_of(const std::string& bytes, NpyType type,
                         const std::vector<std::uint64_t>& shape) {
  const NpyHeader header = kinjo::detail::parse_npy_header(bytes, "out", NpyElements::any);
  EXPECT_EQ(header.type, type);
  EXPECT_EQ(header.shape, shape);
  std::vector<T> values((bytes.size() - header.data_offset) / sizeof(T));
  std::copy_n(bytes.data() + header.data_offset, bytes.size() - header.data_offset,
              reinterpret_cast<char*>(values.data()));
  return values;
}

class FileTransforms : public ::testing::Test {
 protected:
  FileRequest request(const std::string& content) {
    scratch_.write("in.npy", content);
    return {.input = scratch_.path("in.npy"), .output = scratch_.path("out.npy")};
  }
  std::string run(const FileRequest& request) {
    FileTransform transform(request);
    EXPECT_TRUE(transform.load({}));
    transform.transform(nullptr);
    const Check check = transform.verify();
    EXPECT_EQ(check.fault, "");
    EXPECT_TRUE(transform.store({}));
    return test::read_file(request.output);
  }
  std::string refusal(const FileRequest& request) {
    const std::string text = error_of([&] { FileTransform transform(request); });
    const std::string name = scratch_.path("in.npy");
    const std::size_t at = text.find(name);
    return at == std::string::npos ? text
                                   : text.substr(0, at) + "IN" + text.substr(at + name.size());
  }
  Scratch scratch_;
};

TEST_F(FileTransforms, OfComplexNumbersGoForwardAndBack) {
  using Complex = std::complex<double>;
  std::vector<Complex> x(6 * 4);
  x[0] = {1, 2};
  FileRequest r = request(file_of(NpyType::complex128, {6, 4}, x));
  EXPECT_EQ(values_of<Complex>(run(r), NpyType::complex128, {6, 4}),
            std::vector<Complex>(24, Complex(1, 2)));
  r.input = r.output;
  r.output = scratch_.path("back.npy");
  r.direction = Direction::backward;
  EXPECT_EQ(values_of<Complex>(run(r), NpyType::complex128, {6, 4}), x);
}

TEST_F(FileTransforms, OfRealNumbersMakeComplexOnesOrHalfOfThem) {
  const std::vector<float> x{1, 0, 0, 0, 0, 0};
  FileRequest r = request(file_of(NpyType::float32, {6}, x));
  EXPECT_EQ(values_of<std::complex<float>>(run(r), NpyType::complex64, {6}),
            std::vector<std::complex<float>>(6, 1));
  r.real = true;
  EXPECT_EQ(values_of<std::complex<float>>(run(r), NpyType::complex64, {4}),
            std::vector<std::complex<float>>(4, 1));
  r.input = r.output;
  r.output = scratch_.path("back.npy");
  r.direction = Direction::backward;
  EXPECT_EQ(values_of<float>(run(r), NpyType::float32, {6}), x);
  r.length = 7;
  EXPECT_EQ(values_of<float>(run(r), NpyType::float32, {7}).size(), 7u);
}

TEST_F(FileTransforms, RunAlongTheAxesThatAreAskedFor) {
  std::vector<double> x(5 * 6 * 7, 1.0);
  FileRequest r = request(file_of(NpyType::float64, {5, 6, 7}, x));
  r.axes = {-2};
  const auto y = values_of<std::complex<double>>(run(r), NpyType::complex128, {5, 6, 7});
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(std::abs(y[i] - (i / 7 % 6 == 0 ? 6.0 : 0.0)), 0, 1e-14) << i;
  }
  r.axes = {0, 2};
  r.real = true;
  EXPECT_EQ(values_of<std::complex<double>>(run(r), NpyType::complex128, {5, 6, 4}).size(), 120u);
}

TEST_F(FileTransforms, AreVerifiedAllSideBySideOrOneOfEachRunOfManyNeighbours) {
  const auto elements_of = [&](std::uint64_t lines, std::uint64_t n) {
    FileRequest r =
        request(file_of(NpyType::float64, {lines, n}, std::vector<double>(lines * n, 1.0)));
    r.axes = {-1};
    FileTransform transform(r);
    EXPECT_TRUE(transform.load({}));
    transform.transform(nullptr);
    const Check check = transform.verify();
    EXPECT_EQ(check.fault, "");
    EXPECT_EQ(check.columns, check.elements);
    return check.elements;
  };
  EXPECT_EQ(elements_of(2, 3), 2u * 3);
  EXPECT_EQ(elements_of(3, 40), 3u * 40);
  EXPECT_EQ(elements_of(4096, 5), 4096u * 5);
  EXPECT_EQ(elements_of(4099, 5), 4096u * 5);
  // Of two, in 10 million terms each, so many elements and columns.
  EXPECT_EQ(elements_of(2, 10000), 2u * 500);
  // Of a hundred there are terms for samples only.
  EXPECT_EQ(elements_of(100, 1000), 100u * 200);
}

TEST_F(FileTransforms, HalveTheAxisThatIsNamedLast) {
  std::vector<double> x(5 * 6 * 7);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 11);
  for (const NpyOrder order : {NpyOrder::c, NpyOrder::fortran}) {
    FileRequest r = request(file_of(NpyType::float64, {5, 6, 7}, x, order));
    r.real = true;
    r.axes = {2, 0, -2};
    values_of<std::complex<double>>(run(r), NpyType::complex128, {5, 4, 7});
    r.input = r.output;
    r.output = scratch_.path("back.npy");
    r.direction = Direction::backward;
    const auto back = values_of<double>(run(r), NpyType::float64, {5, 6, 7});
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i], x[i], 1e-13);
  }
}

TEST_F(FileTransforms, OfHalvesThatAreNoSpectrumOfRealNumbersAreAsNumPyHasThem) {
  using Complex = std::complex<double>;
  FileRequest r =
      request(file_of(NpyType::complex128, {3}, std::vector<Complex>{{1, 5}, {0, 0}, {1, 7}}));
  r.real = true;
  r.direction = Direction::backward;
  EXPECT_EQ(values_of<double>(run(r), NpyType::float64, {4}),
            (std::vector<double>{0.5, 0, 0.5, 0}));
}

TEST_F(FileTransforms, OfFortranOrderStayInItAndHalveTheLastAxis) {
  // Element (i, j) of 3 × 4 is 1 where j is 0, so that only y_(0, k) is not 0; it is 3.
  std::vector<double> x(12);
  std::fill_n(x.begin(), 3, 1.0);
  FileRequest r = request(file_of(NpyType::float64, {3, 4}, x, NpyOrder::fortran));
  r.real = true;
  const std::string made = run(r);
  const NpyHeader header = kinjo::detail::parse_npy_header(made, "out", NpyElements::any);
  EXPECT_EQ(header.order, NpyOrder::fortran);
  const auto y = values_of<std::complex<double>>(made, NpyType::complex128, {3, 3});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::abs(y[3 * k] - 3.0), 0, 1e-14);
    EXPECT_NEAR(std::abs(y[3 * k + 1]) + std::abs(y[3 * k + 2]), 0, 1e-14);
  }
  r.input = r.output;
  r.output = scratch_.path("back.npy");
  r.direction = Direction::backward;
  const auto back = values_of<double>(run(r), NpyType::float64, {3, 4});
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(back[i], x[i], 1e-15);
}

TEST_F(FileTransforms, OfIntegersAreThoseOfDoubles) {
  const std::vector<std::int16_t> x{-3, 0, 0, 0};
  const FileRequest r = request(file_of(NpyType::int16, {4}, x));
  EXPECT_EQ(values_of<std::complex<double>>(run(r), NpyType::complex128, {4}),
            std::vector<std::complex<double>>(4, -3.0));
  FileRequest real = r;
  real.real = true;
  EXPECT_EQ(values_of<std::complex<double>>(run(real), NpyType::complex128, {3}),
            std::vector<std::complex<double>>(3, -3.0));
  EXPECT_EQ(FileTransform(r).memory_bytes(false),
            4096u + 64u + static_cast<std::uint64_t>(plan_bytes(4, {}, {})));
}

TEST_F(FileTransforms, OfTruthValuesAreThoseOfZeroAndOne) {
  const std::vector<std::uint8_t> x{1, 0, 1, 0};
  const FileRequest r = request(file_of(NpyType::boolean, {4}, x));
  EXPECT_EQ(values_of<std::complex<double>>(run(r), NpyType::complex128, {4}),
            (std::vector<std::complex<double>>{2.0, 0.0, 2.0, 0.0}));
}

TEST_F(FileTransforms, SayWhatTheyNeed) {
  const FileRequest r = request(file_of(NpyType::float64, {1000}, std::vector<double>(1000)));
  const FileTransform transform(r);
  EXPECT_EQ(transform.in_bytes(), 8000u);
  EXPECT_EQ(transform.out_bytes(), 16000u);
  const auto plan = static_cast<std::uint64_t>(plan_bytes(1000, {}, {}));
  EXPECT_EQ(transform.memory_bytes(false), 4096u + 16000u + plan);
  EXPECT_EQ(transform.memory_bytes(true), 4096u + 16000u + plan);  // 8000 to verify
}

TEST_F(FileTransforms, SayWhatConvolutionsNeed) {
  const std::size_t n = 20011;
  FileRequest r = request(file_of(NpyType::float64, {n}, std::vector<double>(n)));
  EXPECT_GT(FileTransform(r).memory_bytes(false), 4096 + 16 * n + 48 * 2 * n);
  r.real = true;
  EXPECT_GT(FileTransform(r).memory_bytes(false), 4096 + 16 * n + 96 * 2 * n);
}

TEST_F(FileTransforms, SayWhatVerifyingNeeds) {
  const std::size_t lines = 1000;
  FileRequest r = request(file_of(NpyType::float64, {lines, 2}, std::vector<double>(2 * lines)));
  r.axes = {1};  // of which copies of both sides are made
  EXPECT_EQ(FileTransform(r).memory_bytes(true), 4096 + 32 * lines + 16 * lines + 16 + 32);
  r = request(file_of(NpyType::float64, {4, 5 * lines}, std::vector<double>(20 * lines)));
  r.real = true;
  r.axes = {1, 0};  // all, but not as they lie in memory
  EXPECT_EQ(FileTransform(r).memory_bytes(true), 4096 + 240 * lines + 320 * lines + 240 * lines);
}

TEST_F(FileTransforms, EndWhereTheyAreAskedToAndLeaveNothing) {
  const FileRequest r = request(file_of(NpyType::float64, {1000}, std::vector<double>(1000)));
  FileTransform transform(r);
  EXPECT_FALSE(transform.load([](std::uint64_t) { return false; }));
  EXPECT_TRUE(transform.load({}));
  EXPECT_FALSE(transform.store([](std::uint64_t) { return false; }));
  EXPECT_FALSE(std::filesystem::exists(r.output));
}

TEST_F(FileTransforms, AreFoundInWisdomWhereAPlanIsForAllAxesAsTheyLie) {
  const auto key = [](const FileRequest& r) { return FileTransform(r).wisdom_key("m"); };
  FileRequest r = request(file_of(NpyType::complex64, {6, 4}, std::vector<double>(24)));
  EXPECT_EQ(key(r), (Wisdom::Key{"m", {6, 4}, sizeof(float)}));
  EXPECT_EQ(FileTransform(r).arrays(), Arrays::one);
  r.axes = {1};
  EXPECT_EQ(key(r), std::nullopt);
  r = request(file_of(NpyType::float64, {6, 4}, std::vector<double>(24)));
  EXPECT_EQ(key(r), (Wisdom::Key{"m", {6, 4}, sizeof(double)}));
  r.real = true;
  EXPECT_EQ(key(r), std::nullopt);  // two plans
  EXPECT_EQ(FileTransform(r).arrays(), Arrays::two);
  r = request(file_of(NpyType::float64, {24}, std::vector<double>(24)));
  r.real = true;
  EXPECT_EQ(key(r), (Wisdom::Key{"m", {24}, sizeof(double), Input::real}));
  r = request(file_of(NpyType::complex128, {13}, std::vector<double>(26)));
  r.real = true;
  r.direction = Direction::backward;
  EXPECT_EQ(key(r), (Wisdom::Key{"m", {24}, sizeof(double), Input::real}));
}

TEST_F(FileTransforms, AreTheSameByOtherCuts) {
  std::vector<double> x(1024);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 7) - 3;
  for (const bool real : {false, true}) {
    FileRequest r = request(file_of(NpyType::float64, {1024}, x));
    r.real = real;
    FileTransform transform(r);
    EXPECT_TRUE(transform.load({}));
    transform.transform(nullptr, {Cut::parse(real ? "16x32" : "32x32")});
    EXPECT_EQ(transform.verify().fault, "");
  }
}

TEST_F(FileTransforms, RefuseWhatCannotBeTransformed) {
  const std::vector<double> x(12);
  FileRequest r = request(file_of(NpyType::float64, {3, 4}, x));
  r.axes = {2};
  EXPECT_EQ(refusal(r), "invalid_argument: there is no axis 2: expected -2 to 1");
  r.axes = {0, -2};
  EXPECT_EQ(refusal(r), "invalid_argument: axis 0 is named twice: expected each once");
  r.axes = {};
  r.real = true;
  r.direction = Direction::backward;
  EXPECT_EQ(refusal(r),
            "bad_input: cannot read 'IN': its elements are float64: expected complex numbers for a "
            "backward real transform");
  r = request(file_of(NpyType::complex128, {6}, x));
  r.real = true;
  EXPECT_EQ(refusal(r),
            "bad_input: cannot read 'IN': its elements are complex128: expected real numbers for a "
            "forward real transform");
  r.direction = Direction::backward;
  r.length = 9;
  EXPECT_EQ(refusal(r),
            "bad_input: cannot read 'IN': axis 0 has 6 numbers, which are no half of 9: expected "
            "--length 10 or 11");
  r = request(file_of(NpyType::complex128, {6, 1}, x));
  r.real = true;
  r.direction = Direction::backward;
  EXPECT_EQ(refusal(r),
            "bad_input: cannot read 'IN': axis 1 has 1 number, which is half of none or of one: "
            "expected --length 1 for one");
  r.length = 1;
  EXPECT_EQ(FileTransform(r).out_shape(), (std::vector<std::size_t>{6, 1}));
  EXPECT_EQ(refusal(request(file_of(NpyType::float64, {3, 0}, std::vector<double>()))),
            "bad_input: cannot read 'IN': it has shape (3, 0): expected elements along some axis");
  EXPECT_EQ(refusal(request(file_of(NpyType::float64, {13}, x))),
            "bad_input: cannot read 'IN': it has 224 bytes: its header says 232");
}

}  // namespace
}  // namespace kinjo::fft::detail
