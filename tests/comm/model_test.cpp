#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/comm_model.hpp>

#include "comm/model_simulation.hpp"
#include "support/expect.hpp"

namespace kinjo::comm::test {
namespace {

using kinjo::test::error_of;

const LogGp kEthernet{20e-6, 3e-6, 4e-6, 1e-9, 0};
const LogGp kCopying{0.2e-6, 0.1e-6, 0.1e-6, 0.05e-9, 0.1e-9};
/// S4's table 1: a long PUT takes 68 µs and 0.081 µs for each byte.
const LogGp kAp1000{68e-6, 0, 0, 0.081e-6, 0};

std::vector<MessageTime> times_of(const LogGp& network) {
  std::vector<MessageTime> times;
  for (double bytes = 8; bytes <= 1 << 20; bytes *= 4) {
    times.push_back({bytes, one_way_seconds(network, bytes)});
  }
  return times;
}

TEST(LogGp, TellsTheTimeOfAMessage) {
  EXPECT_DOUBLE_EQ(one_way_seconds(kEthernet, 1), 26e-6);
  EXPECT_DOUBLE_EQ(one_way_seconds(kEthernet, 1001), 27e-6);
  EXPECT_DOUBLE_EQ(one_way_seconds(kCopying, 1001), 0.4e-6 + 0.05e-6 + 0.1001e-6);
  EXPECT_NEAR(one_way_seconds(kAp1000, 131072), 10.7e-3, 0.1e-3);
}

TEST(LogGp, GrowsByARoundWheneverCellsDouble) {
  const struct {
    int cells, barrier, reduction;
  } cases[] = {{1, 0, 0}, {2, 1, 1}, {3, 2, 3}, {4, 2, 2}, {16, 4, 4}, {17, 5, 6}, {4096, 12, 12}};
  for (const auto& c : cases) {
    EXPECT_DOUBLE_EQ(barrier_seconds(kEthernet, c.cells),
                     c.barrier * one_way_seconds(kEthernet, 8));
    EXPECT_DOUBLE_EQ(all_reduce_seconds(kEthernet, c.cells, Reduction::doubling),
                     c.reduction * one_way_seconds(kEthernet, 16));
  }
}

TEST(LogGp, KnowsThatFewCellsTellAllOthersAndManyDouble) {
  for (const int cells : {2, 16, 32, 33, 64, 4096}) {
    EXPECT_EQ(all_reduce_seconds(kEthernet, cells, Reduction::kinjo),
              all_reduce_seconds(kEthernet, cells,
                                 cells <= 32 ? Reduction::everyone : Reduction::doubling));
  }
}

TEST(LogGpFit, FindsTheParametersOfExactTimes) {
  const LogGpFit fit = fit_log_gp(
      {.one_way = times_of(kEthernet), .overhead = {{8, 3e-6}, {4096, 3e-6}}, .interval_s = 4e-6});
  EXPECT_NEAR(fit.parameters.latency_s, 20e-6, 1e-12);
  EXPECT_NEAR(fit.parameters.overhead_s, 3e-6, 1e-12);
  EXPECT_EQ(fit.parameters.gap_s, 4e-6);
  EXPECT_NEAR(fit.parameters.gap_per_byte_s, 1e-9, 1e-15);
  EXPECT_NEAR(fit.parameters.overhead_per_byte_s, 0, 1e-15);
  EXPECT_LT(fit.worst_error, 1e-9);
}

TEST(LogGpFit, TellsTheCopyOfAPutFromItsWay) {
  const LogGpFit fit =
      fit_log_gp({.one_way = times_of(kCopying), .overhead = {{8, 0.1008e-6}, {100000, 10.1e-6}}});
  EXPECT_NEAR(fit.parameters.overhead_per_byte_s, 0.1e-9, 1e-14);
  EXPECT_NEAR(fit.parameters.gap_per_byte_s, 0.05e-9, 1e-14);
  EXPECT_EQ(fit.parameters.gap_s, fit.parameters.overhead_s);
}

TEST(LogGpFit, TakesTheMeanOfBothEnds) {
  const MessageTimes times{.one_way = times_of(kEthernet),
                           .overhead = {{8, 1e-6}, {4096, 1e-6}},
                           .receive_overhead = {{8, 4e-6}, {4096, 4e-6}},
                           .interval_s = {}};
  EXPECT_NEAR(fit_log_gp(times).parameters.overhead_s, 2.5e-6, 1e-12);
  EXPECT_NEAR(log_gp_at(times, 4096).overhead_s, 2.5e-6, 1e-12);
}

TEST(LogGpOfASize, IsThatOfAnySizeWhereTimesAreALine) {
  const auto overhead = [](double bytes) { return MessageTime{bytes, 0.1e-6 + bytes * 0.1e-9}; };
  const MessageTimes times{.one_way = times_of(kCopying),
                           .overhead = {overhead(8), overhead(4096), overhead(1 << 20)},
                           .receive_overhead = {{8, 0.1e-6}, {4096, 0.1e-6}},
                           .interval_s = {}};
  for (const double bytes : {1.0, 8.0, 100.0, 4096.0, 1e6, 1e9}) {
    const LogGp p = log_gp_at(times, bytes);
    EXPECT_NEAR(p.latency_s, kCopying.latency_s, 1e-12) << bytes;
    EXPECT_NEAR(p.overhead_s, kCopying.overhead_s, 1e-12) << bytes;
    EXPECT_NEAR(p.gap_per_byte_s, kCopying.gap_per_byte_s, 1e-15) << bytes;
    EXPECT_NEAR(p.overhead_per_byte_s, kCopying.overhead_per_byte_s, 1e-15) << bytes;
  }
  EXPECT_LT(sized_error(times).worst, 1e-9);
}

/// Bytes that no longer fit into a cache take ten times as long each.
TEST(LogGpOfASize, FollowsTimesThatAreNoLine) {
  std::vector<MessageTime> way, call;
  for (double bytes = 8; bytes <= 1 << 24; bytes *= 4) {
    const double copy = 0.01e-9 * bytes + 0.09e-9 * std::max(0.0, bytes - 4096);
    way.push_back({bytes, 150e-9 + copy});
    call.push_back({bytes, 10e-9 + copy});
  }
  const MessageTimes times{.one_way = way, .overhead = call, .interval_s = {}};
  for (const MessageTime& measured : way) {
    const LogGp p = log_gp_at(times, measured.bytes);
    EXPECT_NEAR(one_way_seconds(p, measured.bytes) / measured.seconds, 1, 1e-9) << measured.bytes;
    EXPECT_NEAR(one_way_seconds(p, 8) / way[0].seconds, 1, 1e-9) << measured.bytes;
    EXPECT_LT(p.gap_per_byte_s, 1e-15);
  }
  EXPECT_GT(fit_log_gp(times).worst_error, 0.5);
  const double between = 150e-9 + 0.1e-9 * 1e6 - 0.09e-9 * 4096;
  EXPECT_NEAR(one_way_seconds(log_gp_at(times, 1e6), 1e6) / between, 1, 1e-2);
}

TEST(LogGpOfASize, SaysHowFarASizeIsFromItsNeighbours) {
  EXPECT_NEAR(sized_error({.one_way = {{8, 1e-6}, {16, 4e-6}, {24, 3e-6}}}).worst, 0.5, 1e-9);
  EXPECT_EQ(sized_error({.one_way = {{8, 1e-6}, {16, 4e-6}}}).worst, 0);
}

TEST(LogGpFit, LeavesAllToLatencyAndGapWhereThereIsAPingPongAlone) {
  const LogGpFit fit = fit_log_gp({.one_way = times_of(kEthernet)});
  EXPECT_NEAR(fit.parameters.latency_s, 26e-6, 1e-12);
  EXPECT_EQ(fit.parameters.overhead_s, 0);
  EXPECT_EQ(fit.parameters.gap_s, 0);
}

TEST(LogGpFit, IsNotBentByADisturbedSample) {
  auto times = times_of(kEthernet);
  times[2].seconds *= 8;
  const LogGpFit fit = fit_log_gp({.one_way = times});
  EXPECT_NEAR(fit.parameters.latency_s, 26e-6, 0.3e-6);
  EXPECT_NEAR(fit.parameters.gap_per_byte_s, 1e-9, 0.01e-9);
  EXPECT_LT(fit.median_error, 0.02);
  EXPECT_NEAR(fit.worst_error, 7.0 / 8, 0.01);
}

TEST(LogGpFit, HasNoNegativeParameter) {
  const std::vector<MessageTime> falling{{8, 3e-6}, {64, 2e-6}, {4096, 1e-6}};
  const std::vector<MessageTime> steep{{8, 1e-9}, {64, 1e-6}, {4096, 1e-3}};
  for (const auto& times : {falling, steep}) {
    const MessageTimes measured{.one_way = times,
                                .overhead = {{8, 1e-2}, {64, 2e-2}},
                                .receive_overhead = {{8, 1e-3}, {64, 2e-9}},
                                .interval_s = {}};
    for (const LogGp& p :
         {fit_log_gp(measured).parameters, log_gp_at(measured, 16), log_gp_at(measured, 1e5)}) {
      for (const double value :
           {p.latency_s, p.overhead_s, p.gap_s, p.gap_per_byte_s, p.overhead_per_byte_s}) {
        EXPECT_GE(value, 0);
      }
    }
  }
}

TEST(LogGpFit, RefusesTimesThatMakeNoLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    MessageTimes times;
    const char* error;
  } cases[] = {
      {{}, "a LogGP fit needs one-way times of two different sizes at least"},
      {{.one_way = {{8, 1e-6}, {8, 2e-6}}},
       "a LogGP fit needs one-way times of two different sizes at least"},
      {{.one_way = {{8, 1e-6}, {0, 2e-6}}},
       "a one-way time of 2e-06 s for 0 bytes: expected a positive time, and a byte at least"},
      {{.one_way = {{8, nan}, {16, 2e-6}}},
       "a one-way time of nan s for 8 bytes: expected a positive time, and a byte at least"},
      {{.one_way = {{8, 1e-6}, {16, 2e-6}}, .overhead = {{8, -1}}},
       "an overhead of -1 s for 8 bytes: expected a positive time, and a byte at least"},
      {{.one_way = {{8, 1e-6}, {16, 2e-6}}, .overhead = {}, .interval_s = -1},
       "an interval of -1 s between messages: expected 0 or more"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { fit_log_gp(c.times); }), std::string("invalid_argument: ") + c.error);
    EXPECT_EQ(error_of([&] { log_gp_at(c.times, 8); }),
              std::string("invalid_argument: ") + c.error);
  }
}

TEST(Predictions, OfTheMultiplyAreWhatMessagesOneByOneTake) {
  for (const LogGp& network : {kEthernet, kCopying, kAp1000}) {
    for (const Form form : {Form::put, Form::send}) {
      for (const int cells : {1, 2, 3, 16, 64, 100}) {
        for (const double size : {128.0, 1000.0, 4096.0}) {
          const GemmCase gemm{size, 5e9, form, 0.2e-9};
          const Prediction p = predict_gemm(network, gemm, cells);
          EXPECT_NEAR(p.seconds / simulate_gemm(network, gemm, cells), 1, 1e-9)
              << cells << ' ' << size;
        }
      }
    }
  }
}

/// With few cells those at the edges, which have one neighbour, run ahead and pull the others
/// along; the model, in which every cell has two, is an upper bound then. So it is where everyone
/// tells everyone: not each cell waits for its latest message first.
TEST(Predictions, OfScgAreWhatMessagesOneByOneTake) {
  for (const LogGp& network : {kEthernet, kCopying, kAp1000}) {
    for (const Reduction reduction : {Reduction::everyone, Reduction::doubling}) {
      for (const int cells : {1, 2, 4, 8, 16, 64}) {
        const ScgCase scg{512, 2e-9, reduction};
        const double ratio =
            predict_scg(network, scg, cells).seconds / simulate_scg(network, scg, cells);
        EXPECT_GE(ratio, 1 - 1e-9) << cells;
        const bool exact = cells <= 2 || (cells >= 16 && reduction == Reduction::doubling);
        EXPECT_LE(ratio, exact ? 1 + 1e-9 : 1.05) << cells;
      }
    }
  }
}

TEST(Predictions, CostOneCellNothing) {
  const Prediction gemm = predict_gemm(kEthernet, {1024, 5e9}, 1);
  EXPECT_DOUBLE_EQ(gemm.efficiency, 1);
  EXPECT_DOUBLE_EQ(gemm.communication_share, 0);
  EXPECT_DOUBLE_EQ(predict_scg(kEthernet, {1024, 2e-9}, 1).efficiency, 1);
}

TEST(Predictions, GetWithoutABarrierIsAsFastAsPutWhereComputingHidesTheWay) {
  const Prediction put = predict_gemm(kEthernet, {8192, 30e9, Form::put}, 16);
  const Prediction get = predict_gemm(kEthernet, {8192, 30e9, Form::get}, 16);
  EXPECT_LT(get.seconds, put.seconds);
  EXPECT_GT(put.efficiency, 0.99);
}

/// S4's table 2 and figure 5: 16 cells of 3.40 MFLOPS, N = 512, of which PUT kept 97.1 % and the
/// buffered form 85.6 % at best. The model knows nothing of caches that are flushed for the DMA,
/// nor of interrupts, so it is the upper bound of PUT; it tells that the buffer's copies are what
/// is lost.
TEST(Predictions, SayOfThePapersMachineThatBufferingCosts) {
  const Prediction put = predict_gemm(kAp1000, {512, 3.4e6, Form::put}, 16);
  const Prediction send = predict_gemm(kAp1000, {512, 3.4e6, Form::send, 0.081e-6}, 16);
  EXPECT_GT(put.efficiency, 0.971);
  EXPECT_LT(send.efficiency, put.efficiency);
}

TEST(Predictions, RefuseCellsWithoutARow) {
  EXPECT_EQ(
      error_of([] {
        predict_gemm(kEthernet, {64, 1e9}, 65);
      }),
      "invalid_argument: a multiply of size 64 on 65 cells: expected at least one cell, and a "
      "row for each");
  EXPECT_EQ(
      error_of([] {
        predict_scg(kEthernet, {64, 1e-9}, 0);
      }),
      "invalid_argument: SCG of size 64 on 0 cells: expected at least one cell, and a row for "
      "each");
  EXPECT_EQ(error_of([] {
              predict_gemm(kEthernet, {64, 0}, 4);
            }),
            "invalid_argument: a rate of 0: expected a positive one");
  EXPECT_EQ(error_of([] {
              predict_scg(kEthernet, {64, -1}, 4);
            }),
            "invalid_argument: a time for a point of -1: expected a positive one");
}

}  // namespace
}  // namespace kinjo::comm::test
