#include "report/pages_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::HasSubstr;
using testing::Not;

Record record_of(const char* policy, std::size_t threads, std::vector<NodePages> pages) {
  Record record;
  record.policy = policy;
  record.threads = threads;
  record.pages = std::move(pages);
  return record;
}

NodePages on(int node, std::size_t asked, std::size_t there, std::size_t as_asked) {
  return {.node = node, .asked = asked, .there = there, .as_asked = as_asked};
}

TEST(PagesPicture, IsNothingWhereNobodyLooked) {
  EXPECT_FALSE(pages_picture("stream", {}).has_value());
  EXPECT_FALSE(pages_picture("stream", std::vector{record_of("none", 1, {})}).has_value());
}

TEST(PagesPicture, ShowsAskedAndFoundSideBySide) {
  const auto picture = pages_picture(
      "stream", std::vector{record_of("scatter", 2, {on(0, 500, 600, 500), on(5, 500, 400, 400)})});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->title, "Pages of stream: asked and found");
  EXPECT_EQ(picture->table.to_csv(),
            "policy,threads,node,asked,found,found and asked,share as asked\n"
            "scatter,2,0,500,600,500,100.0 %\n"
            "scatter,2,5,500,400,400,80.0 %\n");
  for (const char* text :
       {"<title>500 pages asked on node 0</title>",
        "<title>100 pages on node 0 that were asked elsewhere</title>",
        "<title>400 pages on node 5</title>", ">90.0 %<", ">scatter, 2 threads<"}) {
    EXPECT_THAT(picture->svg, HasSubstr(text));
  }
}

TEST(PagesPicture, SaysWhatWasLeftToTheSystem) {
  const auto picture = pages_picture(
      "stream", std::vector{record_of("none", 2, {on(0, 0, 30, 0), on(1, 0, 10, 0)})});
  ASSERT_TRUE(picture);
  EXPECT_THAT(picture->svg, HasSubstr(">left to the system<"));
  EXPECT_THAT(picture->svg, HasSubstr("<title>30 pages on node 0</title>"));
  EXPECT_THAT(picture->svg, Not(HasSubstr("asked elsewhere")));
  EXPECT_EQ(picture->table.rows()[0].back(), "-");
}

TEST(PagesPicture, ShowsPagesThatAreNowhere) {
  const auto picture = pages_picture("w", std::vector{record_of("compact", 1, {on(0, 10, 4, 4)})});
  ASSERT_TRUE(picture);
  EXPECT_THAT(picture->svg, HasSubstr(">nowhere<"));
  EXPECT_THAT(picture->svg, HasSubstr(">40.0 %<"));
}

TEST(PagesPicture, DrawsTheMostThreadsOfEachPolicyAndListsAll) {
  const auto picture = pages_picture("w", std::vector{record_of("compact", 1, {on(0, 8, 8, 8)}),
                                                      record_of("compact", 4, {on(0, 8, 8, 8)}),
                                                      record_of("compact", 2, {on(0, 8, 8, 8)})});
  ASSERT_TRUE(picture);
  EXPECT_THAT(picture->svg, HasSubstr(">compact, 4 threads<"));
  EXPECT_THAT(picture->svg, Not(HasSubstr(">compact, 2 threads<")));
  EXPECT_EQ(picture->table.rows().size(), 3u);
}

}  // namespace
}  // namespace kinjo
