#include "report/fft_text.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "report/fft_records.hpp"

namespace kinjo {
namespace {

TEST(FftTable, HasTheColumnsOfS2sTables6To8) {
  EXPECT_EQ(fft_table(std::vector{test::fft_record("16777216", "complex", "scatter", 8),
                                  test::fft_record("64x64", "real", "none", 1)})
                .to_text(),
            "size      numbers                policy   threads  data   MFLOP/s  of limit   seconds"
            "  memory ms  compute ms\n"
            "16777216  complex, out of place  scatter        8  block     3123      50 %  0.644000"
            "    432.000     212.000\n"
            "64x64     real, out of place     none           1  block     3123      50 %  0.644000"
            "          -           -\n");
}

TEST(FftTable, SaysWhatIsVerifiedIfTheRecordsDo) {
  std::vector<Record> records = {test::fft_record("8", "complex", "none", 1)};
  records[0].verified = false;
  EXPECT_EQ(fft_table(records).header().back(), "verified");
  EXPECT_EQ(fft_table(records).rows()[0].back(), "NO");
}

TEST(FftStepsTable, HasTheStepsOfS2sTables2And5) {
  EXPECT_EQ(
      fft_steps_table(std::vector{test::fft_record("4096", "complex", "scatter", 8),
                                  test::fft_record("4096", "real", "none", 1)})
          .to_text(),
      "size  policy   threads  data   load 1  compute 1  store 1  load 2  compute 2  store 2  "
      "moved\n"
      "4096  scatter        8  block   1.000      2.000    3.000   4.000      5.000    6.000  "
      "4.00 arrays\n");
}

TEST(FftCsv, HoldsNumbersAlone) {
  const Table table = fft_csv(std::vector{test::fft_record("4096", "complex", "scatter", 8)});
  EXPECT_EQ(table.header().size(), table.rows()[0].size());
  EXPECT_EQ(table.header()[10], "mflops_median");
  EXPECT_EQ(table.rows()[0][10], "3123");
  EXPECT_EQ(table.header().back(), "verified");
}

}  // namespace
}  // namespace kinjo
