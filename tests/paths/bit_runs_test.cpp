/// Numbers that mostly go up, as runs of bits.
#include "paths/bit_runs.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::paths::detail {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::vector<std::uint16_t> from_least(const Numbers& numbers) {
  std::vector<std::uint16_t> expected;
  for (const std::uint32_t number : numbers) {
    expected.push_back(static_cast<std::uint16_t>(number - *std::ranges::min_element(numbers)));
  }
  return expected;
}

/// What comes of writing and reading them, the least one being zero.
std::vector<std::uint16_t> there_and_back(const Numbers& numbers, std::size_t* bytes = nullptr) {
  std::vector<std::byte> code(numbers.size() * bit_runs::kMostBytes + bit_runs::kSlackBytes);
  const std::size_t written = write_bit_runs(from_least(numbers), code.data());
  EXPECT_LE(written, code.size());
  code.resize(written);
  std::vector<std::uint16_t> read(numbers.size() + bit_runs::kSlack);
  EXPECT_EQ(read_bit_runs(code.data(), numbers.size(), read.data()), written);
  read.resize(numbers.size());
  if (bytes != nullptr) *bytes = written;
  return read;
}

struct Case {
  const char* name;
  Numbers numbers;
};

class BitRuns : public testing::TestWithParam<Case> {};

TEST_P(BitRuns, TellTheNumbersAgain) {
  EXPECT_EQ(there_and_back(GetParam().numbers), from_least(GetParam().numbers));
}

INSTANTIATE_TEST_SUITE_P(Numbers, BitRuns,
                         testing::Values(Case{"none", {}}, Case{"one", {7}},
                                         Case{"neighbours", {5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
                                         Case{"gaps", {0, 7, 8, 39, 40, 72, 105, 200, 1000}},
                                         Case{"equals", {3, 3, 4, 4, 4}},
                                         Case{"down", {900, 800, 801, 700, 0}},
                                         Case{"far_ones", {1U << 31, (1U << 31) + 0xFFFF}},
                                         Case{"the_last_ones", {0, 0xFFF0, 0xFFFE, 0xFFFF}}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BitRunsOfNeighbours, TakeABitEach) {
  Numbers numbers(256);
  std::iota(numbers.begin(), numbers.end(), 1000);
  std::size_t bytes = 0;
  there_and_back(numbers, &bytes);
  EXPECT_EQ(bytes, bit_runs::kHead + 256 / 8);
}

TEST(BitRunsOfAnyNumbers, TellThemAgain) {
  std::mt19937 random(1);
  for (const std::uint32_t range : {2U, 10U, 100U, 1U << 16}) {
    Numbers numbers(200);
    for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random() % range);
    EXPECT_EQ(there_and_back(numbers), from_least(numbers)) << range;
    std::ranges::sort(numbers);
    EXPECT_EQ(there_and_back(numbers), from_least(numbers)) << range << ", rising";
  }
}

}  // namespace
}  // namespace kinjo::paths::detail
