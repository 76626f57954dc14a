#include <kinjo/memory.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/error.hpp>

namespace kinjo {
namespace {

std::string message_of(auto&& f) {
  try {
    f();
  } catch (const Error& error) {
    return fmt::format("{}: {}", to_string(error.code()), error.what());
  }
  return "nothing was thrown";
}

int some_node() { return Topology::this_machine().allowed_nodes().first(); }
std::string nodes() { return Topology::this_machine().allowed_nodes().to_string(); }

TEST(AllocOn, PutsEveryPageOnTheNode) {
  const Buffer buffer = alloc_on(some_node(), 8 << 20);
  std::memset(buffer.data(), 1, buffer.size());
  const Audit found = buffer.audit();
  if (found.refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  EXPECT_EQ(found.on(some_node()), found.pages);
}

TEST(AllocOn, SaysWhichRungHeld) {
  const Buffer buffer = alloc_on(some_node(), 1);
  if (!Topology::this_machine().support().bind_memory) {
    GTEST_SKIP() << "this system refuses mbind";
  }
  EXPECT_EQ(buffer.placement().rung, Rung::bound);
  EXPECT_EQ(buffer.placement().message, "");
}

TEST(Reports, OfSeveralArraysTheFirstThatTellsOfARefusal) {
  const PagesReport first{Pages::huge, 0, ""}, second{Pages::transparent, ENOMEM, "too few"},
      third{Pages::transparent, ENOMEM, "none"};
  EXPECT_EQ(&detail::first_refused<PagesReport>({first, second, third}), &second);
  EXPECT_EQ(&detail::first_refused<PagesReport>({second, first}), &second);
  EXPECT_EQ(&detail::first_refused<PagesReport>({first, first}), &first);
}

TEST(AllocOn, RefusesANodeThatDoesNotExist) {
  EXPECT_EQ(
      message_of([] { alloc_on(12345, 4096); }),
      "not_found: cannot allocate on node 12345: it does not exist; expected one of " + nodes());
  EXPECT_EQ(message_of([] { alloc_on(-1, 4096); }),
            "not_found: cannot allocate on node -1: it does not exist; expected one of " + nodes());
}

TEST(AllocInterleaved, RefusesAbsentNodesAndNoNodes) {
  EXPECT_EQ(message_of([] { alloc_interleaved({}, 4096); }),
            "invalid_argument: cannot interleave over no nodes: expected at least one");
  EXPECT_EQ(
      message_of([] { alloc_interleaved({12345}, 4096); }),
      "not_found: cannot allocate on node 12345: it does not exist; expected one of " + nodes());
}

TEST(AllocInterleaved, DealsPagesToItsNodes) {
  const Buffer buffer = alloc_interleaved(Topology::this_machine().allowed_nodes(), 4 << 20);
  std::memset(buffer.data(), 1, buffer.size());
  const Audit found = buffer.audit();
  if (found.refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  const std::size_t share = found.pages / Topology::this_machine().allowed_nodes().count();
  for (int node : Topology::this_machine().allowed_nodes()) {
    EXPECT_NEAR(static_cast<double>(found.on(node)), static_cast<double>(share), 1);
  }
}

TEST(TouchPages, BringsEveryPageThatTheBytesAreIn) {
  const std::size_t bytes = 5 * page_bytes() + 1;
  const Buffer buffer = alloc(bytes + 2 * page_bytes());
  detail::touch_pages(buffer.data(), bytes);
  const Audit found = buffer.audit();
  if (found.refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  EXPECT_EQ(found.pages, 8u);
  EXPECT_EQ(found.not_present, 2u);
}

TEST(Alloc, RefusesZeroBytesAndOddAlignments) {
  EXPECT_EQ(message_of([] { alloc(0); }), "invalid_argument: cannot allocate 0 bytes");
  EXPECT_EQ(message_of([] { alloc(1, {.alignment = 3}); }),
            "invalid_argument: alignment 3: expected a power of two");
}

TEST(Alloc, SaysWhenMemoryIsOut) {
  EXPECT_EQ(message_of([] { alloc(SIZE_MAX / 8); }),
            "out_of_memory: cannot allocate 2048 PiB: mmap returned ENOMEM");
  EXPECT_EQ(message_of([] { alloc(SIZE_MAX); }),
            "out_of_memory: cannot allocate 16384 PiB: mmap returned ENOMEM");
}

TEST(Alloc, AlignsAsAskedAndIsZero) {
  for (std::size_t alignment : {0ul, 64ul, 4096ul, 1ul << 21, 1ul << 24}) {
    const Buffer buffer = alloc(10000, {.alignment = alignment});
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    EXPECT_EQ(address % std::max(alignment, page_bytes()), 0u);
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      ASSERT_EQ(static_cast<unsigned char*>(buffer.data())[i], 0);
    }
  }
}

TEST(Alloc, AlignsTransparentHugePagesToTheirSize) {
  const Buffer buffer = alloc(10 << 20, {.pages = Pages::transparent});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % huge_page_bytes(), 0u);
}

TEST(Alloc, TakesNoHugePageForAnEighthOfOne) {
  const std::size_t eighth = huge_page_bytes() / 8, page = page_bytes();
  const Buffer small = alloc(eighth - 1, {.pages = Pages::transparent});
  EXPECT_EQ(small.capacity(), (eighth - 1 + page - 1) / page * page);
  const Buffer large = alloc(eighth, {.pages = Pages::transparent});
  EXPECT_EQ(large.capacity(), huge_page_bytes());
}

/// Pages of the pool that are free, as the kernel tells.
std::size_t free_huge_pages() {
  std::size_t free = 0;
  std::ifstream(fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/free_hugepages",
                            huge_page_bytes() / 1024)) >>
      free;
  return free;
}

TEST(Alloc, TakesHugePagesFromThePoolWhereItHasThem) {
  if (free_huge_pages() < 2) GTEST_SKIP() << "the system's pool has no two free huge pages";
  const Buffer buffer = alloc(huge_page_bytes() + 1, {.pages = Pages::huge});
  EXPECT_EQ(buffer.pages().pages, Pages::huge);
  EXPECT_EQ(buffer.pages().message, "");
  EXPECT_EQ(buffer.capacity(), 2 * huge_page_bytes());
  std::memset(buffer.data(), 1, buffer.capacity());
}

TEST(Alloc, AsksForTransparentHugePagesWhereThePoolHasTooFew) {
  if (huge_page_bytes() != 2 << 20) GTEST_SKIP() << "the message counts pages of 2 MiB";
  const std::size_t needed = std::size_t{1}
                             << 15;  // more than the pools of machines that run tests
  const Buffer buffer = alloc(needed << 21, {.pages = Pages::huge});
  EXPECT_EQ(buffer.pages().pages, Pages::transparent);
  EXPECT_EQ(buffer.pages().error, ENOMEM);
  EXPECT_THAT(buffer.pages().message,
              testing::MatchesRegex(
                  "cannot get 64 GiB in huge pages of 2 MiB: mmap returned ENOMEM "
                  ".32768 needed, [0-9]+ of [0-9]+ in the pool are free; "
                  "/proc/sys/vm/nr_hugepages sets how many there are.; transparent huge pages were "
                  "asked for instead"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % huge_page_bytes(), 0u);
}

TEST(Buffer, MovesItsMemory) {
  Buffer first = alloc(4096);
  void* data = first.data();
  Buffer second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.size(), 4096u);
  second = alloc(8192);
  EXPECT_EQ(second.size(), 8192u);
}

TEST(AvailableMemory, IsMoreThanNothingAndLessThanAbsurd) {
  EXPECT_GT(available_memory_bytes(), 1u << 20);
  EXPECT_LT(available_memory_bytes(), std::uint64_t{1} << 50);
}

}  // namespace
}  // namespace kinjo
