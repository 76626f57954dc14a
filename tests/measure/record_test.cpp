#include "measure/record.hpp"

#include <gtest/gtest.h>

#include "support/failing_new.hpp"

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

TEST(Values, AreCopiedOrNotAtAllWhereMemoryIsShort) {
  const std::string text(100, 'x');
  const Values values = {{"a", 1.0}, {"b", text}, {"c", std::vector<double>(9, 2.5)}, {"d", text}};
  const auto attempt = [&] {
    try {
      const Values copy = values;
      return copy == values;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  EXPECT_EQ(test::fail_each_allocation(attempt, [](int) {}), 4);
}

}  // namespace
}  // namespace kinjo
