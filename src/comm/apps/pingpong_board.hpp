/// The memory of a ping-pong, and what cell 0 asks its partner to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include <kinjo/comm_apps.hpp>

namespace kinjo::comm::detail {

/// What both do in one batch.
enum class PingDo : std::uint64_t {
  pong,      ///< back and forth
  stream,    ///< one after the other, from cell 0
  overhead,  ///< back and forth, while cell 0 looks at the clock and waits for each to arrive
  end,
};

/// What cell 0 asks for. `first` is the value before the first flag's: both count on together, and
/// no flag is ever reset.
struct PingCommand {
  PingDo what = PingDo::pong;
  PingWay way = PingWay::put;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

/// The same memory in every cell. Each flag is in a line of its own, but for that of data of at
/// most 56 bytes, which follows it in its line.
class PingBoard {
 public:
  PingBoard(World& world, const PingpongOptions& options);

  Offset command() const { return command_; }
  Offset command_flag() const { return command_ + 64; }
  /// Raised by the partner after a stream has arrived.
  Offset done_flag() const { return command_ + 128; }
  /// Grows with every put of a stream.
  Offset stream_flag() const { return command_ + 192; }
  Offset data() const { return data_; }
  /// By hand: 8 bytes and their flag, in the very line in which a put has them, since how long a
  /// line takes depends on where in the last-level cache it belongs.
  Offset line() const { return data_; }
  Offset flag_of(std::uint64_t bytes) const { return data_ + (bytes + 7) / 8 * 8; }
  const void* source() const { return source_.data(); }
  void* sink() { return sink_.data(); }

 private:
  Offset command_ = 0, data_ = 0;
  std::vector<unsigned char> source_, sink_;
};

/// A line that is written by hand.
struct HandLine {
  std::uint64_t data;
  std::uint64_t flag;
};

/// The handlers of a ping-pong, from the one that `add_pingpong_handlers` named.
enum class PingHandler : HandlerId { echo, echo_long, echoed, take };

/// Messages that this cell's handlers have taken: `echoed` at cell 0, `take` at its partner. A
/// world belongs to a thread, and so do its handlers.
std::uint64_t& messages_taken();

/// Where long messages lie, on both cells.
Offset& long_messages_at();

/// What the calls of cell 0 take, in the mean of a batch.
struct PingOverhead {
  double send_seconds = 0;
  double receive_seconds = 0;
};

/// Back and forth `command.count` times, from either side.
class PingPong {
 public:
  PingPong(World& world, PingBoard& board, int other, HandlerId first_handler)
      : world_(world), board_(board), other_(other), first_handler_(first_handler) {}

  /// The part of cell 0. Each returns when the batch is over.
  void pong(const PingCommand& command);
  void stream(const PingCommand& command);
  /// `arrival_seconds` after it has sent, what comes back has arrived.
  PingOverhead overhead(const PingCommand& command, double arrival_seconds);
  /// The part of its partner.
  void answer(const PingCommand& command);
  void take_stream(const PingCommand& command);

 private:
  void put(const PingCommand& command, std::uint64_t value);
  void put_short(const PingCommand& command, std::uint64_t value);
  void wait(const PingCommand& command, std::uint64_t value);
  enum class Role { leads, serves };
  void by_hand(const PingCommand& command, Role role);
  void by_put(const PingCommand& command, Role role);
  void by_put_short(const PingCommand& command, Role role);
  /// The same loop as that by hand; `put(signal)` does the rest.
  template <class Put>
  void by_flag(const PingCommand& command, Role role, const Put& put);
  /// Calls `turn` with the value of each flag.
  template <class Turn>
  void each(const PingCommand& command, const Turn& turn) {
    for (std::uint64_t i = 1; i <= command.count; ++i) turn(command.first + i);
  }
  void stream_of_puts(const PingCommand& command);
  void fetch(const PingCommand& command, std::uint64_t count);
  void ask(const PingCommand& command);
  void take_answer(std::uint64_t expected);
  /// Calls `send(value)` and later `receive(value)`, by the clock.
  template <class Send, class Receive>
  PingOverhead by_the_clock(const PingCommand& command, double arrival_seconds, const Send& send,
                            const Receive& receive);
  void request(const PingCommand& command, PingHandler handler, PingHandler longer);
  void copy(const PingCommand& command);
  void send(const PingCommand& command) { world_.send(other_, 0, board_.source(), command.bytes); }
  void receive(const PingCommand& command) {
    world_.receive(other_, 0, board_.sink(), command.bytes);
  }
  HandlerId id(PingHandler handler) const {
    return static_cast<HandlerId>(first_handler_ + static_cast<HandlerId>(handler));
  }

  World& world_;
  PingBoard& board_;
  int other_;
  HandlerId first_handler_;
};

}  // namespace kinjo::comm::detail
