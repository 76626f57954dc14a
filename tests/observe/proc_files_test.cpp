#include "observe/proc_files.hpp"

#include <new>

#include <gtest/gtest.h>

#include "support/failing_new.hpp"

namespace kinjo::detail {
namespace {

TEST(ProcFiles, AreClosedWhereMemoryEndsWhileTheyAreRead) {
  const std::string path = "/proc/self/maps", descriptors = "/proc/self/fd";
  const std::size_t before = list_numbers(descriptors).size();
  const auto attempt = [&] {
    try {
      return read_file(path).error == 0;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  EXPECT_GT(test::fail_each_allocation(attempt, [](int) {}), 0);
  EXPECT_EQ(list_numbers(descriptors).size(), before);
}

}  // namespace
}  // namespace kinjo::detail
