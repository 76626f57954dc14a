/// Cells: one-sided communication by PUT, GET and active messages (S4).
///
/// A cell is a thread, a process, or a process on another machine. Every cell owns a symmetric
/// memory of the same size, and an offset into it means the same on every cell (S4 section 3: "the
/// same address"). A put writes there without the target's help and without a buffer on the way;
/// the target sees it by a flag, which rises only after the data is there.
///
/// What may be relied on:
/// - The source of a put of up to `kReusableBytes` may be changed when the call returns; that of a
///   longer one when its `Completion` is done, or after `quiet()`.
/// - A flag (8 bytes, aligned to 8) rises after all bytes of its own put are there. Puts have no
///   order among each other without a `fence()`.
/// - A flag that is set belongs to one sender at a time: two senders that set it overwrite each
///   other's count. `SignalOp::add` may be shared.
/// - The target must not read the range of a put before its flag, nor may the sender put there
///   again before the target has said that it is done with it: nothing on the way protects the data
///   (S4 section 5). No byte outside the range is ever touched, however it is aligned
///   (section 3.5).
/// - A handler may only reply, and only once, to the cell that sent the request.
/// - Waiting (`wait…`, `barrier`, `quiet`, `receive`, collectives) makes progress: it runs handlers
///   and answers other cells. So does `progress()`. Nothing else does, but between hosts a thread
///   of the library carries puts and gets on while the program computes.
/// - Wrong arguments are refused by an `Error` at the caller, before anything is sent. A cell that
///   has died, or that cannot be reached, is a `CellLost` in every call that waits for it; what is
///   put or sent to one of the same host that has left is dropped without a word.
///
/// A world belongs to one thread: that of its cell. Functions named collective are called by all
/// cells in the same order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <kinjo/detail/short_way.hpp>
#include <kinjo/error.hpp>

namespace kinjo::comm {

namespace detail {
struct WorldImpl;
}

/// Bytes from the start of a cell's symmetric memory.
using Offset = std::uint64_t;

using Timeout = std::chrono::nanoseconds;
/// Waits as long as all cells live.
inline constexpr Timeout kForever = Timeout::max();

/// Sources up to this size are copied before a put returns.
inline constexpr std::size_t kReusableBytes = 64;
/// The largest payload of an active message that brings its data along (`request`, `reply`).
inline constexpr std::size_t kMediumBytes = 4096;

/// A cell is gone: it died, its host cannot be reached, or it never started.
class CellLost : public Error {
 public:
  /// `cell` is the number of the cell that is gone.
  CellLost(int cell, const std::string& message) : Error(Errc::cell_lost, message), cell_(cell) {}
  int cell() const noexcept { return cell_; }

 private:
  int cell_;
};

/// `count` values of T in every cell's symmetric memory, at the same offset.
template <class T>
struct Symmetric {
  static_assert(std::is_trivially_copyable_v<T>);
  Offset offset = 0;
  std::size_t count = 0;
  /// Where element `index` lies, which is not checked.
  Offset at(std::size_t index) const { return offset + index * sizeof(T); }
};

enum class SignalOp : std::uint8_t {
  set,  ///< the flag becomes `value`
  add,  ///< the flag grows by `value` in one step, whoever else adds
};

/// What a put does at the target once its data is there.
struct Signal {
  Offset flag = 0;  ///< of a `std::uint64_t`, aligned to 8
  std::uint64_t value = 1;
  SignalOp op = SignalOp::set;
};

/// Where one of several puts of the same data goes.
struct Target {
  int cell = 0;
  Offset to = 0;
  Signal signal;
};

/// What a flag is waited for to be.
enum class Until { equal, not_equal, at_least };
namespace detail {
inline bool holds(std::uint64_t value, Until until, std::uint64_t wanted) noexcept {
  if (until == Until::equal) return value == wanted;
  return until == Until::not_equal ? value != wanted : value >= wanted;
}
}  // namespace detail

/// Counts puts or gets that have not completed at the caller. It must outlive them, and may be used
/// for any number of them at a time. Wait for it with `World::wait`.
class Completion {
 public:
  Completion() = default;
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  /// Whether the sources of all puts may be changed, and the targets of all gets be read. Makes no
  /// progress.
  bool done() const noexcept { return pending_.load(std::memory_order_acquire) == 0; }

  /// For transports: one more operation, and one that has completed.
  void begin() noexcept { pending_.fetch_add(1, std::memory_order_relaxed); }
  void end() noexcept { pending_.fetch_sub(1, std::memory_order_release); }

 private:
  std::atomic<std::uint64_t> pending_{0};
};

/// `rows` pieces of `row_bytes`, whose starts lie `stride` bytes apart (a column, a halo).
struct Rows {
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  std::size_t stride = 0;
};

/// The place of a handler in `WorldOptions::handlers`.
using HandlerId = std::uint16_t;

/// An active message, as its handler sees it; valid until the handler returns.
class Message {
 public:
  /// The cell that sent it.
  int from() const noexcept { return from_; }
  /// The payload: for a long message in this cell's symmetric memory, where it stays.
  const void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  template <class T>
  T as() const;

  /// Answers with another message of at most `kMediumBytes`; at most one answer for each request,
  /// none to a reply. Throws `Error` (`usage`, `invalid_argument`).
  void reply(HandlerId handler, const void* data, std::size_t bytes);
  /// Answers with data that goes to `to` in the asker's symmetric memory before the handler runs
  /// there. The data may be changed once this returns.
  void reply_long(HandlerId handler, const void* data, std::size_t bytes, Offset to);

 private:
  friend struct detail::WorldImpl;
  int from_ = 0;
  const void* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool may_reply_ = false;
  detail::WorldImpl* impl_ = nullptr;
};

/// A function that a message names. It runs in the target's own thread while that makes progress.
/// What it throws comes out of the call that made progress.
struct Handler {
  std::string name;
  std::function<void(Message&)> call;
};

/// What cells agree on: `heap_bytes` and the handlers' names must be the same on every cell, which
/// is compared at the start (the names by a hash).
struct WorldOptions {
  /// Bytes of symmetric memory that each cell can allocate from.
  std::size_t heap_bytes = std::size_t{64} << 20;
  std::vector<Handler> handlers;
  /// After this time without a sign of life a cell on another host counts as lost; at the start,
  /// one that has not come.
  std::chrono::milliseconds patience{10'000};
};

/// By what two cells reach each other.
enum class Path {
  self,     ///< the same cell
  threads,  ///< one process
  shared,   ///< memory that two processes of one host share
  network,  ///< UCX
};
const char* to_string(Path path) noexcept;

/// So many cells tell all others at most, where the number of messages would otherwise limit them.
inline constexpr int kTellAllCells = 32;

/// How `all_reduce` joins the values of all cells, element by element.
enum class ReduceOp { sum, min, max };

/// Any sender, or any tag, of a `receive`.
inline constexpr int kAny = -1;

/// What `receive` has received.
struct Received {
  int from = 0;
  int tag = 0;
  std::size_t bytes = 0;
};

/// A stretch of time that a cell spent waiting.
struct Wait {
  /// What was waited for.
  enum class For { flag, completion, barrier, message } what = For::flag;
  std::int64_t begin_ns = 0;  ///< since the world's `start_trace`
  std::int64_t end_ns = 0;
};

/// One cell's view of all cells.
class World {
 public:
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  /// Leaves the world. Not collective; what other cells still wait for from this one they get a
  /// `CellLost` for, so end with a `barrier()`.
  ~World();

  /// This cell's number, how many cells there are, and how another one is reached.
  int cell() const noexcept;
  int cells() const noexcept;
  Path path(int cell) const;

  // Symmetric memory.

  /// Collective. `bytes` (zeroed) at the same offset on every cell. `alignment`: a power of two, at
  /// most 4096. Throws `Error` (`out_of_memory`) where `heap_bytes` are spent, `invalid_argument`.
  /// Makes progress.
  Offset allocate(std::size_t bytes, std::size_t alignment = 64, Timeout timeout = kForever);
  template <class T>
  Symmetric<T> allocate_array(std::size_t count) {
    return {allocate(bytes_of<T>(count)), count};
  }
  /// Collective. Gives back what has been allocated at `from` and after it; waits for all cells.
  /// Makes progress.
  void release(Offset from, Timeout timeout = kForever);
  /// This cell's own memory at `offset`. No progress, nor by `ptr`. Throws `Error`
  /// (`invalid_argument`) outside the heap.
  void* local(Offset offset) const;
  template <class T>
  std::span<T> local(const Symmetric<T>& array) const {
    check_range(cell(), array.offset, bytes_of<T>(array.count));
    return {static_cast<T*>(local(array.offset)), array.count};
  }
  /// Another cell's memory for direct loads and stores; null where it cannot be reached so.
  void* ptr(int cell, Offset offset) const;

  // PUT. All may be called at any time but from a handler, and none makes progress. Between hosts
  // what has to wait for room on its way keeps what comes meanwhile for later; where `timeout` has
  // passed before there is room, `Error` (`timed_out`) is thrown and nothing has begun.

  /// Copies `bytes` to `to` in `cell`'s memory. `local` is raised when the source may be changed.
  void put(int cell, Offset to, const void* from, std::size_t bytes, Completion* local = nullptr,
           Timeout timeout = kForever);
  /// The same, and then raises `signal` at the target.
  void put_signal(int cell, Offset to, const void* from, std::size_t bytes, const Signal& signal,
                  Completion* local = nullptr, Timeout timeout = kForever);
  /// The same to every target, in any order; a cell may be named more than once, and may be this
  /// one. Ranges of targets must not overlap each other nor the source. Each flag rises after all
  /// bytes of its own target are there, and says nothing of others'. Where long blocks go to cells
  /// that share memory and lie alike in their cache lines, the source is read once for all of them:
  /// each costs less than a put of its own, but none has arrived before all have. `local` is raised
  /// when the source may be changed, which is needed by all. Without a byte only the flags rise;
  /// without a target nothing happens. Wrong arguments of one are refused before anything has been
  /// put to any. Where the time is over some have been put to, and others not.
  void put_signal_to_all(std::span<const Target> targets, const void* from, std::size_t bytes,
                         Completion* local = nullptr, Timeout timeout = kForever);
  /// S4's short form: the lowest `bytes` (1 to 8) of `value`. Where data and flag lie in one cache
  /// line, that line is all that travels.
  void put_short(int cell, Offset to, std::uint64_t value, std::size_t bytes, const Signal& signal,
                 Timeout timeout = kForever);
  /// Raises a flag alone.
  void signal(int cell, const Signal& signal, Timeout timeout = kForever);
  /// `shape.rows` rows from `from` (whose rows lie `from_stride` bytes apart) to rows
  /// `shape.stride` apart at `to`. Throws `invalid_argument` also where rows would overlap.
  void put_rows(int cell, Offset to, const Rows& shape, const void* from, std::size_t from_stride,
                const Signal* signal = nullptr, Completion* local = nullptr,
                Timeout timeout = kForever);

  // GET. None makes progress; they wait for room to ask as a put does.

  /// Copies `bytes` from `from` in `cell`'s memory to `to`; `done` is raised when they are there.
  void get(int cell, void* to, Offset from, std::size_t bytes, Completion& done,
           Timeout timeout = kForever);
  void get_rows(int cell, void* to, std::size_t to_stride, Offset from, const Rows& shape,
                Completion& done, Timeout timeout = kForever);

  // Order and completion. What waits makes progress; `fence` and `flag` do not.

  /// Puts to a cell from before arrive there before those from after.
  void fence();
  /// Returns when all puts of this cell are complete at their targets, signals raised.
  void quiet(Timeout timeout = kForever);

  /// Waits for a flag in this cell's memory and returns its value. All waits throw `Error`
  /// (`timed_out`) when `timeout` has passed, and `CellLost` when a cell is gone.
  std::uint64_t wait_flag(Offset flag, Until until, std::uint64_t value,
                          Timeout timeout = kForever);
  void wait(const Completion& completion, Timeout timeout = kForever);
  /// Waits until `ready()`, which reads this cell's memory; it is called often.
  void wait_until(const std::function<bool()>& ready, Timeout timeout = kForever);
  /// The flag as it is now, with the order that reading data after it needs. No progress.
  std::uint64_t flag(Offset flag) const;

  /// Runs handlers of messages that are here and answers requests of other cells.
  void progress();

  // Active messages. Sending makes no progress, but waits where the way to the target is full, and
  // keeps what comes meanwhile. Where `timeout` has passed before there was room, no handler runs.

  /// Runs `handler` on `cell` with a copy of the data (at most `kMediumBytes`).
  void request(int cell, HandlerId handler, const void* data, std::size_t bytes,
               Timeout timeout = kForever);
  /// Puts the data to `to` in `cell`'s memory, then runs `handler` there.
  void request_long(int cell, HandlerId handler, const void* data, std::size_t bytes, Offset to,
                    Completion* local = nullptr, Timeout timeout = kForever);

  // Collective; all make progress. Where one's time is over some cells may have done their part and
  // others not: no other collective function may follow.

  /// Returns when all cells have called it and all puts from before are complete.
  void barrier(Timeout timeout = kForever);
  /// `root`'s bytes at `at` reach the same offset of every cell; none returns before its own are
  /// there, nor begins before all cells have called.
  void broadcast(int root, Offset at, std::size_t bytes, Timeout timeout = kForever);
  /// Combines `values` over all cells, element by element: the same bits on every cell and at every
  /// run with as many cells. Up to `kTellAllCells` cells combine in the order of cells, each having
  /// told all others; more by halves, in ⌈log2 P⌉ rounds (one or two more where P is no power of
  /// two).
  void all_reduce(std::span<double> values, ReduceOp op, Timeout timeout = kForever);
  double all_reduce(double value, ReduceOp op, Timeout timeout = kForever) {
    all_reduce({&value, 1}, op, timeout);
    return value;
  }

  // Two-sided, through a receive buffer: what S4 compares PUT with.

  /// Returns when the data has been copied; the receiver keeps it in its receive buffer until it is
  /// asked for. Messages from one cell with one tag are received in the order in which they left.
  /// Makes no progress, and waits as a request does; on one host what has left before `timeout` had
  /// passed never becomes a whole message, so nothing may be sent there any more.
  void send(int cell, int tag, const void* data, std::size_t bytes, Timeout timeout = kForever);
  /// Makes progress. Copies the oldest matching message out of the receive buffer. `from` and `tag`
  /// may be `kAny`. Throws `Error` (`invalid_argument`), and keeps the message, where it exceeds
  /// `capacity`.
  Received receive(int from, int tag, void* data, std::size_t capacity, Timeout timeout = kForever);

  // Time lost.

  /// Seconds that this cell has waited in calls that wait.
  double waited_seconds() const noexcept;
  /// From here on each wait is noted (those of a microsecond and more), for a picture.
  void start_trace();
  /// The waits since then.
  std::vector<Wait> trace() const;

  /// For `run_threads`, `run_processes` and `join`.
  explicit World(std::unique_ptr<detail::WorldImpl> impl);

 private:
  /// Of so many values; for more than there can be, more than there are.
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t count) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    return count <= kAll / sizeof(T) ? count * sizeof(T) : kAll;
  }
  void check_range(int cell, Offset offset, std::size_t bytes) const;
  bool put_word(int cell, Offset to, const void* from, const Signal& signal);
  // Signals by value: what a function in another file is given the address of, the compiler keeps
  // in memory on the short way as well.
  void put_any(int cell, Offset to, const void* from, std::size_t bytes, Signal signal,
               Completion* local, Timeout timeout);
  void put_any_short(int cell, Offset to, std::uint64_t value, std::size_t bytes, Signal signal,
                     Timeout timeout);
  std::uint64_t keep_waiting_for_flag(Offset flag, Until until, std::uint64_t value,
                                      Timeout timeout);

  std::unique_ptr<detail::WorldImpl> impl_;
  // Of `impl_`. Where a put goes is known after as few loads as can be.
  const detail::ShortWay* short_way_;
  std::byte* const* bases_;  ///< where each cell's memory begins; null where it is not shared
};

/// 8 bytes and their flag at a cell of this host, where nothing is wrong with the arguments. False,
/// and nothing done, for all else.
inline bool World::put_word(int cell, Offset to, const void* from, const Signal& signal) {
  const detail::ShortWay& way = *short_way_;
  if (!way.reaches_cell(cell) || !way.reaches(to) || !way.reaches_flag(signal.flag)) [[unlikely]] {
    return false;
  }
  std::byte* const there = bases_[cell];
  if (there == nullptr) return false;
  __builtin_memcpy(there + to, from, sizeof(std::uint64_t));
  const std::atomic_ref<std::uint64_t> flag = detail::flag_at(there + signal.flag);
  if (signal.op == SignalOp::set) {
    flag.store(signal.value, std::memory_order_release);
  } else {
    flag.fetch_add(signal.value, std::memory_order_acq_rel);
  }
  return true;
}

inline void World::put_signal(int cell, Offset to, const void* from, std::size_t bytes,
                              const Signal& signal, Completion* local, Timeout timeout) {
  if (bytes == sizeof(std::uint64_t) && put_word(cell, to, from, signal)) return;
  put_any(cell, to, from, bytes, signal, local, timeout);
}

inline void World::put_short(int cell, Offset to, std::uint64_t value, std::size_t bytes,
                             const Signal& signal, Timeout timeout) {
  if (bytes == sizeof(value) && put_word(cell, to, &value, signal)) return;
  put_any_short(cell, to, value, bytes, signal, timeout);
}

inline std::uint64_t World::wait_flag(Offset flag, Until until, std::uint64_t value,
                                      Timeout timeout) {
  if (short_way_->reaches_flag(flag)) [[likely]] {
    const std::atomic_ref<std::uint64_t> here = detail::flag_at(short_way_->own + flag);
    for (int looks = short_way_->looks; looks > 0; --looks) {
      const std::uint64_t now = here.load(std::memory_order_acquire);
      if (detail::holds(now, until, value)) return now;
    }
  }
  return keep_waiting_for_flag(flag, until, value, timeout);
}

template <class T>
T Message::as() const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (bytes_ != sizeof(T)) {
    throw Error(Errc::invalid_argument, "a message of " + std::to_string(bytes_) +
                                            " bytes was read as a value of " +
                                            std::to_string(sizeof(T)));
  }
  T value;
  __builtin_memcpy(&value, data_, sizeof(T));
  return value;
}

}  // namespace kinjo::comm
