#include "measure/record.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

Record record_with_metrics() {
  return {.metrics = {{.name = "copy", .unit = "GB/s", .samples = {1}},
                      {.name = "triad", .unit = "GB/s", .samples = {2}}}};
}

TEST(FindMetric, FindsAMetricByItsWholeName) {
  const Record record = record_with_metrics();
  EXPECT_EQ(&find_metric(record, "copy"), &record.metrics[0]);
  EXPECT_EQ(&find_metric(record, "triad"), &record.metrics[1]);
}

TEST(FindMetricDeathTest, EndsTheProgramForAMetricThatNobodyMeasured) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Record record = record_with_metrics();
  EXPECT_DEATH(find_metric(record, "tri"), "the record has the metric");
}

}  // namespace
}  // namespace kinjo
