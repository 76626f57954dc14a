#include "memory/spare_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "memory/growing_array.hpp"

namespace kinjo::detail {
namespace {

constexpr std::size_t kSmall = std::size_t{64} << 10;

Pages mapped(std::size_t bytes) {
  void* const data =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(data, MAP_FAILED);
  return {data, bytes};
}

void unmap(Pages pages) { munmap(pages.data, pages.bytes); }

/// In a thread of its own, which has kept nothing yet.
template <class Work>
void in_new_thread(Work&& work) {
  std::thread(work).join();
}

TEST(SparePages, AreTakenAgainByTheThreadThatGaveThemBack) {
  in_new_thread([] {
    EXPECT_EQ(take_spare(kSmall).data, nullptr);
    const Pages pages = mapped(kSmall);
    ASSERT_TRUE(keep_spare(pages));
    in_new_thread([] { EXPECT_EQ(take_spare(kSmall).data, nullptr); });
    EXPECT_EQ(take_spare(kSmall + 1).data, nullptr);
    const Pages again = take_spare(1);
    EXPECT_EQ(again.data, pages.data);
    EXPECT_EQ(again.bytes, kSmall);
    EXPECT_EQ(take_spare(1).data, nullptr);
    unmap(again);
  });
}

TEST(SparePages, AreGivenBackToTheSystemWhereThatIsAsked) {
  in_new_thread([] {
    ASSERT_TRUE(keep_spare(mapped(kSmall)));
    give_back_spare();
    EXPECT_EQ(take_spare(kSmall).data, nullptr);
  });
}

TEST(SparePages, AreTheSmallestThatWillDo) {
  in_new_thread([] {
    const Pages large = mapped(2 * kSmall), small = mapped(kSmall);
    ASSERT_TRUE(keep_spare(large));
    ASSERT_TRUE(keep_spare(small));
    const Pages taken = take_spare(kSmall);
    EXPECT_EQ(taken.data, small.data);
    unmap(taken);
  });
}

TEST(SparePages, AreFewAndSmall) {
  in_new_thread([] {
    const Pages large = mapped(std::size_t{4} << 20);
    EXPECT_FALSE(keep_spare(large));
    unmap(large);
    for (const std::size_t bytes : {kSmall / 16, kSmall, 8 * kSmall}) {
      std::size_t kept = 0;
      Pages pages = mapped(bytes);
      for (; keep_spare(pages); pages = mapped(bytes)) ++kept;
      unmap(pages);
      EXPECT_GT(kept, 0U) << bytes;
      EXPECT_LE(kept, 32U) << bytes;
      EXPECT_LE(kept * bytes, std::size_t{4} << 20) << bytes;
      give_back_spare();
    }
  });
}

TEST(SparePages, TakeOverWhatAnArrayThatGrowsHas) {
  in_new_thread([] {
    GrowingArray<unsigned char> array;
    array.resize(100);
    std::ranges::fill(array.all(), 1);
    const Pages pages = mapped(4 * kSmall);
    ASSERT_TRUE(keep_spare(pages));
    array.resize(2 * kSmall);
    EXPECT_EQ(static_cast<void*>(array.data()), pages.data);
    EXPECT_TRUE(std::ranges::all_of(array.all().first(100), [](int value) { return value == 1; }));
    const Pages before = take_spare(kSmall);
    ASSERT_NE(before.data, nullptr) << "the pages that it had";
    unmap(before);
  });
}

/// No array asks for so few: they would take the place of others.
TEST(GrowingMemory, OfWhichLittleIsLeftIsNotKept) {
  in_new_thread([] {
    GrowingMemory shrunk;
    shrunk.grow(kSmall);
    shrunk.shrink(100);
    shrunk = {};
    EXPECT_EQ(take_spare(1).data, nullptr);
  });
}

/// They lie with that one, whose node is another, maybe.
TEST(GrowingMemory, OfAnotherThreadIsNotKept) {
  in_new_thread([] {
    GrowingMemory own, others, moved;
    own.grow(kSmall);
    in_new_thread([&] {
      others.grow(kSmall);
      moved.grow(kSmall);
    });
    GrowingMemory taken_over = std::move(moved);
    const void* const data = own.data();
    others = {};
    taken_over = {};
    EXPECT_EQ(take_spare(1).data, nullptr);
    own = {};
    const Pages kept = take_spare(1);
    EXPECT_EQ(kept.data, data);
    unmap(kept);
  });
}

}  // namespace
}  // namespace kinjo::detail
