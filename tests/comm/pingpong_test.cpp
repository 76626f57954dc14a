/// The ping-pong: which ways and sizes it measures, between whom, and what it refuses.
#include <algorithm>
#include <set>

#include "comm/apps.hpp"

namespace kinjo::comm::test {
namespace {

PingpongResult play(Kind kind, int cells, const PingpongOptions& options) {
  WorldOptions world{.heap_bytes = pingpong_heap_bytes(options)};
  const HandlerId first = add_pingpong_handlers(world);
  return result_of<PingpongResult>(kind, cells, world,
                                   [&](World& own) { return pingpong(own, options, first); });
}

class Pingpong : public testing::TestWithParam<Kind> {};
KINJO_IN_EVERY_WORLD(Pingpong);

TEST_P(Pingpong, MeasuresEveryWayAndSizeInEachRound) {
  const PingpongOptions options{
      .sizes = {1, 8, 57, 5000, 300'000}, .rounds = 3, .batch_seconds = 1e-4};
  const PingpongResult result = play(GetParam(), 2, options);
  EXPECT_EQ(result.path, GetParam() == Kind::threads ? Path::threads : Path::shared);
  std::multiset<PingWay> ways;
  for (const PingpongLine& line : result.lines) {
    ways.insert(line.way);
    const bool latency = line.way != PingWay::copy;
    const bool stream = line.way != PingWay::by_hand && line.way != PingWay::put_short;
    EXPECT_EQ(line.latency_seconds.size(), latency ? 3 : 0) << to_string(line.way);
    EXPECT_EQ(line.bytes_per_second.size(), stream ? 3 : 0) << to_string(line.way);
    const bool overhead = latency && line.way != PingWay::by_hand;
    EXPECT_EQ(line.send_overhead_seconds.size(), overhead ? 3 : 0) << to_string(line.way);
    EXPECT_EQ(line.receive_overhead_seconds.size(), overhead ? 3 : 0) << to_string(line.way);
    for (const double seconds : line.latency_seconds) EXPECT_GT(seconds, 0);
    for (const double rate : line.bytes_per_second) EXPECT_GT(rate, 0);
  }
  EXPECT_EQ(ways.count(PingWay::by_hand), 1);
  EXPECT_EQ(ways.count(PingWay::put_short), 2);
  for (const PingWay way :
       {PingWay::put, PingWay::get, PingWay::am, PingWay::send, PingWay::copy}) {
    EXPECT_EQ(ways.count(way), options.sizes.size()) << to_string(way);
  }
}

/// A put into shared memory is a copy by the sender, so his part grows with the bytes. Its receiver
/// looks at a flag, whatever the bytes, and is not charged for their way.
TEST_P(Pingpong, TellsWhatACallTakesFromTheWayOfItsMessage) {
  const PingpongResult result =
      play(GetParam(), 2, {.sizes = {1000, 300'000}, .rounds = 3, .batch_seconds = 1e-3});
  const auto least = [](const std::vector<double>& samples) {
    return *std::min_element(samples.begin(), samples.end());
  };
  double call = 0, long_call = 0, answer = 0, long_answer = 0;
  for (const PingpongLine& line : result.lines) {
    if (line.way != PingWay::put) continue;
    (line.bytes == 1000 ? call : long_call) = least(line.send_overhead_seconds);
    (line.bytes == 1000 ? answer : long_answer) = least(line.receive_overhead_seconds);
  }
  EXPECT_GT(long_call, 10 * call);
  EXPECT_LT(long_answer, long_call);
}

TEST_P(Pingpong, LeavesTheOtherCellsAlone) {
  for (const int partner : {-1, 1, 2}) {
    const PingpongResult result =
        play(GetParam(), 4, {.rounds = 1, .batch_seconds = 1e-5, .partner = partner});
    EXPECT_FALSE(result.lines.empty()) << partner;
  }
}

TEST_P(Pingpong, RefusesWhatCannotBePlayed) {
  const auto refusal = [&](int cells, const PingpongOptions& options) {
    return error_of([&] { play(GetParam(), cells, options); });
  };
  EXPECT_EQ(refusal(1, {}), "invalid_argument: a ping-pong of 1 cell: expected at least 2");
  EXPECT_EQ(refusal(2, {.sizes = {8, 0}}),
            "invalid_argument: a ping-pong of 0 bytes: expected at least 1");
  EXPECT_EQ(refusal(2, {.partner = 2}),
            "invalid_argument: cell 2 as the partner of cell 0: expected 1 to 1");
}

}  // namespace
}  // namespace kinjo::comm::test
