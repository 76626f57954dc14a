// Waking for nothing, with an event of the kernel's in place of UCX's descriptor.
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "comm/ucx/alarm.hpp"

namespace kinjo::comm::test {
namespace {

using detail::Alarm;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Rings from the beginning and until it is read, which nobody does.
class Event {
 public:
  explicit Event(unsigned value) : descriptor_(eventfd(value, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Event() { close(descriptor_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// An hour stands for ever: a sleep that does not end when it should fails by the test's time limit.

TEST(AlarmTest, EndsASleepWhenItRings) {
  const Event event(1);
  Alarm alarm;
  alarm.sleep(event.descriptor(), -1, 1h);
  alarm.sleep(-1, event.descriptor(), 1h);
}

TEST(AlarmTest, SleepsForTheTimeAllowedWhereNothingRings) {
  const Event event(0);
  Alarm alarm;
  const auto begin = Clock::now();
  alarm.sleep(event.descriptor(), event.descriptor(), 2ms);
  EXPECT_GE(Clock::now() - begin, 2ms);
  alarm.sleep(event.descriptor(), event.descriptor(), 0ms);
  alarm.sleep(event.descriptor(), event.descriptor(), -1ms);
}

TEST(AlarmTest, SleepsInSpiteOfWhatRingsForNothing) {
  const Event event(1);
  Alarm alarm;
  for (int times = 0; times < 20; ++times) alarm.sleep(event.descriptor(), -1, 1h);
  const auto begin = Clock::now();
  alarm.sleep(event.descriptor(), -1, 1h);
  EXPECT_GE(Clock::now() - begin, 1ms);
  // No longer than it is allowed, and not where the other one rings.
  alarm.sleep(event.descriptor(), -1, 10us);
  alarm.sleep(event.descriptor(), event.descriptor(), 1h);
}

TEST(AlarmTest, IsHeardAtOnceAgainWhenSomethingHasMoved) {
  const Event event(1);
  Alarm alarm;
  auto shortest = Clock::duration::max();
  for (int times = 0; times < 50; ++times) {  // on a busy machine a sleep may take long by itself
    for (int rung = 0; rung < 12; ++rung) alarm.sleep(event.descriptor(), -1, 1h);
    alarm.note_move();
    const auto begin = Clock::now();
    alarm.sleep(event.descriptor(), -1, 1h);
    shortest = std::min(shortest, Clock::now() - begin);
    if (shortest < 1ms) break;
  }
  EXPECT_LT(shortest, 1ms);
}

}  // namespace
}  // namespace kinjo::comm::test
