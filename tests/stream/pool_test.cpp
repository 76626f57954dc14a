/// STREAM where the system's pool of huge pages has room for its first array alone.
#include <kinjo/stream.hpp>

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <gtest/gtest.h>

namespace {
/// Maps that a pool of the test's own serves; negative: the system's is asked.
std::atomic<int> pool_maps_left{-1};
}  // namespace

extern "C" {

void* __real_mmap(void* address, std::size_t bytes, int access, int flags, int file, off_t offset);

/// Serves what is asked of the pool by ordinary pages at a huge page's begin.
void* __wrap_mmap(void* address, std::size_t bytes, int access, int flags, int file, off_t offset) {
  if (!(flags & MAP_HUGETLB) || pool_maps_left < 0) {
    return __real_mmap(address, bytes, access, flags, file, offset);
  }
  if (pool_maps_left == 0) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  --pool_maps_left;
  const std::size_t huge = kinjo::huge_page_bytes();
  void* const mapping =
      __real_mmap(nullptr, bytes + huge, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return mapping;
  const auto begin = (reinterpret_cast<std::uintptr_t>(mapping) + huge - 1) / huge * huge;
  return reinterpret_cast<void*>(begin);  // what is left on both sides stays to the end
}
}

namespace kinjo {
namespace {

/// Three huge pages for two threads: of the pool they are cut into two and one.
void expect_right_results(int arrays_of_the_pool) {
  const std::size_t elements = 3 * huge_page_bytes() / sizeof(double);
  Team team(Mapping(Topology::this_machine(), Policy::none(), 2, Oversubscribe::wrap));
  pool_maps_left = arrays_of_the_pool;
  Stream stream(team, elements, Pages::huge, StreamStores::cached);
  pool_maps_left = -1;
  for (const StreamOperation operation : {StreamOperation::copy, StreamOperation::scale,
                                          StreamOperation::add, StreamOperation::triad}) {
    stream.run(operation);
    EXPECT_EQ(stream.verify(), std::nullopt) << to_string(operation);
  }
}

TEST(Stream, IsRightWhereThePoolOfHugePagesHasRoomForSomeOfItsArrays) {
  if (huge_page_bytes() > std::size_t{32} << 20) GTEST_SKIP() << "huge pages are too large here";
  for (const int arrays : {0, 1, 2, 3}) {
    SCOPED_TRACE(arrays);
    expect_right_results(arrays);
  }
}

}  // namespace
}  // namespace kinjo
