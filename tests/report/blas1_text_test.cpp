#include "report/blas1_text.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "report/blas1_records.hpp"

namespace kinjo {
namespace {

using test::blas1_record;

TEST(Blas1Table, SetsEachKernelBesideItsLimit) {
  const std::vector<Record> records = {blas1_record("sum", 49152, 24, 25),
                                       blas1_record("copy", 1000, 10, 20, "scatter", 2)};
  EXPECT_EQ(
      blas1_table(records).to_text(),
      "kernel  size  in  policy   threads  GFLOP/s    GB/s  limit          of limit  bound by\n"
      "sum     48K   L1  none           1    24.00  192.00  25.00 GFLOP/s      96 %  loads\n"
      "copy    1000  L1  scatter        2        -   80.00  160.00 GB/s        50 %  loads\n");
}

TEST(Blas1Table, SaysWhatIsVerifiedIfTheRecordsDo) {
  std::vector<Record> records = {blas1_record("sum", 1, 1, 1), blas1_record("sum", 1, 1, 1)};
  records[0].verified = true;
  records[1].verified = false;
  const Table table = blas1_table(records);
  EXPECT_EQ(table.header().back(), "verified");
  EXPECT_EQ(table.rows()[0].back(), "yes");
  EXPECT_EQ(table.rows()[1].back(), "NO");
}

TEST(Blas1Csv, LeavesCellsEmptyForWhatWasNotMeasured) {
  Record record = blas1_record("copy", 1000, 10, 20);
  record.verified = false;
  EXPECT_EQ(blas1_csv(std::vector{record}).to_csv(),
            "kernel,size,level,policy,threads,calls,gflops_median,gflops_low,gflops_high,"
            "gflops_best,bandwidth_median,bandwidth_low,bandwidth_high,bandwidth_best,"
            "limit_median,limit_low,limit_high,limit_best,share_median,share_low,share_high,"
            "share_best,limit_unit,bound_by,verified\n"
            "copy,1000,L1,none,1,one thread,,,,,80,80,80,80,160,160,160,160,50,50,50,50,GB/s,loads,"
            "false\n");
}

TEST(LadderText, BeginsWithWhatKeepsTheCoreBusy) {
  std::vector<Record> records = test::ladder_records();
  records.push_back(test::rung_record("axpy", "plain", 2, 0));
  EXPECT_EQ(ladder_text(records),
            "sum of 1K doubles, L1: peak 25.00 GFLOP/s, limit 20.00 GFLOP/s\n"
            "an addition of vectors takes 3.0 cycles, 2.0 start in a cycle: 6.0 vectors of sums "
            "keep the core busy\n"
            "rung       GFLOP/s  of peak  predicted\n"
            "plain         1.00    4.0 %       1.10\n"
            "1 vector      4.00   16.0 %       4.50\n"
            "2 vectors     8.00   32.0 %       9.00\n"
            "library      19.00   76.0 %          -\n"
            "\n"
            "axpy of 1K doubles, L1: peak 25.00 GFLOP/s, limit 20.00 GFLOP/s\n"
            "rung   GFLOP/s  of peak  predicted\n"
            "plain     2.00    8.0 %          -\n");
}

TEST(LadderCsv, HasARowForEachRung) {
  const Table table = ladder_csv(test::ladder_records());
  EXPECT_EQ(table.rows().size(), 4u);
  EXPECT_EQ(table.rows()[1][3], "1 vector");
  EXPECT_EQ(table.rows()[1][12], "4.5");
  EXPECT_EQ(table.rows()[3][12], "");
}

}  // namespace
}  // namespace kinjo
