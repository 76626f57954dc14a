#include "comm/apps/pingpong_board.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/relax.hpp"
#include "comm/apps/collect.hpp"

namespace kinjo::comm::detail {

namespace {

std::size_t largest(const PingpongOptions& options) {
  std::size_t most = sizeof(std::uint64_t);
  for (const std::size_t bytes : options.sizes) most = std::max(most, bytes);
  return most;
}

/// Waits for a flag with nothing but loads; after about a millisecond it lets others have the CPU,
/// which cells that share one need.
void spin_until(const std::uint64_t& flag, std::uint64_t value) {
  const std::atomic_ref<std::uint64_t> seen(const_cast<std::uint64_t&>(flag));
  for (int spins = 0; seen.load(std::memory_order_acquire) != value; ++spins) {
    if (spins > 1'000'000) std::this_thread::yield();
  }
}

/// What it takes to look at the clock: a part of all that lies between two looks.
double clock_cost() {
  constexpr int kLooks = 200;
  const double begin = clock_seconds();
  double end = begin;
  for (int i = 0; i < kLooks; ++i) end = clock_seconds();
  return (end - begin) / kLooks;
}

}  // namespace

PingBoard::PingBoard(World& world, const PingpongOptions& options)
    : source_(largest(options), 0x55), sink_(largest(options)) {
  command_ = world.allocate(256, 64);
  data_ = world.allocate(largest(options) + 64, 4096);
}

std::uint64_t& messages_taken() {
  thread_local std::uint64_t taken = 0;
  return taken;
}

Offset& long_messages_at() {
  thread_local Offset at = 0;
  return at;
}

void PingPong::put(const PingCommand& command, std::uint64_t value) {
  world_.put_signal(other_, board_.data(), board_.source(), command.bytes,
                    {.flag = board_.flag_of(command.bytes), .value = value});
}

void PingPong::put_short(const PingCommand& command, std::uint64_t value) {
  world_.put_short(other_, board_.data(), value, command.bytes,
                   {.flag = board_.flag_of(command.bytes), .value = value});
}

void PingPong::wait(const PingCommand& command, std::uint64_t value) {
  world_.wait_flag(board_.flag_of(command.bytes), Until::equal, value);
}

void PingPong::by_hand(const PingCommand& command, Role role) {
  auto& mine = *static_cast<HandLine*>(world_.local(board_.line()));
  auto& theirs = *static_cast<HandLine*>(world_.ptr(other_, board_.line()));
  each(command, [&](std::uint64_t value) {
    if (role == Role::serves) spin_until(mine.flag, value);
    std::atomic_ref(theirs.data).store(value, std::memory_order_relaxed);
    std::atomic_ref(theirs.flag).store(value, std::memory_order_release);
    if (role == Role::leads) spin_until(mine.flag, value);
  });
}

// As above, what the loop needs is at hand before it begins.
template <class Put>
void PingPong::by_flag(const PingCommand& command, Role role, const Put& put) {
  World& world = world_;
  const Offset flag = board_.flag_of(command.bytes);
  each(command, [&](std::uint64_t value) {
    if (role == Role::serves) world.wait_flag(flag, Until::equal, value);
    put(Signal{.flag = flag, .value = value});
    if (role == Role::leads) world.wait_flag(flag, Until::equal, value);
  });
}

void PingPong::by_put(const PingCommand& command, Role role) {
  by_flag(command, role,
          [&world = world_, other = other_, to = board_.data(), from = board_.source(),
           bytes = command.bytes](const Signal& signal) {
            world.put_signal(other, to, from, bytes, signal);
          });
}

void PingPong::by_put_short(const PingCommand& command, Role role) {
  by_flag(command, role,
          [&world = world_, other = other_, to = board_.data(), bytes = command.bytes](
              const Signal& signal) { world.put_short(other, to, signal.value, bytes, signal); });
}

void PingPong::fetch(const PingCommand& command, std::uint64_t count) {
  Completion done;
  for (std::uint64_t i = 0; i < count; ++i) {
    world_.get(other_, board_.sink(), board_.data(), command.bytes, done);
  }
  world_.wait(done);
}

void PingPong::request(const PingCommand& command, PingHandler handler, PingHandler longer) {
  if (command.bytes <= kMediumBytes) {
    world_.request(other_, id(handler), board_.source(), command.bytes);
  } else {
    world_.request_long(other_, id(longer), board_.source(), command.bytes, board_.data());
  }
}

void PingPong::take_answer(std::uint64_t expected) {
  const std::uint64_t& taken = messages_taken();
  world_.wait_until([&taken, expected] { return taken >= expected; });
}

void PingPong::ask(const PingCommand& command) {
  const std::uint64_t expected = messages_taken() + 1;
  request(command, PingHandler::echo, PingHandler::echo_long);
  take_answer(expected);
}

void PingPong::pong(const PingCommand& command) {
  switch (command.way) {
    case PingWay::by_hand:
      return by_hand(command, Role::leads);
    case PingWay::put:
      return by_put(command, Role::leads);
    case PingWay::put_short:
      return by_put_short(command, Role::leads);
    case PingWay::get:
      return each(command, [&](std::uint64_t) { fetch(command, 1); });
    case PingWay::am:
      return each(command, [&](std::uint64_t) { ask(command); });
    default:
      return each(command, [&](std::uint64_t) {
        send(command);
        receive(command);
      });
  }
}

template <class Send, class Receive>
PingOverhead PingPong::by_the_clock(const PingCommand& command, double arrival_seconds,
                                    const Send& send, const Receive& receive) {
  const double clock = clock_cost();
  double sending = 0, receiving = 0;
  each(command, [&](std::uint64_t value) {
    const double begin = clock_seconds();
    send(value);
    const double sent = clock_seconds();
    while (clock_seconds() < sent + arrival_seconds) kinjo::detail::relax();
    // Where it has not arrived yet, as where both cells share a CPU, the wait is none of it.
    const double waited = world_.waited_seconds();
    const double arrived = clock_seconds();
    receive(value);
    const double end = clock_seconds();
    sending += sent - begin;
    receiving += end - arrived - (world_.waited_seconds() - waited);
  });
  const auto count = static_cast<double>(command.count);
  return {std::max(sending / count - clock, 0.0), std::max(receiving / count - clock, 0.0)};
}

PingOverhead PingPong::overhead(const PingCommand& command, double arrival_seconds) {
  const auto measure = [&](const auto& send, const auto& receive) {
    return by_the_clock(command, arrival_seconds, send, receive);
  };
  const auto wait_for_flag = [&](std::uint64_t value) { wait(command, value); };
  switch (command.way) {
    case PingWay::put:
      return measure([&](std::uint64_t value) { put(command, value); }, wait_for_flag);
    case PingWay::put_short:
      return measure([&](std::uint64_t value) { put_short(command, value); }, wait_for_flag);
    case PingWay::get: {
      Completion done;
      return measure(
          [&](std::uint64_t) {
            world_.get(other_, board_.sink(), board_.data(), command.bytes, done);
          },
          [&](std::uint64_t) { world_.wait(done); });
    }
    case PingWay::am: {
      std::uint64_t expected = messages_taken();
      return measure(
          [&](std::uint64_t) {
            ++expected;
            request(command, PingHandler::echo, PingHandler::echo_long);
          },
          [&](std::uint64_t) {
            world_.progress();  // which is what takes a message; a wait would look for others first
            take_answer(expected);
          });
    }
    default:
      return measure([&](std::uint64_t) { this->send(command); },
                     [&](std::uint64_t) { this->receive(command); });
  }
}

void PingPong::answer(const PingCommand& command) {
  switch (command.way) {
    case PingWay::by_hand:
      return by_hand(command, Role::serves);
    case PingWay::put:
      return by_put(command, Role::serves);
    case PingWay::put_short:
      return by_put_short(command, Role::serves);
    default:
      return each(command, [&](std::uint64_t) {
        receive(command);
        send(command);
      });
  }
}

void PingPong::copy(const PingCommand& command) {
  void* to = world_.ptr(other_, board_.data());
  if (to == nullptr) to = board_.sink();
  for (std::uint64_t i = 0; i < command.count; ++i) {
    std::memcpy(to, board_.source(), command.bytes);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // each copy is made
  }
}

/// Many puts, and one flag behind them all.
void PingPong::stream_of_puts(const PingCommand& command) {
  for (std::uint64_t i = 0; i < command.count; ++i) {
    world_.put(other_, board_.data(), board_.source(), command.bytes);
  }
  world_.fence();
  world_.signal(other_, {.flag = board_.stream_flag(), .value = command.first + 1});
}

void PingPong::stream(const PingCommand& command) {
  if (command.way == PingWay::copy) return copy(command);
  if (command.way == PingWay::get) return fetch(command, command.count);
  if (command.way == PingWay::put) {
    stream_of_puts(command);
  } else {
    for (std::uint64_t i = 0; i < command.count; ++i) {
      if (command.way == PingWay::am) {
        request(command, PingHandler::take, PingHandler::take);
      } else {
        send(command);
      }
    }
  }
  world_.wait_flag(board_.done_flag(), Until::equal, command.first + 1);
}

void PingPong::take_stream(const PingCommand& command) {
  if (command.way == PingWay::put) {
    world_.wait_flag(board_.stream_flag(), Until::equal, command.first + 1);
  } else if (command.way == PingWay::am) {
    world_.wait_until([&] { return messages_taken() >= command.count; });
    messages_taken() = 0;
  } else {
    for (std::uint64_t i = 0; i < command.count; ++i) receive(command);
  }
  world_.signal(other_, {.flag = board_.done_flag(), .value = command.first + 1});
}

}  // namespace kinjo::comm::detail
