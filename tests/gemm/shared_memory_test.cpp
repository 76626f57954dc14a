/// Memory that several threads write to has its pages before they begin: threads that meet in a
/// huge page which is not there each take one for a moment, above any limit.
#include <gtest/gtest.h>

#include <kinjo/audit.hpp>
#include <thread>

#include "gemm/files/unit_reader.hpp"
#include "gemm/workspace.hpp"

namespace kinjo::gemm {
namespace {

void expect_all_present(const void* data, std::size_t bytes) {
  const Audit found = audit(data, bytes);
  if (found.refusal != 0) GTEST_SKIP() << "this system refuses move_pages";
  EXPECT_GT(found.pages, 0u);
  EXPECT_EQ(found.not_present, 0u) << found.to_string();
}

TEST(SharedMemory, OfSlotsIsThere) {
  TouchTasks tasks(2);
  const std::size_t bytes = 25 << 20;  // more than one task brings
  const Slots slots = own_slots(3, bytes, {}, tasks);
  ASSERT_EQ(slots.memory.size(), 3u);
  for (const char* slot : slots.memory) expect_all_present(slot, bytes);
}

TEST(SharedMemory, OfCopiesIsThere) {
  std::thread([] {
    const std::size_t bytes = 3 << 20;
    expect_all_present(Workspace::mine().reserve(0, bytes, -1, "copy", true), bytes);
  }).join();  // a workspace is kept as long as its thread
}

}  // namespace
}  // namespace kinjo::gemm
