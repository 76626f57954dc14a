#include "measure/agreement.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "base/contract.hpp"
#include "base/cycle_clock.hpp"
#include "base/relax.hpp"
#include "measure/sampling.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kLeastExchanges = 100;

/// The round that one thread has reached and the other waits for, on a line of its own, with what
/// its counter said.
struct alignas(128) Mailbox {
  std::atomic<std::uint64_t> round{0};
  std::uint64_t counter = 0;

  void send(std::uint64_t next) { round.store(next, std::memory_order_release); }
  /// Waits for a round other than `old` and returns it. Yields now and then, in case both threads
  /// share a CPU.
  std::uint64_t wait(std::uint64_t old) const {
    constexpr int kPolls = 10'000;
    for (int polls = 1;; ++polls) {
      const std::uint64_t now = round.load(std::memory_order_acquire);
      if (now != old) return now;
      detail::relax();
      if (polls % kPolls == 0) std::this_thread::yield();
    }
  }
};

constexpr std::uint64_t kStop = std::numeric_limits<std::uint64_t>::max();

/// The second thread: answers every message with its counter.
void answer(const Mailbox& ping, Mailbox& pong) {
  for (std::uint64_t round = 0; (round = ping.wait(round)) != kStop;) {
    pong.counter = detail::read_counter();
    pong.send(round);
  }
}

}  // namespace

OffsetBounds bound_offset(std::span<const Exchange> exchanges) {
  KINJO_ASSERT(!exchanges.empty());
  OffsetBounds bounds{std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::int64_t>::max()};
  for (const Exchange& e : exchanges) {
    bounds.low = std::max(bounds.low, static_cast<std::int64_t>(e.answered - e.received));
    bounds.high = std::min(bounds.high, static_cast<std::int64_t>(e.answered - e.sent));
  }
  return bounds;
}

Agreement judge_offsets(std::span<const OffsetBounds> others) {
  KINJO_ASSERT(!others.empty());
  std::vector<OffsetBounds> all(others.begin(), others.end());
  all.push_back({0, 0});
  Agreement agreement;
  for (const OffsetBounds& a : all) {
    agreement.agrees = agreement.agrees && a.low <= 0 && a.high >= 0;
    for (const OffsetBounds& b : all) {
      if (&a == &b) continue;
      // Bounds that contradict each other are bounds of something that moved between them.
      const std::int64_t highest = std::max(a.low, a.high), lowest = std::min(b.low, b.high);
      agreement.most_counts =
          std::max(agreement.most_counts, static_cast<double>(highest - lowest));
    }
  }
  return agreement;
}

std::vector<Exchange> exchange_messages(Team& team, std::size_t most, double seconds) {
  KINJO_ASSERT(team.size() == 2);
  Mailbox ping, pong;
  std::vector<Exchange> exchanges;
  exchanges.reserve(most);
  team.run([&](const Place& me) {
    if (me.thread == 1) return answer(ping, pong);
    const double end = now_seconds() + seconds;
    for (std::uint64_t round = 1; round <= most; ++round) {
      const std::uint64_t sent = detail::read_counter();
      ping.send(round);
      pong.wait(round - 1);
      const std::uint64_t received = detail::read_counter();
      exchanges.push_back({sent, pong.counter, received});
      if (round >= kLeastExchanges && now_seconds() >= end) break;
    }
    ping.send(kStop);
  });
  return exchanges;
}

}  // namespace kinjo
