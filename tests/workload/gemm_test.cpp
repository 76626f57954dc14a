#include "workload/gemm.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "workload/registry.hpp"
#include "workload/run_records.hpp"

namespace kinjo {
namespace {

using test::error_of, test::machine, test::text_of;
using testing::ElementsAre;

GemmRequest request_of(std::vector<GemmShape> shapes, std::vector<std::string> plans) {
  return {.configurations = {Mapping(machine(), Policy::none(), 1)},
          .shapes = std::move(shapes),
          .plans = std::move(plans),
          .settings = {.verify = true},
          .rounds = 2};
}

double value_of(const Record& record, const char* metric, std::size_t sample = 0) {
  return find_metric(record, metric).samples.at(sample);
}

TEST(RunGemm, GivesAVerifiedRecordForEachShapeAndPlanInBothPrecisions) {
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    GemmRequest request = request_of({{1, 1, 1}, {65, 65, 65}, {200, 30, 70}},
                                     {"chosen", "N/C/S", "S/C", "V(m)/V(n)"});
    request.settings.precision = precision;
    const auto records = run_gemm(machine(), request, {});
    ASSERT_EQ(records.size(), 12u);
    for (const Record& record : records) {
      EXPECT_EQ(record.verified, true) << text_of(record.result, "fault");
      EXPECT_EQ(record.workload, "gemm");
      EXPECT_EQ(text_of(record.parameters, "precision"), to_string(precision));
      EXPECT_EQ(text_of(record.parameters, "rounds"), "2");
      for (const Metric& metric : record.metrics) {
        EXPECT_EQ(metric.samples.size(), 2u);
        for (const double sample : metric.samples) EXPECT_GT(sample, 0) << metric.name;
      }
    }
  }
}

TEST(RunGemm, OrdersRecordsByShapeThenPlanThenConfiguration) {
  GemmRequest request = request_of({{64, 64, 64}, {8, 16, 24}}, {"chosen", "S/C"});
  request.configurations.emplace_back(machine(), Policy::compact(), 1);
  request.rounds = 1;
  std::vector<std::string> names;
  for (const Record& r : run_gemm(machine(), request, {})) {
    names.push_back(text_of(r.parameters, "size") + ' ' + text_of(r.parameters, "plan") + ' ' +
                    r.policy);
  }
  EXPECT_THAT(names, ElementsAre("64 chosen none", "64 chosen compact", "64 S/C none",
                                 "64 S/C compact", "8x16x24 chosen none", "8x16x24 chosen compact",
                                 "8x16x24 S/C none", "8x16x24 S/C compact"));
}

TEST(RunGemm, ReportsRatesByElapsedAndByCpuTime) {
  for (const Record& r : run_gemm(machine(), request_of({{128, 128, 128}}, {"chosen"}), {})) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double flops = 2.0 * 128 * 128 * 128;
      EXPECT_NEAR(value_of(r, "gflops", i), flops / value_of(r, "seconds", i) / 1e9, 1e-6);
      EXPECT_NEAR(value_of(r, "cpu_share", i),
                  100 * value_of(r, "gflops", i) / value_of(r, "cpu_gflops", i), 1e-6);
      EXPECT_NEAR(value_of(r, "share", i), 100 * value_of(r, "gflops", i) / value_of(r, "limit", i),
                  1e-6);
    }
  }
}

TEST(RunGemm, SaysWhatThePlanIsAndMoves) {
  const auto records =
      run_gemm(machine(), request_of({{300, 200, 100}}, {"N(n=96)/C(k=50)/S(m=64)"}), {});
  const Values& result = records.front().result;
  EXPECT_TRUE(text_of(result, "plan").starts_with("N(n=96)/C(k=50)/S(m=64)/V("))
      << text_of(result, "plan");
  EXPECT_EQ(text_of(result, "short_plan"), "N/C/S");
  EXPECT_EQ(text_of(result, "tasks"), "1");
  const auto problem =
      gemm_problem({300, 200, 100}, Precision::double_, Mapping(machine(), Policy::none(), 1));
  const auto moved = gemm::Plan::parse("N(n=96)/C(k=50)/S(m=64)", problem).bytes_moved(problem);
  EXPECT_EQ(text_of(result, "memory_bytes"), fmt::format("{:.0f}", moved.memory));
  EXPECT_EQ(text_of(result, "packed_bytes"), fmt::format("{:.0f}", moved.packed));
}

TEST(RunGemm, CountsTheLeastBytesForTheRoofline) {
  const auto records = run_gemm(machine(), request_of({{30, 20, 10}}, {"chosen"}), {});
  EXPECT_DOUBLE_EQ(find_metric(records[0], "gflops").flops_per_byte,
                   2.0 * 30 * 20 * 10 / (8 * (30 * 10 + 10 * 20 + 2 * 30 * 20)));
}

TEST(RunGemm, SaysWhetherATeamWasCalled) {
  GemmRequest request = request_of({{150, 150, 150}}, {"chosen"});
  request.configurations = {Mapping(machine(), Policy::none(), 1),
                            Mapping(machine(), Policy::none(), 2),
                            Mapping(machine(), Policy::compact(), 1)};
  std::vector<std::string> calls;
  for (const Record& r : run_gemm(machine(), request, {})) {
    calls.push_back(text_of(r.result, "calls") + ", tasks " + text_of(r.result, "tasks"));
    EXPECT_EQ(r.verified, true);
  }
  EXPECT_THAT(calls, ElementsAre("one thread, tasks 1", "team, tasks 2", "team, tasks 1"));
}

TEST(RunGemm, TellsWhatItDoes) {
  GemmRequest request = request_of({{32, 32, 32}, {64, 32, 16}}, {"V(m)/V(n)", "S/C"});
  request.rounds = 1;
  std::vector<std::string> steps;
  run_gemm(machine(), request, [&](const Progress& p) {
    steps.push_back(fmt::format("{}/{} {}", p.done, p.total, p.now));
  });
  EXPECT_THAT(steps, ElementsAre("0/4 32 by V, none, 1 thread", "1/4 32 by S/C, none, 1 thread",
                                 "2/4 64x32x16 by V, none, 1 thread",
                                 "3/4 64x32x16 by S/C, none, 1 thread"));
}

TEST(RunGemm, RefusesPlansAndSizesBeforeAnythingIsAllocated) {
  const auto refusal = [](const GemmRequest& request) {
    const std::string first = error_of([&] { gemm_memory(machine(), request); });
    EXPECT_EQ(error_of([&] { run_gemm(machine(), request, {}); }).substr(0, 60),
              first.substr(0, 60));
    return first;
  };
  const std::size_t big = std::size_t{1} << 40;
  EXPECT_TRUE(refusal(request_of({{64, 64, 64}, {big, big, big}}, {"chosen"}))
                  .starts_with("out_of_memory: the matrices of 1099511627776 doubles take "));
  EXPECT_EQ(refusal(request_of({{64, 64, 64}}, {"chosen", "N/X"})),
            "bad_input: plan 'N/X', character 3: expected a loop: R, N, M, S, C, P or V");
  EXPECT_EQ(refusal(request_of({{64, 64, 64}}, {"P//C"})).substr(0, 23), "bad_input: plan 'P//C':");
}

TEST(RunGemm, SaysWhatItsMatricesTake) {
  const GemmRequest request = request_of({{8, 8, 8}, {1000, 8, 8}}, {"chosen"});
  EXPECT_EQ(gemm_memory(machine(), request), 8u * (1000 * 8 + 8 * 8 + 1000 * 8));
}

TEST(GemmWorkload, IsFoundByNameAndReadsItsParameters) {
  const auto make = [](std::vector<std::pair<std::string, std::string>> parameters) {
    return find_workload("gemm").make(machine(), {.parameters = std::move(parameters)});
  };
  const auto subject = make({{"size", "64x32x16"}, {"precision", "float"}, {"plan", "S/C"}});
  EXPECT_EQ(text_of(subject->parameters(), "size"), "64x32x16");
  EXPECT_EQ(text_of(subject->parameters(), "precision"), "float");
  EXPECT_EQ(text_of(subject->parameters(), "plan"), "S/C");
  EXPECT_EQ(text_of(make({})->parameters(), "size"), "2048");
  EXPECT_EQ(error_of([&] {
              make({{"kernel", "dot"}});
            }),
            "invalid_argument: gemm has no parameter 'kernel': expected size, plan, precision, "
            "pages");
  const auto sample = subject->run({Mapping(machine(), Policy::none(), 1)});
  EXPECT_EQ(sample->fault, "");
  EXPECT_EQ(sample->values.size(), subject->metrics().size());
}

}  // namespace
}  // namespace kinjo
