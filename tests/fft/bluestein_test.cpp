#include "fft/bluestein.hpp"

#include <gtest/gtest.h>

namespace kinjo::fft::detail {
namespace {

__extension__ using Wide = unsigned __int128;

std::size_t square_of(std::size_t j, std::size_t m) {
  return static_cast<std::size_t>(static_cast<Wide>(j) * j % m);
}

TEST(Bluestein, CountsSquaresUpFromZero) {
  for (const std::size_t n : {1u, 2u, 67u, 1009u}) {
    std::size_t square = 0;
    for (std::size_t j = 0; j < n; square = next_square(square, j, 2 * n), ++j) {
      EXPECT_EQ(square, j * j % (2 * n)) << j;
    }
  }
}

TEST(Bluestein, CountsSquaresThatExceed64Bits) {
  constexpr std::size_t k32 = std::size_t{1} << 32;
  for (const std::size_t n : {k32 + 15, 4 * k32 + 3, (std::size_t{1} << 48) + 21}) {
    for (const std::size_t first : {std::size_t{0}, k32 - 50, n / 2 - 50, n - 101}) {
      std::size_t square = square_of(first, 2 * n);
      for (std::size_t j = first; j < first + 100; ++j) {
        square = next_square(square, j, 2 * n);
        ASSERT_EQ(square, square_of(j + 1, 2 * n)) << j << " of " << n;
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
