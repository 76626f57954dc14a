/// What is found out about the system, and that asking changes nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/binding.hpp>

#include "support/failing_new.hpp"
#include "support/scratch.hpp"
#include "support/sys_tree.hpp"
#include "topology/builder.hpp"

namespace kinjo::test {
namespace {

/// A set of CPUs of control groups' version 1, gone with it.
class Cpuset {
 public:
  Cpuset() { std::filesystem::create_directory(path_, failed_); }
  ~Cpuset() { std::filesystem::remove(path_, failed_); }
  Cpuset(const Cpuset&) = delete;
  Cpuset& operator=(const Cpuset&) = delete;

  /// Whether the system took it.
  bool write(const char* file, const std::string& text) const {
    std::ofstream out(path_ + "/" + file);
    return static_cast<bool>(out << text << std::flush);
  }

 private:
  std::string path_ = fmt::format("/sys/fs/cgroup/cpuset/kinjo-test-{}", getpid());
  std::error_code failed_;
};

enum Outcome { gained, not_gained, not_possible };

/// In a child, whose mask nobody has set: what it may use once its set of CPUs has grown.
Outcome grow_after_asking(const Cpuset& set, int first, int second) {
  const bool inside = set.write("cpuset.cpus", std::to_string(first)) &&
                      set.write("cpuset.mems", "0") &&
                      set.write("cgroup.procs", std::to_string(getpid()));
  if (!inside || thread_affinity() != CpuSet{first}) return not_possible;
  detail::probe_support();
  if (!set.write("cpuset.cpus", fmt::format("{},{}", first, second))) return not_possible;
  return thread_affinity() == CpuSet{first, second} ? gained : not_gained;
}

TEST(Support, IsFoundOutWithoutHoldingTheThreadToTheCpusThatItHas) {
  const CpuSet cpus = thread_affinity();
  if (cpus.count() < 2) GTEST_SKIP() << "needs two CPUs";
  const int first = cpus.first(), second = *++cpus.begin();
  const Cpuset set;
  const pid_t child = fork();
  if (child == 0) _exit(grow_after_asking(set, first, second));
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_possible) GTEST_SKIP() << "no cpuset of version 1 can be made";
  EXPECT_EQ(WEXITSTATUS(status), gained);
}

TEST(Topology, IsMadeOrRefusedWhereMemoryEnds) {
  const Scratch tree;
  write_sys_tree(tree, {.cpus = {{0, 0, 0}, {1, 1, 0}},
                        .nodes = {{0, {0}, 1 << 20, "10 21"}, {1, {1}, 1 << 20, "21 10"}}});
  const std::string input = tree.path();
  const auto attempt = [&] {
    try {
      return Topology::from(input).distance(0, 1) == 21;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  EXPECT_GT(fail_each_allocation(attempt, [](int) {}), 50);
}

}  // namespace
}  // namespace kinjo::test
