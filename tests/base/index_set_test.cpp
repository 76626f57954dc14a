#include <kinjo/index_set.hpp>

#include <gtest/gtest.h>
#include <kinjo/error.hpp>

namespace kinjo {
namespace {

TEST(IndexSet, ReadsAndWritesTheKernelsListSyntax) {
  EXPECT_EQ(CpuSet::parse("0-3,8").to_string(), "0-3,8");
  EXPECT_EQ(CpuSet::parse("0-8:4").to_string(), "0,4,8");
  EXPECT_EQ(CpuSet::parse("").to_string(), "");
}

}  // namespace
}  // namespace kinjo
