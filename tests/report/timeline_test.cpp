#include "report/timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::HasSubstr;
using testing::Not;
using For = comm::Wait::For;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::vector<Timeline> two_runs() {
  return {{"put", 0.010, {{{For::flag, 1'000'000, 3'000'000}}, {{For::barrier, 0, 500'000}}}},
          {"send", 0.020, {{}, {{For::message, 5'000'000, 20'000'000}}}}};
}

TEST(Timeline, HasALaneForEachCellOfEachRun) {
  const std::string svg = timeline_svg("Who waits when", two_runs()).file_text();
  EXPECT_EQ(count(svg, "<g class=\"lane\">"), 4);
  EXPECT_THAT(svg, HasSubstr("put: 10 ms"));
  EXPECT_THAT(svg, HasSubstr("send: 20 ms"));
  EXPECT_THAT(svg, HasSubstr("cell 0 waits for a flag: 2 ms, from 1 ms on"));
  EXPECT_THAT(svg, HasSubstr("milliseconds"));
  EXPECT_THAT(svg, HasSubstr("waits for a message"));  // the legend
}

TEST(Timeline, DrawsWaitsThatNobodyCouldTellApartAsOne) {
  Timeline run{.name = "put", .seconds = 1, .cells = {{}}};
  for (std::int64_t i = 0; i < 1000; ++i) {
    run.cells[0].push_back({For::flag, 10'000 * i, 10'000 * i + 9'000});
  }
  const std::string svg = timeline_svg("t", {run}).file_text();
  EXPECT_EQ(count(svg, "cell 0 waits for"), 1);
  EXPECT_THAT(svg, HasSubstr("9 ms, from 0 ms on"));
}

TEST(Timeline, DrawsNothingBeyondTheRun) {
  const Timeline run{
      "put", 0.001, {{{For::barrier, 900'000, 5'000'000}, {For::flag, 6'000'000, 7'000'000}}}};
  const std::string svg = timeline_svg("t", {run}).file_text();
  EXPECT_THAT(svg, HasSubstr("cell 0 waits for a barrier: 0.1 ms"));
  EXPECT_THAT(svg, Not(HasSubstr("cell 0 waits for a flag")));
}

TEST(Timeline, DrawsTheFirstOfVeryManyCellsAndSaysSo) {
  const Timeline run{"put", 0.001, std::vector<std::vector<comm::Wait>>(100)};
  const std::string svg = timeline_svg("t", {run}).file_text();
  EXPECT_EQ(count(svg, "<g class=\"lane\">"), kMostLanes);
  EXPECT_THAT(svg, HasSubstr("the first 64 of 100 cells"));
}

TEST(Timeline, IsATableToo) {
  const Table table = timeline_table(two_runs());
  EXPECT_EQ(table.header(), (std::vector<std::string>{"run", "cell", "flag, ms", "completion, ms",
                                                      "barrier, ms", "message, ms", "waiting, %"}));
  ASSERT_EQ(table.rows().size(), 4);
  EXPECT_EQ(table.rows()[0],
            (std::vector<std::string>{"put", "0", "2.000", "0.000", "0.000", "0.000", "20.0"}));
  EXPECT_EQ(table.rows()[3],
            (std::vector<std::string>{"send", "1", "0.000", "0.000", "0.000", "15.000", "75.0"}));
}

}  // namespace
}  // namespace kinjo
