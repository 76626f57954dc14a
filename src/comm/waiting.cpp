#include "comm/waiting.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace kinjo::comm::detail {
namespace {

// Rounds without the kernel, where no other cell needs the CPU.
constexpr std::uint64_t kSpins = 2000;
// Of these, so many without leaving the core to its sibling.
constexpr std::uint64_t kEager = 100;
// How long a cell that has nothing to do only yields before it sleeps between two looks.
constexpr std::int64_t kYield_ns = 5'000'000;
constexpr std::int64_t kShortestSleep_ns = 20'000;
constexpr std::int64_t kLongestSleep_ns = 1'000'000;
// Where cells share CPUs: how often a waiting one lets the others run before it sleeps, and how
// long it sleeps at most, since direct stores ring no bell.
constexpr std::uint64_t kYields = 10;
constexpr std::int64_t kLongestUnrung_ns = 10'000'000;
// How often a cell that does not sleep looks whether the others live.
constexpr std::int64_t kLook_ns = 5'000'000;

}  // namespace

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void throw_timed_out(int cell, const Deadline& deadline, const std::string& awaited) {
  throw Error(Errc::timed_out,
              fmt::format("cell {} has waited {:g} s for {}: the time allowed is over", cell,
                          deadline.allowed_seconds(), awaited));
}

Waiting::Waiting(WorldImpl& world, Wait::For what, Needs needs, const Deadline& deadline)
    : world_(world),
      what_(what),
      needs_(needs),
      deadline_(deadline),
      begin_ns_(now_ns()),
      looked_ns_(begin_ns_),
      idle_since_ns_(begin_ns_) {}

Waiting::~Waiting() {
  if (lying_) world_.neighbourhood.get_up();
  const std::int64_t end = now_ns();
  world_.waited_ns += end - begin_ns_;
  if (world_.trace_begin_ns >= 0 && end - begin_ns_ >= 1000) {
    world_.waits.push_back({.what = what_,
                            .begin_ns = begin_ns_ - world_.trace_begin_ns,
                            .end_ns = end - world_.trace_begin_ns});
  }
}

bool Waiting::pause(bool something_came) {
  // More may follow at once.
  if (something_came) rounds_ = 0;
  ++rounds_;
  const bool spins = !world_.neighbourhood.shares_cpu() && rounds_ < kSpins;
  // The clock costs as much as many looks.
  if (spins && rounds_ % 32 != 0) {
    if (rounds_ > kEager) kinjo::detail::relax();
    return true;
  }
  const std::int64_t now = std::exchange(is_fresh_, false) && !spins ? begin_ns_ : now_ns();
  if (deadline_.is_over(now)) return false;
  if (now - looked_ns_ >= kLook_ns) look_around(now);
  if (something_came) idle_since_ns_ = now;
  if (spins) return true;
  rest(now - idle_since_ns_);
  return true;
}

void Waiting::rest(std::int64_t idle_ns) {
  if (world_.neighbourhood.has_bells() && !world_.remote) {
    if (rounds_ > kYields) return sleep_until_rung(idle_ns);
  } else if (idle_ns >= kYield_ns) {
    return doze(std::clamp(idle_ns / 64, kShortestSleep_ns, kLongestSleep_ns));
  }
  sched_yield();
}

void Waiting::doze(std::int64_t nanoseconds) {
  if (world_.remote) {
    world_.remote->doze(nanoseconds);
  } else {
    world_.watch->look(nanoseconds);
  }
}

// In two rounds: between lying down and sleeping the caller looks once more.
void Waiting::sleep_until_rung(std::int64_t idle_ns) {
  Neighbourhood& here = world_.neighbourhood;
  if (lying_) here.sleep(rung_, std::clamp(idle_ns, kShortestSleep_ns, kLongestUnrung_ns));
  rung_ = here.lie_down();
  lying_ = true;
}

void Waiting::look_around(std::int64_t now) {
  looked_ns_ = now;
  world_.watch->look(0);
  world_.check_lost(needs_);
}

}  // namespace kinjo::comm::detail
