#include "workload/gemm_size.hpp"

#include <string>

#include <gtest/gtest.h>
#include <kinjo/gemm.hpp>
#include <kinjo/mapping.hpp>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

TEST(GemmShape, IsReadFromOneNumberOrThree) {
  const struct {
    const char* text;
    GemmShape shape;
    const char* shown;
  } cases[] = {
      {"1", {1, 1, 1}, "1"},
      {"2048", {2048, 2048, 2048}, "2048"},
      {"2K", {2048, 2048, 2048}, "2048"},
      {"2^10", {1024, 1024, 1024}, "1024"},
      {"100000x64x32", {100000, 64, 32}, "100000x64x32"},
      {"1Kx2x2^3", {1024, 2, 8}, "1024x2x8"},
      {"7x7x7", {7, 7, 7}, "7"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(parse_gemm_shape(c.text), c.shape) << c.text;
    EXPECT_EQ(to_string(c.shape), c.shown);
  }
}

TEST(GemmShape, RefusesWhatIsNoneWithWhatIsAccepted) {
  for (const char* text : {"", "0", "-1", "12Q", "1x2", "1x2x3x4", "1x0x3", "1xx3", "x", "64x",
                           "2 x2x2", "1e3", "2^63"}) {
    EXPECT_EQ(error_of([&] { parse_gemm_shape(text); }),
              "invalid_argument: '" + std::string(text) +
                  "' as the size of a product: expected N or MxNxK, each from 1 to 2^62, such as "
                  "2048, 2K or "
                  "100000x64x64");
  }
  EXPECT_EQ(error_of([] { parse_gemm_shape("1\n2"); }).substr(0, 24), "invalid_argument: '1?2' ");
}

TEST(GemmShape, CountsTwoOperationsForEachProduct) { EXPECT_EQ(GemmShape({2, 3, 5}).flops(), 60); }

TEST(GemmBytes, AreThoseOfThePlacedMatrices) {
  Team team(Mapping(Topology::this_machine(), Policy::none(), 1));
  for (const GemmShape& shape : {GemmShape{1, 1, 1}, {100, 8, 16}, {16, 9, 129}, {128, 64, 65}}) {
    gemm::PlacedMatrix<double> a(team, shape.m, shape.k), b(team, shape.k, shape.n),
        c(team, shape.m, shape.n);
    const std::size_t elements = a.array().size() + b.array().size() + c.array().size();
    EXPECT_EQ(gemm_bytes(shape, sizeof(double)), static_cast<double>(elements * sizeof(double)))
        << to_string(shape);
  }
}

TEST(GemmBytes, AreRefusedBeyondTheMemoryThatThereIs) {
  EXPECT_EQ(error_of([] { check_gemm_shape({100, 100, 100}, 8); }), "no error");
  const std::string refusal = error_of([] { check_gemm_shape({1 << 20, 1 << 20, 1 << 20}, 8); });
  EXPECT_TRUE(refusal.starts_with(
      "out_of_memory: the matrices of 1048576 doubles take 24 TiB: expected at most "))
      << refusal;
  EXPECT_TRUE(refusal.ends_with(" that are available; kinjo gemm multiplies larger ones in files"))
      << refusal;
  const std::size_t most = std::size_t{1} << 62;
  EXPECT_TRUE(
      error_of([&] {
        check_gemm_shape({most, most, most}, 4);
      })
          .starts_with("out_of_memory: the matrices of 4611686018427387904 floats take 2.6e+38 "
                       "bytes: expected at most "));
}

}  // namespace
}  // namespace kinjo
