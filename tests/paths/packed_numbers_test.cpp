/// Numbers in as many bits as the greatest of them has.
#include "paths/packed_numbers.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace kinjo::paths::detail {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// So many numbers of up to `width` bits beyond `least`, of which one has all.
Numbers some_numbers(std::size_t count, unsigned width, std::uint32_t least) {
  kinjo::detail::Random random(count * 33 + width);
  const std::uint64_t most = (std::uint64_t{1} << width) - 1;
  Numbers numbers(count);
  for (std::uint32_t& number : numbers) {
    number = least + static_cast<std::uint32_t>(random.next() & most);
  }
  if (count != 0) numbers[count / 2] = least + static_cast<std::uint32_t>(most);
  return numbers;
}

class PackedNumbers : public testing::TestWithParam<unsigned> {};

TEST_P(PackedNumbers, AreReadAsTheyWereWritten) {
  constexpr std::uint32_t kLeast = 1000;
  const unsigned width = GetParam();
  const std::uint32_t least = width == 32 ? 0 : kLeast;
  for (const std::size_t count : {0, 1, 2, 7, 8, 9, 15, 16, 17, 100, 255, 256}) {
    const Numbers numbers = some_numbers(count, width, least);
    const std::size_t bytes = packed_numbers::bytes(count, width);
    std::vector<std::byte> code(bytes + packed_numbers::kSlackBytes);
    ASSERT_EQ(write_packed(numbers, least, width, code.data()), bytes);
    Numbers read(count + packed_numbers::kSlack);
    ASSERT_EQ(read_packed(code.data(), count, width, read.data()), bytes);
    read.resize(count);
    for (std::uint32_t& number : read) number += least;
    EXPECT_EQ(read, numbers) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, PackedNumbers, testing::Range(0U, 33U));

TEST(PackedNumbersOfTwelveBits, TakeTwelveBitsEach) {
  EXPECT_EQ(packed_numbers::bytes(256, 12), 384U);
  EXPECT_EQ(packed_numbers::bytes(3, 12), 5U);
}

}  // namespace
}  // namespace kinjo::paths::detail
