#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

extern "C" {
int kinjo_c99_walk(void);
int cblas_program_plain(void);
int cblas_program_both_headers(void);
int cblas_program_moves(void);
int cblas_program_stores(void);
}

namespace {

TEST(Header, ServesAStrictC99Program) { EXPECT_EQ(kinjo_c99_walk(), 0); }

TEST(Header, ServesAProgramForCblasByAChangeOfNames) {
  EXPECT_EQ(cblas_program_plain(), 0);
  EXPECT_EQ(cblas_program_both_headers(), 0);
#ifdef KINJO_TEST_CBLAS_moves
  EXPECT_EQ(cblas_program_moves(), 0);
  EXPECT_EQ(cblas_program_stores(), 0);
#endif
}

TEST(Header, KnowsItsVersion) { EXPECT_STREQ(kinjo_version(), KINJO_VERSION); }

}  // namespace
