// The engine under its lock, and the thread that shares it.
#include "comm/remote.hpp"

#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "comm/ucx/carrier.hpp"
#include "comm/ucx/connect.hpp"
#include "comm/ucx/engine.hpp"

namespace kinjo::comm::detail {

namespace {

/// A put's target, or what a get reads.
Region region(Offset at, const Rows& shape) {
  return {at, shape.rows, shape.row_bytes, shape.stride};
}

/// The cell's own side of `rows`. One row, or rows without gaps, are one stretch.
Strided rows(const void* base, const Rows& shape, std::size_t stride) {
  const bool is_one = shape.rows <= 1 || stride == shape.row_bytes;
  return {static_cast<std::byte*>(const_cast<void*>(base)), shape.row_bytes,
          is_one ? shape.row_bytes : stride};
}

Rows one_row(std::size_t bytes) { return {1, bytes, bytes}; }

class UcxRemote final : public Remote {
 public:
  explicit UcxRemote(const RemoteSetup& setup)
      : cell_(setup.cell),
        engine_(setup),
        carrier_(std::in_place, engine_, mutex_, beat_of(setup.patience)) {}

  ~UcxRemote() override {
    carrier_.reset();
    const bool is_failing = std::uncaught_exceptions() > exceptions_;
    engine_.leave(is_failing ? Engine::Manner::by_failure : Engine::Manner::in_order);
  }

  void put(int cell, Offset to, const void* from, std::size_t bytes, const Signal* signal,
           Completion* local, const Deadline& deadline) override {
    put_rows(cell, to, one_row(bytes), from, bytes, signal, local, deadline);
  }

  void put_rows(int cell, Offset to, const Rows& shape, const void* from, std::size_t from_stride,
                const Signal* signal, Completion* local, const Deadline& deadline) override {
    std::unique_lock lock(mutex_);
    await_room(cell, lock, "a put", deadline);
    engine_.put(cell, region(to, shape), rows(from, shape, from_stride), signal, local);
  }

  void get(int cell, void* to, Offset from, std::size_t bytes, Completion& done,
           const Deadline& deadline) override {
    get_rows(cell, to, bytes, from, one_row(bytes), done, deadline);
  }

  void get_rows(int cell, void* to, std::size_t to_stride, Offset from, const Rows& shape,
                Completion& done, const Deadline& deadline) override {
    std::unique_lock lock(mutex_);
    await_room(cell, lock, "a get", deadline);
    engine_.get(cell, rows(to, shape, to_stride), region(from, shape), done);
  }

  void request(int cell, const Outgoing& message, Completion* local,
               const Deadline& deadline) override {
    std::unique_lock lock(mutex_);
    if (!message.is_reply) await_room(cell, lock, "a message", deadline);
    engine_.request(cell, message, local);
  }

  void send(int cell, int tag, const void* data, std::size_t bytes,
            const Deadline& deadline) override {
    std::unique_lock lock(mutex_);
    await_room(cell, lock, "a message", deadline);
    engine_.send(cell, tag, data, bytes);
  }

  void fence() override {
    const std::lock_guard lock(mutex_);
    engine_.fence();
  }
  void begin_quiet() override {
    const std::lock_guard lock(mutex_);
    engine_.begin_quiet();
  }
  bool settled() override {
    const std::lock_guard lock(mutex_);
    return engine_.settled();
  }

  void progress(Inbox& inbox) override {
    carrier_->note_look();
    {
      const std::lock_guard lock(mutex_);
      engine_.turn();
      if (!engine_.mail().is_empty()) engine_.mail().move_to(bag_);
    }
    bag_.deliver(inbox);
  }

  // Every look is noted, so there is nothing to be said before and after.
  void begin_polling() override { carrier_->note_look(); }
  void end_polling() override {}

  void doze(std::int64_t nanoseconds) override {
    carrier_->note_look();
    {
      const std::lock_guard lock(mutex_);
      if (engine_.turn() || !engine_.arm()) return;
    }
    engine_.sleep(std::chrono::nanoseconds(nanoseconds));
    carrier_->note_look();
  }

  void note_loss(int cell, const std::string& reason) override {
    const std::lock_guard lock(mutex_);
    engine_.lose(cell, reason);
  }
  int lost(std::string* reason) override {
    const std::lock_guard lock(mutex_);
    return engine_.lost(reason);
  }
  int left() override {
    const std::lock_guard lock(mutex_);
    return engine_.left();
  }

 private:
  /// Often enough for heartbeats to be noticed in time.
  static std::chrono::milliseconds beat_of(std::chrono::milliseconds patience) {
    return std::max(std::chrono::milliseconds(1), patience / 40);
  }

  void await_room(int cell, std::unique_lock<CellFirst>& lock, const char* what,
                  const Deadline& deadline) {
    if (!engine_.has_room(cell)) make_room(cell, lock, what, deadline);
  }

  /// Makes progress until there is room; a cell that is gone has any. However much moves, the
  /// carrier gets its turn for heartbeats.
  [[gnu::noinline]] void make_room(int cell, std::unique_lock<CellFirst>& lock, const char* what,
                                   const Deadline& deadline) {
    constexpr int kTurns = 256;
    for (int turns = 1; !engine_.has_room(cell); ++turns) {
      carrier_->note_look();
      if (engine_.turn() && turns % kTurns != 0) continue;
      if (deadline.is_over(now_ns())) {
        throw_timed_out(cell_, deadline, fmt::format("room for {} to cell {}", what, cell));
      }
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      lock.lock();
    }
  }

  const int exceptions_ = std::uncaught_exceptions();  ///< in flight when it was made
  const int cell_;
  CellFirst mutex_;
  Engine engine_;
  Mail::Bag bag_;  ///< of the cell's own thread
  std::optional<Carrier> carrier_;
};

}  // namespace

std::unique_ptr<Remote> connect_remote(const RemoteSetup& setup) {
  RemoteSetup bounded = setup;
  bounded.patience = std::min(setup.patience, kLongestPatience);
  return std::make_unique<UcxRemote>(bounded);
}

}  // namespace kinjo::comm::detail
