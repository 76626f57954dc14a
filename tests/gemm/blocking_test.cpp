#include "gemm/blocking.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace kinjo::gemm {
namespace {

/// Ranges, units and numbers of shares.
template <class F>
void for_cases(const F& check) {
  for (std::size_t size = 0; size < 130; ++size) {
    for (const std::size_t unit : {1, 4, 16, 48}) {
      for (std::size_t count = 1; count < 8; ++count) check(Range{7, 7 + size}, unit, count);
    }
  }
}

TEST(Blocking, SharesBeginWhereTheOneBeforeEnds) {
  for_cases([](Range all, std::size_t unit, std::size_t count) {
    std::size_t at = all.begin;
    for (std::size_t i = 0; i < count; ++i) {
      const Range share = even_share(all, unit, count, i);
      ASSERT_EQ(share.begin, at);
      ASSERT_LE(share.begin, share.end);
      at = share.end;
    }
    ASSERT_EQ(at, all.end);
  });
}

TEST(Blocking, SharesAreCutBetweenUnitsAndTheFirstIsLongerByOneAtMost) {
  for_cases([](Range all, std::size_t unit, std::size_t count) {
    const std::size_t first = even_share(all, unit, count, 0).size();
    for (std::size_t i = 0; i < count; ++i) {
      const Range share = even_share(all, unit, count, i);
      if (share.end != all.end) {
        ASSERT_EQ((share.end - all.begin) % unit, 0u);
      }
      ASSERT_LE(share.size(), first);
      const std::size_t units = detail::ceil_div(share.size(), unit);
      ASSERT_GE(units + 1, detail::ceil_div(first, unit));
    }
  });
}

TEST(Blocking, PartsAreNoLongerThanABlockOfWholeStrips) {
  for_cases([](Range all, std::size_t strip, std::size_t block) {
    const std::size_t most = std::max(block / strip, std::size_t{1}) * strip;
    const std::size_t parts = even_parts(all.size(), block, strip);
    for (std::size_t i = 0; i < parts; ++i) {
      const Range part = even_part(all, block, strip, i);
      ASSERT_LE(part.size(), most);
      ASSERT_FALSE(part.empty());
    }
  });
}

}  // namespace
}  // namespace kinjo::gemm
