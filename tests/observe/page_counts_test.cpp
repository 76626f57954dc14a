#include "observe/page_counts.hpp"

#include <unistd.h>

#include <cerrno>
#include <map>

#include <kinjo/memory.hpp>

#include "observe/proc_tree.hpp"
#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using test::Scratch;
using test::two_nodes;

constexpr const char* kMaps =
    "1000-5000 rw-p 00000000 00:00 0                          [heap]\n"
    "9000-b000 r--p 00000000 fe:00 1835                       /lib/c.so\n";
constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;

/// A task whose pages 1, 2, 4, 9 and 10 are in memory; page 3 was never touched.
void write_task(const Scratch& tree) {
  tree.write("maps", kMaps);
  std::string words;
  for (std::uint64_t page = 0; page < 11; ++page) {
    const std::uint64_t word = page == 0 || page == 3 || (page > 4 && page < 9) ? 0 : kPresent;
    words.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  tree.write("pagemap", words);
}

/// move_pages that knows these pages, by their number.
PageQuery answer(std::map<std::uint64_t, int> nodes) {
  return [nodes](int, std::span<void* const> pages, std::span<int> where) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      where[i] = nodes.at(reinterpret_cast<std::uintptr_t>(pages[i]) / page_bytes());
    }
    return 0;
  };
}

PageQuery refuse(int error) {
  return [error](int, std::span<void* const>, std::span<int>) { return error; };
}

class PageCountsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (page_bytes() != 4096) GTEST_SKIP() << "the recorded addresses are of pages of 4 KiB";
  }
  PageCounts count(const PageQuery& query, std::optional<PageSource> wanted = {},
                   const Topology& machine = two_nodes()) const {
    return count_pages(test::root_of(tree_), 7, wanted, machine, query);
  }
  Scratch tree_;
};

TEST_F(PageCountsTest, ComeFromNumaMapsFirst) {
  write_task(tree_);
  tree_.write("numa_maps",
              "1000 bind:1 heap anon=2 N1=2 kernelpagesize_kB=4\n2000 default\n"
              "9000 default file=/lib/c.so N0=1 N1=1 kernelpagesize_kB=2048\n");
  const PageCounts counts = count(refuse(EPERM));
  ASSERT_TRUE(counts.memory);
  EXPECT_EQ(counts.memory->source, PageSource::numa_maps);
  EXPECT_EQ(counts.memory->bytes, (NodeBytes{{0, 2 << 20}, {1, (2 << 20) + 8192}}));
  ASSERT_EQ(counts.memory->mappings.size(), 2u);  // the one without pages is left out
  EXPECT_EQ(counts.memory->mappings[0].policy, "bind:1");
  EXPECT_EQ(counts.memory->on(1), (2u << 20) + 8192);
  EXPECT_EQ(counts.memory->on(5), 0u);
}

TEST_F(PageCountsTest, ComeFromMovePagesWhereThereAreNoNumaMaps) {
  write_task(tree_);
  const PageCounts counts = count(answer({{1, 0}, {2, 1}, {4, 1}, {9, -ENOENT}, {10, -EBUSY}}));
  ASSERT_TRUE(counts.memory);
  EXPECT_EQ(counts.memory->source, PageSource::move_pages);
  EXPECT_EQ(counts.memory->bytes, (NodeBytes{{0, 4096}, {1, 8192}}));
  EXPECT_EQ(counts.memory->unknown_bytes, 4096u);
  ASSERT_EQ(counts.memory->mappings.size(), 1u);
  EXPECT_EQ(counts.memory->mappings[0].name, "[heap]");
}

TEST_F(PageCountsTest, ComeFromMovePagesIfAsked) {
  write_task(tree_);
  tree_.write("numa_maps", "1000 default N0=100 kernelpagesize_kB=4\n");
  const auto counts =
      count(answer({{1, 0}, {2, 0}, {4, 0}, {9, 0}, {10, 1}}), PageSource::move_pages);
  EXPECT_EQ(counts.memory->bytes, (NodeBytes{{0, 16384}, {1, 4096}}));
}

TEST_F(PageCountsTest, LieOnTheOnlyNodeOfAKernelThatKnowsNone) {
  write_task(tree_);
  const auto one = Topology::from("synthetic:numa:1 core:2 pu:1");
  const PageCounts counts = count(refuse(ENOSYS), {}, one);
  ASSERT_TRUE(counts.memory);
  EXPECT_EQ(counts.memory->source, PageSource::one_node);
  EXPECT_EQ(counts.memory->bytes, (NodeBytes{{0, 5 * 4096}}));
}

TEST_F(PageCountsTest, SayWhoRefused) {
  write_task(tree_);
  EXPECT_EQ(count(refuse(ENOSYS)).refusal.error, ENOSYS);  // two nodes: which one?
  const PageCounts counts = count(refuse(EPERM));
  EXPECT_FALSE(counts.memory);
  EXPECT_EQ(counts.refusal.what, "move_pages");
  EXPECT_EQ(counts.refusal.error, EPERM);
  EXPECT_EQ(count(refuse(EPERM), PageSource::numa_maps).refusal.what, tree_.path("numa_maps"));
}

TEST_F(PageCountsTest, SayWhichFileIsMissing) {
  EXPECT_EQ(count(refuse(EPERM)).refusal.what, tree_.path("maps"));
  tree_.write("maps", kMaps);
  EXPECT_EQ(count(refuse(EPERM)).refusal.what, tree_.path("pagemap"));
}

TEST_F(PageCountsTest, RefuseDamagedFiles) {
  tree_.write("numa_maps", "1000 default N0=x\n");
  EXPECT_EQ(
      error_of([&] { count(refuse(EPERM)); }),
      "bad_input: malformed numa_maps, line 1, at 'N0=x': expected pages of a node as N0=123, "
      "or kernelpagesize_kB=4");
}

}  // namespace
}  // namespace kinjo::detail
