#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>
#include <kinjo/error.hpp>

#include "capi/guard.hpp"

namespace kinjo::capi {
namespace {

TEST(CError, NamesEveryStatus) {
  EXPECT_STREQ(kinjo_status_name(KINJO_OK), "ok");
  EXPECT_STREQ(kinjo_status_name(7), "ok");
  EXPECT_STREQ(kinjo_status_name(KINJO_NOT_FOUND), "not_found");
  EXPECT_STREQ(kinjo_status_name(KINJO_USAGE), "usage");
  EXPECT_STREQ(kinjo_status_name(KINJO_TIMED_OUT), "timed_out");
  EXPECT_STREQ(kinjo_status_name(KINJO_CELL_LOST), "cell_lost");
  EXPECT_STREQ(kinjo_status_name(-11), "unknown");
  EXPECT_STREQ(kinjo_status_name(-2147483647 - 1), "unknown");
}

TEST(CError, IsKeptForEachThreadAndSurvivesSuccess) {
  std::thread([] {
    EXPECT_EQ(kinjo_last_status(), KINJO_OK);
    EXPECT_STREQ(kinjo_last_error(), "");
    EXPECT_EQ(kinjo_mapping_size(nullptr), KINJO_INVALID_ARGUMENT);
    std::thread([] { EXPECT_EQ(kinjo_topology_from("nowhere.xml"), nullptr); }).join();
    kinjo_topology_free(kinjo_topology_from("synthetic:pu:1"));
    EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
    EXPECT_STREQ(kinjo_last_error(), "mapping is NULL");
  }).join();
}

TEST(CError, LetsNoExceptionEscape) {
  EXPECT_EQ(guarded([]() -> int { throw Error(Errc::bad_input, "line 3"); }), KINJO_BAD_INPUT);
  EXPECT_STREQ(kinjo_last_error(), "line 3");
  EXPECT_EQ(guarded([]() -> int { throw std::bad_alloc(); }), KINJO_OUT_OF_MEMORY);
  EXPECT_EQ(guarded([]() -> int { throw std::logic_error("odd"); }), KINJO_SYSTEM);
  EXPECT_STREQ(kinjo_last_error(), "odd");
  EXPECT_EQ(guarded([]() -> int { throw 42; }), KINJO_SYSTEM);
  EXPECT_EQ(guarded([]() -> void* { throw 42; }), nullptr);
}

TEST(CError, CutsAMessageThatIsLongerThanItsStorage) {
  guarded([]() -> int { throw Error(Errc::system, std::string(5000, 'x')); });
  EXPECT_EQ(std::string(kinjo_last_error()), std::string(1023, 'x'));
}

}  // namespace
}  // namespace kinjo::capi
