/// A ping-pong of two cells (S4 section 3.7) in batches: every way and size in turn, so that the
/// i-th batches of all were taken close to each other and can be compared as pairs.
///
/// Cell 0 leads: it puts a command, and the partner does what it says until it is told to end. The
/// other cells sleep in a barrier.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/comm_apps.hpp>

#include "comm/apps/collect.hpp"
#include "comm/apps/pingpong_board.hpp"

namespace kinjo::comm {

namespace {

using namespace detail;

constexpr std::uint64_t kFirstCount = 4;
constexpr std::uint64_t kMostCount = 1 << 20;
/// Round trips of the fastest batch after which an answer has surely arrived.
constexpr double kArrival = 2;

/// One thing to be measured.
struct Batch {
  PingDo what;
  std::size_t line;         ///< of the result
  std::size_t pong;         ///< the batch that goes back and forth by the same way
  double seconds_each = 0;  ///< in the fastest batch so far
};

class Leader {
 public:
  Leader(World& world, PingBoard& board, int partner, HandlerId first_handler,
         const PingpongOptions& options)
      : world_(world),
        board_(board),
        partner_(partner),
        play_(world, board, partner, first_handler),
        options_(options) {
    result_.path = world.path(partner);
    if (result_.path != Path::network) add(PingWay::by_hand, sizeof(std::uint64_t));
    for (const std::size_t bytes : options.sizes) {
      add(PingWay::put, bytes);
      if (bytes <= sizeof(std::uint64_t)) add(PingWay::put_short, bytes);
      for (const PingWay way : {PingWay::get, PingWay::am, PingWay::send, PingWay::copy}) {
        add(way, bytes);
      }
    }
  }

  PingpongResult run() {
    for (Batch& batch : batches_) batch.seconds_each = seconds(batch, kFirstCount);
    for (Batch& batch : batches_) measure(batch);
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      for (std::size_t i = 0; i < batches_.size(); ++i) {
        // Each round begins with another one, so that nobody always follows the same.
        Batch& batch = batches_[(i + round) % batches_.size()];
        note(batch, measure(batch));
      }
    }
    command({.what = PingDo::end});
    return std::move(result_);
  }

 private:
  void add(PingWay way, std::size_t bytes) {
    result_.lines.push_back({.way = way, .bytes = bytes});
    const std::size_t line = result_.lines.size() - 1;
    const std::size_t pong = batches_.size();
    if (way != PingWay::copy) batches_.push_back({PingDo::pong, line, pong});
    if (way != PingWay::by_hand && way != PingWay::put_short) {
      batches_.push_back({PingDo::stream, line, pong});
    }
    if (way != PingWay::by_hand && way != PingWay::copy) {
      batches_.push_back({PingDo::overhead, line, pong});
    }
  }

  std::uint64_t count_of(const Batch& batch) const {
    const double count = options_.batch_seconds / std::max(batch.seconds_each, 1e-9);
    return static_cast<std::uint64_t>(std::clamp(count, 1.0, static_cast<double>(kMostCount)));
  }

  PingCommand command(PingCommand order) {
    order.first = flags_;
    flags_ += std::max<std::uint64_t>(order.count, 1);
    static_assert(sizeof order <= kReusableBytes);
    world_.put_signal(partner_, board_.command(), &order, sizeof order,
                      {.flag = board_.command_flag(), .value = ++commands_});
    return order;
  }

  /// Whether the partner has to do something: a GET and a copy need it not, and requests are
  /// answered while it waits for the next command. A command that nobody needs to read would be
  /// overwritten by the next one before it is read.
  static bool needs_partner(PingDo what, PingWay way) {
    return way != PingWay::get && way != PingWay::copy &&
           !(way == PingWay::am && what != PingDo::stream);
  }

  /// Of one there and back, or of one in a stream.
  double seconds(const Batch& batch, std::uint64_t count) {
    const PingpongLine& line = result_.lines[batch.line];
    PingCommand order{batch.what, line.way, line.bytes, count, 0};
    if (needs_partner(batch.what, line.way)) order = command(order);
    const double begin = clock_seconds();
    if (batch.what == PingDo::pong) play_.pong(order);
    if (batch.what == PingDo::stream) play_.stream(order);
    if (batch.what == PingDo::overhead) {
      overhead_ = play_.overhead(order, kArrival * batches_[batch.pong].seconds_each);
    }
    return (clock_seconds() - begin) / static_cast<double>(count);
  }

  /// A batch of a length that the fastest one before it suggests, after as long a one that is not
  /// counted: meanwhile the data of the others, and what else runs on the machine, have displaced
  /// this one's from the caches, and the partner may sleep.
  double measure(Batch& batch) {
    const std::uint64_t count = count_of(batch);
    seconds(batch, count);
    const double each = seconds(batch, count);
    batch.seconds_each = std::min(batch.seconds_each, each);
    return each;
  }

  void note(const Batch& batch, double each) {
    PingpongLine& line = result_.lines[batch.line];
    if (batch.what == PingDo::stream) {
      line.bytes_per_second.push_back(static_cast<double>(line.bytes) / each);
    } else if (batch.what == PingDo::overhead) {
      line.send_overhead_seconds.push_back(overhead_.send_seconds);
      line.receive_overhead_seconds.push_back(overhead_.receive_seconds);
    } else {
      line.latency_seconds.push_back(each / (line.way == PingWay::get ? 1 : 2));
    }
  }

  World& world_;
  PingBoard& board_;
  int partner_;
  PingPong play_;
  const PingpongOptions& options_;
  PingpongResult result_;
  std::vector<Batch> batches_;
  PingOverhead overhead_;  ///< of the last batch of that kind
  std::uint64_t commands_ = 0, flags_ = 0;
};

void serve(World& world, PingBoard& board, HandlerId first_handler) {
  PingPong play(world, board, 0, first_handler);
  for (std::uint64_t number = 1;; ++number) {
    world.wait_flag(board.command_flag(), Until::equal, number);
    const auto order = *static_cast<const PingCommand*>(world.local(board.command()));
    if (order.what == PingDo::end) return;
    order.what == PingDo::stream ? play.take_stream(order) : play.answer(order);
  }
}

/// The partner's number, or an `Error`.
int partner_of(const World& world, const PingpongOptions& options) {
  if (world.cells() < 2) {
    throw Error(Errc::invalid_argument, "a ping-pong of 1 cell: expected at least 2");
  }
  const int partner = options.partner < 0 ? world.cells() - 1 : options.partner;
  if (partner == 0 || partner >= world.cells()) {
    throw Error(Errc::invalid_argument,
                fmt::format("cell {} as the partner of cell 0: expected 1 to {}", partner,
                            world.cells() - 1));
  }
  if (std::ranges::find(options.sizes, std::size_t{0}) != options.sizes.end()) {
    throw Error(Errc::invalid_argument, "a ping-pong of 0 bytes: expected at least 1");
  }
  return partner;
}

}  // namespace

HandlerId add_pingpong_handlers(WorldOptions& options) {
  const auto first = static_cast<HandlerId>(options.handlers.size());
  const auto echoed = static_cast<HandlerId>(first + static_cast<HandlerId>(PingHandler::echoed));
  const auto take = [](Message&) { ++messages_taken(); };
  options.handlers.push_back({"pingpong.echo", [echoed](Message& message) {
                                message.reply(echoed, message.data(), message.bytes());
                              }});
  options.handlers.push_back({"pingpong.echo_long", [echoed](Message& message) {
                                // To where it lies here: the same offset at the asker.
                                message.reply_long(echoed, message.data(), message.bytes(),
                                                   long_messages_at());
                              }});
  options.handlers.push_back({"pingpong.echoed", take});
  options.handlers.push_back({"pingpong.take", take});
  return first;
}

std::size_t pingpong_heap_bytes(const PingpongOptions& options) {
  std::size_t most = 64;
  for (const std::size_t bytes : options.sizes) most = std::max(most, bytes);
  return most + 64 + 256 + 3 * 4096;
}

PingpongResult pingpong(World& world, const PingpongOptions& options, HandlerId first_handler) {
  const int partner = partner_of(world, options);
  PingBoard board(world, options);
  messages_taken() = 0;
  long_messages_at() = board.data();
  PingpongResult result;
  world.barrier();
  if (world.cell() == 0) {
    result = Leader(world, board, partner, first_handler, options).run();
  } else if (world.cell() == partner) {
    serve(world, board, first_handler);
  }
  world.barrier();
  return result;
}

}  // namespace kinjo::comm
