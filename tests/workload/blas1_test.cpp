#include "workload/blas1.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "workload/blas1_ladder.hpp"
#include "workload/run_records.hpp"

namespace kinjo {
namespace {

using test::error_of, test::machine, test::text_of;
using testing::ElementsAre;

Blas1Request request_of(std::vector<Blas1Kernel> kernels, std::vector<std::size_t> sizes) {
  return {.configurations = {Mapping(machine(), Policy::none(), 1)},
          .kernels = std::move(kernels),
          .sizes = std::move(sizes),
          .settings = {.verify = true},
          .rounds = 2};
}

std::vector<Blas1Kernel> all() { return {all_blas1_kernels().begin(), all_blas1_kernels().end()}; }

TEST(RunBlas1, GivesAVerifiedRecordForEachKernelAndSize) {
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    for (const blas1::Mode mode : {blas1::Mode::fast, blas1::Mode::reproducible}) {
      Blas1Request request = request_of(all(), {1, 100, 5000});
      request.settings.precision = precision;
      request.settings.mode = mode;
      const auto records = run_blas1(machine(), request, {});
      ASSERT_EQ(records.size(), 27u);
      for (const Record& record : records) {
        EXPECT_EQ(record.verified, true) << text_of(record.result, "fault");
        EXPECT_EQ(record.workload, "blas1");
        EXPECT_EQ(text_of(record.parameters, "precision"), to_string(precision));
        for (const Metric& metric : record.metrics) {
          EXPECT_EQ(metric.samples.size(), 2u);
          for (const double sample : metric.samples) EXPECT_GT(sample, 0) << metric.name;
        }
      }
    }
  }
}

TEST(RunBlas1, OrdersRecordsByKernelThenSizeThenConfiguration) {
  Blas1Request request = request_of({Blas1Kernel::dot, Blas1Kernel::copy}, {64, 128});
  request.configurations.emplace_back(machine(), Policy::compact(), 1);
  std::vector<std::string> names;
  for (const Record& r : run_blas1(machine(), request, {})) {
    names.push_back(text_of(r.parameters, "kernel") + ' ' + text_of(r.parameters, "size") + ' ' +
                    r.policy);
  }
  EXPECT_THAT(names,
              ElementsAre("dot 64 none", "dot 64 compact", "dot 128 none", "dot 128 compact",
                          "copy 64 none", "copy 64 compact", "copy 128 none", "copy 128 compact"));
}

TEST(RunBlas1, SaysWhetherATeamWasCalled) {
  Blas1Request request = request_of({Blas1Kernel::sum}, {10000});
  request.configurations = {Mapping(machine(), Policy::none(), 1),
                            Mapping(machine(), Policy::none(), 2),
                            Mapping(machine(), Policy::compact(), 1)};
  std::vector<std::string> calls;
  for (const Record& r : run_blas1(machine(), request, {})) {
    calls.push_back(text_of(r.result, "calls"));
    EXPECT_EQ(r.verified, true);
  }
  EXPECT_THAT(calls, ElementsAre("one thread", "team", "team"));
}

TEST(RunBlas1, HasMetricsInGigaflopsOrBytesAsTheKernelComputesOrMoves) {
  std::vector<std::string> metrics;
  for (const Record& r : run_blas1(machine(), request_of(all(), {256}), {})) {
    metrics.push_back(text_of(r.parameters, "kernel") + ':');
    for (const Metric& m : r.metrics) metrics.back() += ' ' + m.name + '/' + m.unit;
  }
  const std::string flops = ": gflops/GFLOP/s bandwidth/GB/s limit/GFLOP/s share/%";
  const std::string bytes = ": bandwidth/GB/s limit/GB/s share/%";
  EXPECT_THAT(metrics, ElementsAre("sum" + flops, "sum_of_squares" + flops, "norm2" + flops,
                                   "dot" + flops, "axpy" + flops, "asum" + flops, "scale" + flops,
                                   "copy" + bytes, "max_abs_index" + bytes));
}

TEST(RunBlas1, SaysHowManyOperationsEachByteCosts) {
  Blas1Request request = request_of({Blas1Kernel::dot, Blas1Kernel::axpy}, {256});
  const auto doubles = run_blas1(machine(), request, {});
  EXPECT_DOUBLE_EQ(find_metric(doubles[0], "gflops").flops_per_byte, 2.0 / 16);
  EXPECT_DOUBLE_EQ(find_metric(doubles[1], "gflops").flops_per_byte, 2.0 / 24);
  request.settings.precision = Precision::single_;
  const auto floats = run_blas1(machine(), request, {});
  EXPECT_DOUBLE_EQ(find_metric(floats[0], "gflops").flops_per_byte, 2.0 / 8);
}

TEST(RunBlas1, SharesAreThoseOfTheLimitSampleBySample) {
  for (const Record& r : run_blas1(machine(), request_of(all(), {512}), {})) {
    const Metric& reached = r.metrics.front();
    const Metric& limit = find_metric(r, "limit");
    EXPECT_EQ(reached.unit, limit.unit);
    for (std::size_t i = 0; i < limit.samples.size(); ++i) {
      EXPECT_NEAR(find_metric(r, "share").samples[i], 100 * reached.samples[i] / limit.samples[i],
                  1e-6);
    }
  }
}

TEST(RunBlas1, NamesOneOfTheFourThingsThatBound) {
  for (const Record& r : run_blas1(machine(), request_of(all(), {512}), {})) {
    EXPECT_THAT(text_of(r.result, "bound_by"),
                testing::AnyOf("loads", "stores", "arithmetic", "memory"));
    const bool computes = r.metrics.front().unit == "GFLOP/s";
    EXPECT_EQ(text_of(r.result, "arithmetic_ns") != "absent", computes);
  }
}

TEST(RunBlas1, TellsWhatItDoes) {
  Blas1Request request = request_of({Blas1Kernel::sum, Blas1Kernel::dot}, {64, 2048});
  request.rounds = 1;
  std::vector<std::string> steps;
  run_blas1(machine(), request, [&](const Progress& p) {
    steps.push_back(fmt::format("{}/{} {}", p.done, p.total, p.now));
  });
  EXPECT_THAT(steps, ElementsAre("0/4 sum of 64, none, 1 thread", "1/4 dot of 64, none, 1 thread",
                                 "2/4 sum of 2K, none, 1 thread", "3/4 dot of 2K, none, 1 thread"));
}

TEST(RunBlas1, RefusesWhatDoesNotFitBeforeAnythingIsAllocated) {
  const Blas1Request request = request_of({Blas1Kernel::sum}, {std::size_t{1} << 58});
  const std::string refusal = error_of([&] { blas1_memory(machine(), request); });
  EXPECT_TRUE(refusal.starts_with(
      "out_of_memory: two vectors of 288230376151711744 doubles do not fit: expected at most "))
      << refusal;
  EXPECT_EQ(error_of([&] { run_blas1(machine(), request, {}); }).substr(0, 40),
            refusal.substr(0, 40));
}

TEST(RunBlas1, SaysWhatItsVectorsTake) {
  EXPECT_EQ(blas1_memory(machine(), request_of({Blas1Kernel::sum}, {10, 1000})), 16000u);
}

TEST(Blas1Kernel, IsFoundByItsNameAlone) {
  for (const Blas1Kernel kernel : all_blas1_kernels()) {
    EXPECT_EQ(find_blas1_kernel(to_string(kernel)), kernel);
  }
  EXPECT_EQ(error_of([] { find_blas1_kernel("nrm2"); }),
            "invalid_argument: unknown kernel 'nrm2': expected one of sum, sum_of_squares, norm2, "
            "dot, axpy, asum, scale, copy, max_abs_index");
}

TEST(Blas1Kernel, FusesInTheFastModeAlone) {
  using detail::Arithmetic;
  const auto arithmetic = [](Blas1Kernel kernel, blas1::Mode mode) {
    return cost_of(kernel, mode).arithmetic;
  };
  for (const auto kernel :
       {Blas1Kernel::sum_of_squares, Blas1Kernel::norm2, Blas1Kernel::dot, Blas1Kernel::axpy}) {
    EXPECT_EQ(arithmetic(kernel, blas1::Mode::fast), Arithmetic::fma) << to_string(kernel);
    EXPECT_EQ(arithmetic(kernel, blas1::Mode::reproducible), Arithmetic::multiply_add);
  }
  EXPECT_EQ(arithmetic(Blas1Kernel::sum, blas1::Mode::reproducible), Arithmetic::add);
}

TEST(RunBlas1Ladder, GivesARecordForEachRungWithWhatIsPredicted) {
  const auto records = run_blas1_ladder(machine(), {.sizes = {512}, .rounds = 2}, {});
  std::size_t predicted = 0;
  for (const Record& r : records) {
    EXPECT_EQ(r.workload, "blas1-ladder");
    EXPECT_EQ(find_metric(r, "gflops").samples.size(), 2u);
    EXPECT_EQ(find_metric(r, "share").unit, "%");
    const std::string rung = text_of(r.parameters, "rung");
    const bool sums = text_of(r.parameters, "kernel") != "axpy" && rung != "library";
    EXPECT_EQ(text_of(r.result, "predicted_gflops") != "absent", sums) << rung;
    EXPECT_EQ(text_of(r.result, "latency_cycles") != "absent", sums) << rung;
    predicted += sums;
  }
  EXPECT_GE(predicted, 3u);
}

TEST(RunBlas1Ladder, PredictsInProportionToTheSumsUntilTheLimit) {
  double before = 0;
  for (const Record& r : run_blas1_ladder(machine(), {.sizes = {512}, .rounds = 1}, {})) {
    const std::string text = text_of(r.result, "predicted_gflops");
    if (text == "absent" || text_of(r.parameters, "rung") == "plain") {
      before = 0;
      continue;
    }
    EXPECT_GE(std::stod(text), before);
    before = std::stod(text);
    EXPECT_LE(before, std::stod(text_of(r.result, "limit_gflops")) * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace kinjo
