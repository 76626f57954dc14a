/// The system calls as the running kernel answers them.
#include "base/kernel.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include <gtest/gtest.h>

#include "base/initial_affinity.hpp"
#include "support/expect.hpp"

namespace kinjo::test {
namespace {

using namespace detail;

/// Two pages, the first of which has been touched.
class KernelMemory : public testing::Test {
 protected:
  KernelMemory()
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        data_(static_cast<char*>(
            mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    data_[0] = 1;
  }
  ~KernelMemory() override { munmap(data_, 2 * page_); }

  const std::size_t page_;
  char* const data_;
};

TEST(KernelAffinity, IsReadAsTheCLibraryReadsIt) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  const CpuSet cpus = get_affinity();
  EXPECT_EQ(cpus.count(), static_cast<std::size_t>(CPU_COUNT(&mask)));
  for (int cpu : cpus) EXPECT_TRUE(CPU_ISSET(cpu, &mask)) << cpu;
  EXPECT_EQ(initial_affinity(), cpus);
}

TEST(InitialAffinity, IsAllPlacesWhereItIsOneOfThem) {
  const CpuSet own{4, 5};
  EXPECT_EQ(with_all_places(own, nullptr), own);
  EXPECT_EQ(with_all_places(own, "0-1;4-5;70"), CpuSet({0, 1, 4, 5, 70}));
  EXPECT_EQ(with_all_places(own, "4,5"), own);
  // Set by somebody else.
  EXPECT_EQ(with_all_places(own, "0-5"), own);
  EXPECT_EQ(with_all_places(own, "4;5"), own);
  for (const char* malformed : {"", ";", "x;4-5", "4-5;x"}) {
    EXPECT_EQ(with_all_places(own, malformed), own) << malformed;
  }
}

TEST(KernelAffinity, IsSetAndRefusedByNumber) {
  const CpuSet before = get_affinity();
  ASSERT_EQ(set_affinity(CpuSet{before.first()}), 0);
  EXPECT_EQ(get_affinity(), CpuSet{before.first()});
  EXPECT_EQ(set_affinity(before), 0);
  EXPECT_EQ(set_affinity(CpuSet{}), EINVAL);
  EXPECT_EQ(set_affinity(CpuSet{kMaxIndex}), EINVAL);
  EXPECT_EQ(get_affinity(), before);
}

TEST_F(KernelMemory, ThatWasTouchedIsOnANodeAndTheRestIsNot) {
  void* const pages[] = {data_, data_ + page_};
  int nodes[] = {-1000, -1000};
  if (const int refusal = query_pages(pages, nodes)) {
    GTEST_SKIP() << "move_pages is refused here: errno " << refusal;
  }
  EXPECT_GE(nodes[0], 0);
  EXPECT_EQ(nodes[1], -ENOENT);
}

TEST_F(KernelMemory, IsBoundToNodeZeroAndNotToANodeThatDoesNotExist) {
  const int answer = bind_memory(data_, 2 * page_, MemoryPolicy::bind, NodeSet{0});
  if (answer == EPERM || answer == ENOSYS)
    GTEST_SKIP() << "mbind is refused here: errno " << answer;
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(bind_memory(data_, page_, MemoryPolicy::bind, NodeSet{1000}), EINVAL);
  EXPECT_EQ(bind_memory(data_, page_, MemoryPolicy::standard, {}), 0);
}

TEST(KernelPolicy, OfTheThreadIsSetAndTakenBack) {
  int policy = 0;
  if (syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) != 0) {
    GTEST_SKIP() << "get_mempolicy is refused here: errno " << errno;
  }
  const int answer = set_memory_policy(MemoryPolicy::interleave, NodeSet{0});
  if (answer == EPERM) GTEST_SKIP() << "set_mempolicy is refused here";
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(set_memory_policy(MemoryPolicy::bind, NodeSet{1000}), EINVAL);
  EXPECT_EQ(set_memory_policy(MemoryPolicy::standard, {}), 0);
}

}  // namespace
}  // namespace kinjo::test
