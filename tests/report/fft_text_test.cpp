#include "report/fft_text.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

Record record_of(const char* size, const char* numbers, const char* policy, std::size_t threads) {
  Record record{.workload = "fft",
                .parameters = {{"size", size},
                               {"precision", "double"},
                               {"numbers", numbers},
                               {"place", "out"},
                               {"data", "block"},
                               {"deal", "block"},
                               {"in_cache", "automatic"},
                               {"overlap", "automatic"}},
                .policy = policy,
                .threads = threads,
                .metrics = {{"mflops", "MFLOP/s", {3123}},
                            {"limit", "MFLOP/s", {6246}},
                            {"share", "%", {50}},
                            {"seconds", "s", {0.644}}},
                .result = {{"level", "memory"}}};
  if (record.parameters[2].second == Value("real")) return record;
  record.metrics.push_back({"memory_ms", "ms", {432}});
  record.metrics.push_back({"compute_ms", "ms", {212}});
  record.result.push_back({"moved_bytes", std::int64_t{1} << 30});
  record.result.push_back({"moved_arrays", 4.0});
  int ms = 0;
  for (const char* name : {"load_1", "compute_1", "store_1", "load_2", "compute_2", "store_2"}) {
    record.result.push_back({std::string(name) + "_ms", static_cast<double>(++ms)});
    record.result.push_back({std::string(name) + "_bytes", std::int64_t{ms * 100}});
  }
  return record;
}

TEST(FftTable, HasTheColumnsOfS2sTables6To8) {
  EXPECT_EQ(fft_table(std::vector{record_of("16777216", "complex", "scatter", 8),
                                  record_of("64x64", "real", "none", 1)})
                .to_text(),
            "size      numbers                policy   threads  data   MFLOP/s  of limit   seconds"
            "  memory ms  compute ms\n"
            "16777216  complex, out of place  scatter        8  block     3123      50 %  0.644000"
            "    432.000     212.000\n"
            "64x64     real, out of place     none           1  block     3123      50 %  0.644000"
            "          -           -\n");
}

TEST(FftTable, SaysWhatIsVerifiedIfTheRecordsDo) {
  std::vector<Record> records = {record_of("8", "complex", "none", 1)};
  records[0].verified = false;
  EXPECT_EQ(fft_table(records).header().back(), "verified");
  EXPECT_EQ(fft_table(records).rows()[0].back(), "NO");
}

TEST(FftStepsTable, HasTheStepsOfS2sTables2And5) {
  EXPECT_EQ(
      fft_steps_table(std::vector{record_of("4096", "complex", "scatter", 8),
                                  record_of("4096", "real", "none", 1)})
          .to_text(),
      "size  policy   threads  data   load 1  compute 1  store 1  load 2  compute 2  store 2  "
      "moved\n"
      "4096  scatter        8  block   1.000      2.000    3.000   4.000      5.000    6.000  "
      "4.00 arrays\n");
}

TEST(FftCsv, HoldsNumbersAlone) {
  const Table table = fft_csv(std::vector{record_of("4096", "complex", "scatter", 8)});
  EXPECT_EQ(table.header().size(), table.rows()[0].size());
  EXPECT_EQ(table.header()[10], "mflops_median");
  EXPECT_EQ(table.rows()[0][10], "3123");
  EXPECT_EQ(table.header().back(), "verified");
}

}  // namespace
}  // namespace kinjo
