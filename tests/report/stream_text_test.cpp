#include "report/stream_text.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

Record stream_record(const char* policy, double gb_s) {
  Record record{.workload = "stream", .policy = policy, .threads = 2};
  for (const char* name : {"copy", "scale", "add", "triad"}) {
    record.metrics.push_back({name, "GB/s", {gb_s}});
  }
  record.metrics.back().samples = {gb_s - 1, gb_s, gb_s + 2};
  record.verified = true;
  return record;
}

std::vector<Record> two_records() {
  std::vector<Record> records = {stream_record("scatter", 40), stream_record("none", 30)};
  records[0].result = {{"pages", std::int64_t{400}}, {"pages_as_asked", std::int64_t{399}}};
  records[1].result = {{"pages", std::int64_t{400}}};
  records[1].verified = false;
  return records;
}

TEST(StreamTable, ShowsPagesInPerCentOfThoseThatWereAskedFor) {
  EXPECT_EQ(
      stream_table(two_records()).to_text(),
      "policy   threads   copy  scale    add  triad  triad spread    best triad  pages as asked  "
      "verified\n"
      "scatter        2  40.00  40.00  40.00  40.00  39.00 to 42.00       42.00          99.8 %  "
      "yes\n"
      "none           2  30.00  30.00  30.00  30.00  29.00 to 32.00       32.00               -  "
      "NO\n");
}

TEST(StreamCsv, HasNumbersAloneAndEmptyCellsForWhatWasNotAsked) {
  EXPECT_EQ(stream_csv(two_records()).to_csv(),
            "policy,threads,copy_median,copy_low,copy_high,copy_best,scale_median,scale_low,"
            "scale_high,scale_best,add_median,add_low,add_high,add_best,triad_median,triad_low,"
            "triad_high,triad_best,pages,pages_as_asked,verified\n"
            "scatter,2,40,40,40,40,40,40,40,40,40,40,40,40,40,39,42,42,400,399,true\n"
            "none,2,30,30,30,30,30,30,30,30,30,30,30,30,30,29,32,32,400,,false\n");
}

}  // namespace
}  // namespace kinjo
