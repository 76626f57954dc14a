/// The cells of one host and the memory that they share.
///
/// Memory, in this order:
///   board      one for all: a line for each member (who it is and how it is), the barrier
///   segments   one for each member, on its node: the rings by which others send to it, its heap
/// Threads have all of it from the allocator; processes map one memory file without a name, so
/// nothing is left when the last of them has gone, however it went.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <kinjo/comm.hpp>
#include <kinjo/memory.hpp>

#include "comm/fence.hpp"
#include "comm/ring.hpp"

namespace kinjo::comm::detail {

enum class State : std::uint32_t {
  absent,  ///< not yet there
  here,
  left,      ///< its world was destroyed in good order
  followed,  ///< the same, but after it had been told that another was lost
  failed,    ///< it has died, or an exception has ended it
};

/// A member's line on the board.
struct alignas(kLine) Member {
  std::atomic<State> state{State::absent};
  std::int32_t cell = 0;
  std::int32_t pid = 0;
  std::int32_t cpu = -1;  ///< −1: not pinned
  std::int32_t node = -1;
  std::uint64_t heap_bytes = 0;
  std::uint64_t handlers = 0;  ///< hash of their names
  std::int32_t because = -1;   ///< of one that has `followed`: the cell that was lost to it
  std::atomic<std::uint32_t> asleep{0};
  std::atomic<std::uint32_t> bell{0};   ///< a futex: how often it has been rung
  std::atomic<std::uint32_t> taken{0};  ///< by a program that has been started as this member
};
static_assert(sizeof(Member) == kLine);

/// Counts arrivals, by CPU where members share one, then by node, and releases all by one word.
struct BarrierWords {
  alignas(kLine) std::atomic<std::uint32_t> nodes_arrived{0};
  alignas(kLine) std::atomic<std::uint32_t> epoch{0};
};
struct alignas(kLine) GroupWord {
  std::atomic<std::uint32_t> arrived{0};
};

/// What a member finds when it arrives at a barrier.
enum class Arrival {
  early,
  last_of_cpu,  ///< all others on its CPU only wait for other CPUs
  last,
};

/// Who a member is, as it says itself.
struct Identity {
  int index = 0;  ///< among the members of the host
  int cell = 0;
  int cpu = -1;
  int node = -1;
};

/// Memory of one neighbourhood: allocated, or a mapping of a memory file.
class SharedMemory {
 public:
  /// For threads: `nodes[i]` is where member i's segment lies, −1 for anywhere.
  static std::shared_ptr<SharedMemory> allocate(const std::vector<int>& nodes,
                                                std::size_t heap_bytes);
  /// For processes: maps the board of a memory file for `members`. Throws `Error`, `bad_input`
  /// where the file is too short for it.
  static std::shared_ptr<SharedMemory> map_board(int file, int members);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Grows the file and maps the segments, with `mine` bound to `node`.
  void map_segments(std::size_t heap_bytes, int mine, int node);

  int members() const { return members_; }
  Member& member(int index) const { return reinterpret_cast<Member*>(board_)[index]; }
  /// Takes a member's line for this process; whether nobody had taken it before.
  bool take(int index) { return member(index).taken.exchange(1, std::memory_order_acq_rel) == 0; }
  /// Says of a member that it has failed, unless it has left.
  void note_failure(int index);
  BarrierWords& barrier() const;
  /// Words of the groups whose first member this is.
  GroupWord& node_word(int member) const { return group_words()[member]; }
  GroupWord& cpu_word(int member) const { return group_words()[members_ + member]; }
  std::byte* ring(int to, int from) const {
    return segments_[static_cast<std::size_t>(to)] + static_cast<std::size_t>(from) * Ring::kBytes;
  }
  std::byte* heap(int index) const { return segments_[static_cast<std::size_t>(index)] + rings_; }

 private:
  explicit SharedMemory(int members);
  void begin_board();
  GroupWord* group_words() const;
  std::size_t segment_bytes(std::size_t heap_bytes) const;

  int members_ = 0;
  std::size_t rings_ = 0;  ///< bytes of a segment before its heap
  std::byte* board_ = nullptr;
  std::vector<std::byte*> segments_;
  std::vector<Buffer> buffers_;  ///< of threads
  int file_ = -1;
  std::size_t board_mapped_ = 0;  ///< of processes
  std::byte* segments_mapping_ = nullptr;
  std::size_t segments_mapped_ = 0;
};

/// A new memory file with a board for `members`; close it when all have mapped it. Throws `Error`.
int create_memory_file(int members);

/// When patience will be at its end; for ever is long.
std::chrono::steady_clock::time_point patience_from_now(std::chrono::milliseconds patience);

/// One member's view of its host.
class Neighbourhood {
 public:
  Neighbourhood(std::shared_ptr<SharedMemory> memory, const Identity& me, Path path);
  /// Who has not said how it ends has failed: the others wait for it no longer.
  ~Neighbourhood();
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  /// Says on the board that this member is here, waits until all are, and compares what they ask
  /// for. Throws `CellLost`, `Error` (`invalid_argument`).
  void meet(const WorldOptions& options, std::uint64_t handlers,
            const std::vector<int>& cells_of_members);

  int size() const { return memory_->members(); }
  int index() const { return me_.index; }
  Path path() const { return path_; }
  SharedMemory& memory() const { return *memory_; }
  Member& member(int index) const { return memory_->member(index); }

  /// Whether another member runs on this one's CPU, so that spinning keeps it from working.
  bool shares_cpu() const { return shares_cpu_; }

  // Bells. Where members share CPUs, one that looks again and again takes time from those that have
  // work: such members sleep, and whoever changes something that they may wait for rings. It costs
  // a fence, so it is done in no other world.

  /// Call it after anything that a member may be waiting for.
  void ring(int index) {
    if (!bells_) return;
    full_fence();
    ring_if_asleep(member(index));
  }
  void ring_all();
  bool has_bells() const { return bells_; }
  /// Announces that this member is going to sleep; what it waits for it must look at once more
  /// before it does. Returns how often its bell has been rung.
  std::uint32_t lie_down();
  /// Sleeps until the bell has been rung more often, for at most `nanoseconds`.
  void sleep(std::uint32_t rung, std::int64_t nanoseconds);
  void get_up() { member(me_.index).asleep.store(0, std::memory_order_relaxed); }

  /// Arrives; the last of the host then calls `release_barrier`.
  Arrival arrive();
  std::uint32_t barrier_epoch() const {
    return memory_->barrier().epoch.load(std::memory_order_acquire);
  }
  void release_barrier();

 private:
  void count_groups();
  void count_cpus();
  static void ring_if_asleep(Member& member);

  std::shared_ptr<SharedMemory> memory_;
  Identity me_;
  Path path_;
  bool shares_cpu_ = false;
  bool bells_ = false;
  int leader_of_cpu_ = 0;   ///< the member whose word counts this CPU
  int leader_of_node_ = 0;  ///< the member whose word counts this node
  std::uint32_t on_cpu_ = 1;
  std::uint32_t groups_on_node_ = 1;  ///< CPUs, and members that are not pinned
  std::uint32_t nodes_ = 1;
};

}  // namespace kinjo::comm::detail
