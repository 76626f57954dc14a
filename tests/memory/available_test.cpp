/// Memory that is left, by descriptions of systems.
#include "memory/available.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/memory.hpp>

#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

constexpr const char* kMounts =
    "cgroup2 /v2 cgroup2 rw,nosuid 0 0\n"
    "cgroup /v1/memory cgroup rw,memory 0 0\n";
constexpr const char* kOneGibibyte = "MemTotal: 9999999 kB\nMemAvailable:    1048576 kB\n";

struct Case {
  const char* what;
  const char* groups;
  std::vector<std::pair<const char*, const char*>> files;
  std::uint64_t bytes;
};

void expect_available(std::span<const Case> cases) {
  for (const Case& c : cases) {
    const test::Scratch tree;
    tree.write("proc/meminfo", kOneGibibyte);
    tree.write("proc/self/mounts", kMounts);
    tree.write("proc/self/cgroup", c.groups);
    for (const auto& [name, text] : c.files) tree.write(name, text);
    EXPECT_EQ(read_available_memory(tree.path()), c.bytes) << c.what;
  }
}

TEST(HugePage, IsATransparentOneOrOneOfThePoolOrAsLargeAsOthers) {
  constexpr const char* kTransparent = "sys/kernel/mm/transparent_hugepage/hpage_pmd_size";
  constexpr const char* kPool = "MemTotal:  9 kB\nHugePages_Total:  0\nHugepagesize:  32768 kB\n";
  const test::Scratch tree;
  tree.write("proc/meminfo", kOneGibibyte);
  EXPECT_EQ(read_huge_page_bytes(tree.path()), page_bytes());
  tree.write("proc/meminfo", kPool);
  EXPECT_EQ(read_huge_page_bytes(tree.path()), std::size_t{32} << 20);
  tree.write(kTransparent, "2097152\n");
  EXPECT_EQ(read_huge_page_bytes(tree.path()), std::size_t{2} << 20);
}

TEST(AvailableMemory, IsTheLeastThatSystemAndGroupsLeave) {
  const Case cases[] = {
      {"no group", "", {}, 1073741824},
      {"a group of version 2 that sets no limit",
       "0::/x\n",
       {{"v2/x/memory.max", "max\n"}, {"v2/x/memory.current", "5\n"}},
       1073741824},
      {"a group of version 2",
       "0::/x\n",
       {{"v2/x/memory.max", "536870912\n"}, {"v2/x/memory.current", "1000000\n"}},
       535870912},
      {"file pages of it are given up",
       "0::/x\n",
       {{"v2/x/memory.max", "536870912\n"},
        {"v2/x/memory.current", "1000000\n"},
        {"v2/x/memory.stat", "anon 400000\ninactive_file 500000\nactive_file 100000\n"}},
       536470912},
      {"the smallest on the way to the root",
       "0::/x/y/z\n",
       {{"v2/x/memory.max", "300000000\n"},
        {"v2/x/memory.current", "0\n"},
        {"v2/x/y/memory.max", "200000000\n"},
        {"v2/x/y/memory.current", "0\n"},
        {"v2/x/y/z/memory.max", "400000000\n"},
        {"v2/x/y/z/memory.current", "0\n"}},
       200000000},
  };
  expect_available(cases);
}

TEST(AvailableMemory, IsWhatGroupsOfTheFirstVersionLeave) {
  const Case cases[] = {
      {"a group of version 1 without a limit has a huge one",
       "4:memory:/x\n",
       {{"v1/memory/x/memory.limit_in_bytes", "9223372036854771712\n"},
        {"v1/memory/x/memory.usage_in_bytes", "1\n"}},
       1073741824},
      {"a parent of version 1",
       "4:memory:/x/y\n",
       {{"v1/memory/x/memory.limit_in_bytes", "100000000\n"},
        {"v1/memory/x/memory.usage_in_bytes", "40000000\n"}},
       60000000},
      {"file pages of the groups below count in version 1, and not those of the group alone",
       "4:memory:/x\n",
       {{"v1/memory/x/memory.limit_in_bytes", "100000000\n"},
        {"v1/memory/x/memory.usage_in_bytes", "40000000\n"},
        {"v1/memory/x/memory.stat",
         "inactive_file 1000\nactive_file 2000\n"
         "total_inactive_file 10000000\ntotal_active_file 5000000\n"}},
       75000000},
      {"a group of version 1 without totals has its own file pages",
       "4:memory:/x\n",
       {{"v1/memory/x/memory.limit_in_bytes", "100000000\n"},
        {"v1/memory/x/memory.usage_in_bytes", "40000000\n"},
        {"v1/memory/x/memory.stat", "inactive_file 1000000\nactive_file 2000000\n"}},
       63000000},
      {"a group that has more than its limit leaves nothing",
       "4:memory:/x\n",
       {{"v1/memory/x/memory.limit_in_bytes", "100\n"},
        {"v1/memory/x/memory.usage_in_bytes", "200\n"}},
       0},
  };
  expect_available(cases);
}

}  // namespace
}  // namespace kinjo::detail
