/// What a world is made of: the neighbourhood whose memory it reaches by loads and stores, and the
/// cells of other hosts behind `Remote`.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include <kinjo/comm.hpp>

#include "comm/deadline.hpp"
#include "comm/exchange.hpp"
#include "comm/mailbox.hpp"
#include "comm/neighbourhood.hpp"
#include "comm/receive_buffer.hpp"
#include "comm/remote.hpp"
#include "comm/reserve.hpp"
#include "comm/watch.hpp"

namespace kinjo::comm::detail {

/// Which cells there are and where.
struct Cells {
  int cell = 0;
  int count = 1;
  std::vector<int> members;  ///< the cells of this host, by member
  std::vector<int> leaders;  ///< of every host its first cell, in the order of hosts
  int host = 0;              ///< this host's place in `leaders`
};

/// A hash of the handlers' names and their order (FNV-1a).
std::uint64_t hash_of(const std::vector<Handler>& handlers);

/// Whom a wait needs: where it needs all cells, one that has left in good order is missing too.
enum class Needs { some, all };

struct WorldImpl final : Inbox {
  /// Meets the other members of the host. `remote` may follow.
  WorldImpl(Cells cells, std::shared_ptr<SharedMemory> memory, const Identity& me, Path path,
            const WorldOptions& options);
  ~WorldImpl() override;

  // Inbox
  void message(int from, HandlerId handler, bool is_reply, const void* data,
               std::size_t bytes) override;
  void piece(int from, int tag, std::uint64_t total, std::uint64_t position, const void* data,
             std::size_t bytes) override {
    receive_buffer.piece(from, tag, total, position, data, bytes);
  }

  // Arguments; each throws one line.
  void check_caller(const char* function) const {
    if (in_handler) [[unlikely]] {
      refuse_caller(function);
    }
  }
  void check_cell(int cell) const;
  void check_range(int cell, Offset offset, std::size_t bytes) const {
    if (!reaches(cell, offset, bytes)) [[unlikely]] {
      refuse_range(cell, offset, bytes);
    }
  }
  void check_signal(int cell, const Signal& signal) const {
    check_range(cell, signal.flag, sizeof(std::uint64_t));
    if (signal.flag % sizeof(std::uint64_t) != 0) [[unlikely]] {
      refuse_flag(signal.flag);
    }
  }
  void check_handler(HandlerId handler) const;
  void check_rows(int cell, Offset at, const Rows& shape, std::size_t own_stride) const;

  bool reaches(int cell, Offset offset, std::size_t bytes) const {
    return static_cast<unsigned>(cell) < static_cast<unsigned>(cells.count) && offset >= first &&
           offset <= allocated && bytes <= allocated - offset;
  }
  [[noreturn]] static void refuse_caller(const char* function);
  [[noreturn]] void refuse_range(int cell, Offset offset, std::size_t bytes) const;
  [[noreturn]] static void refuse_flag(Offset flag);
  void check_short(int cell, Offset to, std::size_t bytes, const Signal& signal) const;

  /// What may be done without a look at anything else: to be called when that changes.
  void open_short_way();

  // Operations on arguments that are known to be right.
  std::byte* base(int cell) const { return bases[static_cast<std::size_t>(cell)]; }
  std::byte* own() const { return base(cells.cell); }
  std::atomic_ref<std::uint64_t> own_flag(Offset flag) const {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(own() + flag));
  }
  std::uint64_t load_flag(Offset flag) const {
    return own_flag(flag).load(std::memory_order_acquire);
  }
  void put(int cell, Offset to, const void* from, std::size_t bytes, const Signal* signal,
           Completion* local, const Deadline& deadline);
  void put_to_all(std::span<const Target> targets, const void* from, std::size_t bytes,
                  Completion* local, const Deadline& deadline);
  void raise(int cell, const Signal& signal, const Deadline& deadline) {
    std::byte* const there = base(cell);
    if (there == nullptr) return remote->put(cell, first, nullptr, 0, &signal, nullptr, deadline);
    raise_here(cell, there, signal);
  }
  /// The same at a cell of this host, whose memory begins at `there`.
  void raise_here(int cell, std::byte* there, const Signal& signal) {
    const std::atomic_ref<std::uint64_t> flag(
        *reinterpret_cast<std::uint64_t*>(there + signal.flag));
    if (signal.op == SignalOp::set) {
      flag.store(signal.value, std::memory_order_release);
    } else {
      flag.fetch_add(signal.value, std::memory_order_acq_rel);
    }
    if (neighbourhood.has_bells()) neighbourhood.ring(member_of[static_cast<std::size_t>(cell)]);
  }
  void send_message(int cell, const Outgoing& message, Completion* local, const Deadline& deadline);
  void send_pieces(int cell, int tag, const std::byte* data, std::size_t bytes,
                   const Deadline& deadline);
  void reply(Message& request, const Outgoing& message);

  /// Runs handlers and carries on what is on its way; whether anything had come.
  bool progress();
  /// Writes to a ring of this host, waiting for room.
  void write_ring(int cell, Kind kind, HandlerId handler, const void* head, std::size_t head_bytes,
                  const void* data, std::size_t data_bytes, const Deadline& deadline);

  void barrier(const Deadline& deadline);
  void quiet(const Deadline& deadline);
  void all_reduce(std::span<double> values, ReduceOp op, const Deadline& deadline);

  /// Throws `CellLost` for a cell that is gone.
  void check_lost(Needs needs);
  /// The cell because of which a member has left that has followed: none that has followed itself.
  int reason_of(int follower) const;
  /// Whether a cell of this host is not there any more, whatever has ended it.
  bool has_ended(int cell) const;
  [[noreturn]] void throw_lost(int cell, const std::string& reason);
  [[noreturn]] void throw_left(int cell);

  ShortWay short_way;
  Cells cells;
  std::size_t heap_bytes = 0;  ///< with the reserve
  Offset first = 0;            ///< behind the reserve
  Offset allocated = 0;
  Offset touched = 0;             ///< the most that has been allocated at any time
  std::vector<std::byte*> bases;  ///< by cell; null where memory is not shared
  std::vector<int> member_of;     ///< by cell; −1 on another host
  Neighbourhood neighbourhood;
  std::unique_ptr<Watch> watch;
  std::unique_ptr<Mailbox> mailbox;
  ReceiveBuffer receive_buffer;
  Reserve reserve;
  std::size_t stream_from = 0;  ///< see `copy_block`
  std::vector<Handler> handlers;
  std::shared_ptr<Exchange> exchange;  ///< null where nobody else started this process
  std::unique_ptr<Remote> remote;

  bool in_handler = false;
  int lost_cell = -1;  ///< which is gone, as this cell's program has been told; −1: none
  std::uint64_t barriers = 0;
  std::uint64_t reductions = 0;
  std::uint64_t broadcasts = 0;
  Completion broadcast_sent;  ///< outlives a broadcast whose time is over
  std::int64_t waited_ns = 0;
  std::int64_t trace_begin_ns = -1;
  std::vector<Wait> waits;
  std::uint64_t progress_calls = 0;
  int exceptions = 0;  ///< in flight when the world was made
};

}  // namespace kinjo::comm::detail
