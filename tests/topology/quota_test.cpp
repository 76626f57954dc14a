#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/scratch.hpp"
#include "topology/builder.hpp"

namespace kinjo::test {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kV2 = "cgroup2 /cg cgroup2 rw 0 0\n";
constexpr const char* kV1 =
    "cgroup /v1/mem cgroup rw,memory 0 0\ncgroup /v1/cpu cgroup rw,cpu,cpuacct 0 0\n";

struct Case {
  const char* name;
  const char* mounts;
  const char* groups;
  Files files;
  std::optional<double> quota;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"v2, limited", kV2, "0::/a/b\n", {{"cg/a/b/cpu.max", "150000 100000\n"}}, 1.5},
      {"v2, no limit", kV2, "0::/a\n", {{"cg/a/cpu.max", "max 100000\n"}}, {}},
      {"v2, a parent is tighter",
       kV2,
       "0::/a/b/c\n",
       {{"cg/a/cpu.max", "50000 100000\n"}, {"cg/a/b/c/cpu.max", "400000 100000\n"}},
       0.5},
      {"v2, a child is tighter",
       kV2,
       "0::/a/b\n",
       {{"cg/a/cpu.max", "300000 100000\n"}, {"cg/a/b/cpu.max", "200000 100000\n"}},
       2.0},
      {"v2, at the root of a container", kV2, "0::/\n", {{"cg/cpu.max", "250000 100000"}}, 2.5},
      {"v2, a sibling's limit", kV2, "0::/a\n", {{"cg/b/cpu.max", "50000 100000\n"}}, {}},
      {"v2, damaged", kV2, "0::/a\n", {{"cg/a/cpu.max", "lots 100000\n"}}, {}},
      {"v2, period zero", kV2, "0::/a\n", {{"cg/a/cpu.max", "50000 0\n"}}, {}},
      {"v1, limited",
       kV1,
       "3:memory:/x\n2:cpu,cpuacct:/x\n",
       {{"v1/cpu/x/cpu.cfs_quota_us", "200000\n"}, {"v1/cpu/x/cpu.cfs_period_us", "100000\n"}},
       2.0},
      {"v1, no limit",
       kV1,
       "2:cpu,cpuacct:/x\n",
       {{"v1/cpu/x/cpu.cfs_quota_us", "-1\n"}, {"v1/cpu/x/cpu.cfs_period_us", "100000\n"}},
       {}},
      {"v1, a parent is tighter",
       kV1,
       "2:cpu,cpuacct:/x/y\n",
       {{"v1/cpu/x/cpu.cfs_quota_us", "50000\n"},
        {"v1/cpu/x/cpu.cfs_period_us", "100000\n"},
        {"v1/cpu/x/y/cpu.cfs_quota_us", "100000\n"},
        {"v1/cpu/x/y/cpu.cfs_period_us", "100000\n"}},
       0.5},
      {"no control groups", "proc /proc proc rw 0 0\n", "", {}, {}},
      {"damaged tables", "cgroup2\n\n /cg", "0:\n:::::\n", {}, {}},
  };
  return all;
}

TEST(CpuQuota, IsTheTightestOnTheWayFromTheGroupToTheRoot) {
  for (const Case& c : cases()) {
    const Scratch root;
    root.write("proc/self/mounts", c.mounts);
    root.write("proc/self/cgroup", c.groups);
    for (const auto& [name, text] : c.files) root.write(name, text);
    EXPECT_EQ(detail::read_cpu_quota(root.path()), c.quota) << c.name;
  }
}

TEST(CpuQuota, IsAbsentWithoutProc) {
  EXPECT_EQ(detail::read_cpu_quota(Scratch().path()), std::nullopt);
}

}  // namespace
}  // namespace kinjo::test
