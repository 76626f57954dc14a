#include "report/gemm_text.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "report/gemm_records.hpp"

namespace kinjo {
namespace {

using test::gemm_record;

TEST(GemmTable, SetsRatesByElapsedAndByCpuTimeBesideTheLimit) {
  EXPECT_EQ(gemm_table(std::vector{gemm_record("2048", "chosen", 80, 100),
                                   gemm_record("100000x64x64", "S/C", 40, 200, "scatter", 2)})
                .to_text(),
            "size          plan   policy   threads  GFLOP/s  by CPU time    busy   limit  of "
            "limit   seconds\n"
            "2048          N/C/S  none           1    80.00        82.64  96.8 %  100.00      80 %"
            "  0.250000\n"
            "100000x64x64  N/C/S  scatter        2    40.00        41.32  96.8 %  200.00      20 %"
            "  0.250000\n");
}

TEST(GemmTable, SaysWhatIsVerifiedIfTheRecordsDo) {
  std::vector<Record> records = {gemm_record("8", "chosen", 1, 1),
                                 gemm_record("8", "chosen", 1, 1)};
  records[0].verified = true;
  records[1].verified = false;
  const Table table = gemm_table(records);
  EXPECT_EQ(table.header().back(), "verified");
  EXPECT_EQ(table.rows()[0].back(), "yes");
  EXPECT_EQ(table.rows()[1].back(), "NO");
}

TEST(GemmPlansTable, HasARowForEachSizeAndPlan) {
  EXPECT_EQ(gemm_plans_table(std::vector{gemm_record("64", "chosen", 1, 2),
                                         gemm_record("64", "chosen", 1, 2, "scatter", 1),
                                         gemm_record("65", "chosen", 1, 2)})
                .to_text(),
            "size  memory  to L2  to L1  copied  plan\n"
            "  64  1 MiB   3 MiB  5 GiB  1 KiB   N(n=4080)/C(k=256)/S(m=120)/V(n)/V(m)\n"
            "  65  1 MiB   3 MiB  5 GiB  1 KiB   N(n=4080)/C(k=256)/S(m=120)/V(n)/V(m)\n");
}

TEST(GemmCsv, HoldsNumbersAlone) {
  Record record = gemm_record("2048", "chosen", 80, 100);
  record.metrics.erase(record.metrics.begin() + 1, record.metrics.begin() + 3);
  record.verified = true;
  EXPECT_EQ(gemm_csv(std::vector{record}).to_csv(),
            "size,plan,policy,threads,tasks,calls,gflops_median,gflops_low,gflops_high,gflops_best,"
            "cpu_gflops_median,cpu_gflops_low,cpu_gflops_high,cpu_gflops_best,cpu_share_median,"
            "cpu_share_low,cpu_share_high,cpu_share_best,limit_median,limit_low,limit_high,"
            "limit_best,share_median,share_low,share_high,share_best,seconds_median,seconds_low,"
            "seconds_high,seconds_best,memory_bytes,l3_bytes,l2_bytes,packed_bytes,level,verified\n"
            "2048,N(n=4080)/C(k=256)/S(m=120)/V(n)/V(m),none,1,1,one thread,80,80,80,80,,,,,,,,,"
            "100,100,100,100,80,80,80,80,0.25,0.25,0.25,0.25,1048576,3145728,5368709120,1024,L3,"
            "true\n");
}

}  // namespace
}  // namespace kinjo
