#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

extern "C" int kinjo_c99_walk(void);

namespace {

TEST(Header, ServesAStrictC99Program) { EXPECT_EQ(kinjo_c99_walk(), 0); }

TEST(Header, KnowsItsVersion) { EXPECT_STREQ(kinjo_version(), KINJO_VERSION); }

}  // namespace
