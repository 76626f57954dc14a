#include "memory/growing_array.hpp"

#include <cstdint>

#include <gtest/gtest.h>
#include <kinjo/memory.hpp>

namespace kinjo::detail {
namespace {

constexpr std::size_t kMiB = (std::size_t{1} << 20) / sizeof(std::uint64_t);

bool is_on_huge_pages(const GrowingArray<std::uint64_t>& array) {
  return reinterpret_cast<std::uintptr_t>(array.data()) % huge_page_bytes() == 0;
}

TEST(GrowingArray, KeepsWhatItHasAndLiesOnHugePagesOnceItIsLarge) {
  if (huge_page_bytes() > std::size_t{4} << 20) GTEST_SKIP() << "huge pages are too large";
  GrowingArray<std::uint64_t> array;
  std::uint64_t filled = 0;
  for (const std::size_t size : {kMiB / 16, kMiB, 5 * kMiB, 7 * kMiB + 1, 40 * kMiB}) {
    array.resize(size);
    for (; filled < size; ++filled) array[filled] = filled * filled;
    EXPECT_TRUE(size <= kMiB || is_on_huge_pages(array)) << size;
    for (std::uint64_t i = 0; i < size; ++i) ASSERT_EQ(array[i], i * i) << size;
  }
}

TEST(GrowingArray, GrowsOnAfterItHasGivenBackWhatIsNotUsed) {
  GrowingArray<std::uint64_t> array;
  array.reserve(10 * kMiB);
  array.resize(6 * kMiB + 5);
  array[6 * kMiB] = 7;
  array.fit();
  EXPECT_EQ(array[6 * kMiB], 7U);
  array.resize(30 * kMiB);
  EXPECT_EQ(array[6 * kMiB], 7U);
  array[30 * kMiB - 1] = 8;
  EXPECT_TRUE(huge_page_bytes() > std::size_t{4} << 20 || is_on_huge_pages(array));
}

}  // namespace
}  // namespace kinjo::detail
