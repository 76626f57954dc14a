/// Puts of random sizes and alignments, all of whose bytes are checked by their receivers.
///
///   comm_stress threads|processes|join PUTS [CELLS [SEED]]
///
/// Every cell puts to cells drawn by chance, and checks what comes meanwhile. Each ordered pair of
/// cells has a window of slots; both ends know from the seed, the pair and the number of a put what
/// it is: its kind, its size, where in its slot it goes, and where in a pool of random bytes its
/// data are. The receiver compares every byte, looks at the bytes around that it had marked, and
/// gives the slot back. `join` is for programs started by `mpirun`, `srun` or `kinjo cells launch`.
/// Exit status 1, and a line, for the first byte that is wrong.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <kinjo/comm.hpp>
#include <kinjo/comm_start.hpp>

namespace {

using namespace kinjo::comm;

constexpr std::size_t kWindow = 16;
constexpr std::size_t kMost = 8192;
constexpr std::size_t kGuard = 16;
constexpr std::size_t kSlot = kGuard + 64 + 2 * kMost + kGuard;
constexpr std::size_t kPool = std::size_t{1} << 20;
constexpr std::uint8_t kMark = 0xa5;

/// Steele, Lea, Flood 2014: splitmix64.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

enum class Kind { signalled, fenced, brief, message, rows };

/// What put `number` of a pair is.
struct Put {
  Kind kind = Kind::signalled;
  std::size_t bytes = 0;  ///< in all
  std::size_t shift = 0;  ///< from the slot's first guard on
  std::size_t from = 0;   ///< in the pool
  std::size_t rows = 1;
  std::size_t row_bytes() const { return bytes / rows; }
  /// Rows lie twice their length apart.
  std::size_t stride() const { return 2 * row_bytes(); }
  std::size_t extent() const { return (rows - 1) * stride() + row_bytes(); }
};

class Plan {
 public:
  explicit Plan(std::uint64_t seed) : seed_(seed), pool_(kPool) {
    for (std::size_t i = 0; i < kPool; ++i) pool_[i] = static_cast<std::uint8_t>(mix(seed + i));
  }
  Put put(int from, int to, std::uint64_t number) const {
    const std::uint64_t a =
        mix(seed_ ^ mix(static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to)) ^
            number * 0x2545f4914f6cdd1du);
    const std::uint64_t b = mix(a);
    Put p;
    // As many sizes of 1 to 2 as of 2 to 4, and so on up to 8 KiB.
    p.bytes = 1 + (b & 0xffff) % (std::size_t{1} << (a >> 8) % 14);
    p.shift = a >> 16 & 63;
    p.from = (b >> 16) % (kPool - kMost);
    const std::uint64_t kind = a >> 32 & 15;
    if (kind == 15) {
      p.kind = Kind::rows;
      p.rows = 1 + (a >> 40) % 7;
      p.bytes = std::max<std::size_t>(1, p.bytes / p.rows) * p.rows;
    } else if (kind == 14) {
      p.kind = Kind::message;
    } else if (kind >= 11) {
      p.kind = Kind::brief;
      p.bytes = 1 + p.bytes % 8;
    } else if (kind == 10) {
      p.kind = Kind::fenced;
    }
    return p;
  }
  const std::uint8_t* data(const Put& p) const { return pool_.data() + p.from; }

 private:
  std::uint64_t seed_;
  std::vector<std::uint8_t> pool_;
};

/// One cell's part. A flag holds 1 + the number of the put that raised it.
class Stress {
 public:
  Stress(World& world, const Plan& plan, std::uint64_t puts)
      : world_(world),
        plan_(plan),
        puts_(puts),
        cells_(static_cast<std::size_t>(world.cells())),
        slots_(world.allocate_array<std::uint8_t>(cells_ * kWindow * kSlot)),
        flags_(world.allocate_array<std::uint64_t>(cells_ * kWindow)),
        accepted_(world.allocate_array<std::uint64_t>(cells_)),
        ends_(world.allocate_array<std::uint64_t>(cells_)),
        sent_(cells_),
        checked_(cells_) {
    for (std::size_t from = 0; from < cells_; ++from) {
      for (std::uint64_t n = 0; n < kWindow; ++n) mark(static_cast<int>(from), n);
    }
    current = this;
    world.barrier();
  }
  ~Stress() { current = nullptr; }

  void run() {
    std::uint64_t chance = mix(static_cast<std::uint64_t>(world_.cell()) + 77);
    for (std::uint64_t i = 0; i < puts_; ++i) {
      chance = mix(chance);
      const auto to = static_cast<std::size_t>(chance % cells_);
      const auto room = [&] { return world_.flag(accepted_.at(to)) + kWindow > sent_[to]; };
      while (!room()) {
        world_.wait_until([&] { return room() || something_came(); }, std::chrono::minutes(2));
        check_all();
      }
      send(static_cast<int>(to), sent_[to]++);
      check_all();
      if (i % 64 == 0) world_.progress();
    }
    world_.wait(completion_);
    for (std::size_t to = 0; to < cells_; ++to) {
      world_.signal(static_cast<int>(to), {.flag = ends_.at(me()), .value = sent_[to] + 1});
    }
    while (!finished()) {
      world_.wait_until([&] { return something_came() || finished(); }, std::chrono::minutes(2));
      check_all();
    }
    world_.barrier();
  }
  std::uint64_t bytes() const { return bytes_; }

  /// Of the handler: the data of a long message lie in their slot.
  static void arrived(Message& m) {
    Stress& self = *current;
    const auto* base = static_cast<const std::uint8_t*>(self.world_.local(self.slots_.offset));
    const auto slot =
        static_cast<std::size_t>(static_cast<const std::uint8_t*>(m.data()) - base) / kSlot;
    const auto from = static_cast<std::size_t>(m.from());
    self.raise_here(slot, self.checked_[from] + (slot + kWindow - self.checked_[from]) % kWindow);
  }

 private:
  std::size_t me() const { return static_cast<std::size_t>(world_.cell()); }
  static std::size_t slot(std::size_t from, std::uint64_t number) {
    return from * kWindow + number % kWindow;
  }
  Offset place(std::size_t from, std::uint64_t number, const Put& p) const {
    return slots_.at(slot(from, number) * kSlot + kGuard + p.shift);
  }
  void raise_here(std::size_t slot, std::uint64_t number) {
    const std::atomic_ref<std::uint64_t> flag(world_.local(flags_)[slot]);
    flag.store(number + 1, std::memory_order_release);
  }
  std::uint8_t* range(int from, std::uint64_t number, const Put& p) {
    return static_cast<std::uint8_t*>(
        world_.local(place(static_cast<std::size_t>(from), number, p)));
  }

  void send(int to, std::uint64_t number) {
    const Put p = plan_.put(world_.cell(), to, number);
    const Offset at = place(me(), number, p);
    const Signal flag{.flag = flags_.at(slot(me(), number)), .value = number + 1};
    const std::uint8_t* data = plan_.data(p);
    // Short sources are overwritten as soon as the call has returned.
    std::uint8_t copy[kReusableBytes];
    const bool is_short = p.bytes <= kReusableBytes;
    if (is_short) std::memcpy(copy, data, p.bytes);
    const void* source = is_short ? copy : data;
    switch (p.kind) {
      case Kind::signalled:
        world_.put_signal(to, at, source, p.bytes, flag, &completion_);
        break;
      case Kind::fenced:
        world_.put(to, at, source, p.bytes, &completion_);
        world_.fence();
        world_.signal(to, flag);
        break;
      case Kind::brief: {
        std::uint64_t value = 0;
        std::memcpy(&value, data, p.bytes);
        world_.put_short(to, at, value, p.bytes, flag);
        break;
      }
      case Kind::message:
        world_.request_long(to, 0, data, p.bytes, at, &completion_);
        break;
      case Kind::rows:
        world_.put_rows(to, at, {p.rows, p.row_bytes(), p.stride()}, data, p.row_bytes(), &flag,
                        &completion_);
        break;
    }
    if (is_short) std::memset(copy, 0, sizeof copy);
    bytes_ += p.bytes;
  }

  bool has_come(std::size_t from) const {
    return world_.flag(flags_.at(slot(from, checked_[from]))) == checked_[from] + 1;
  }
  bool something_came() const {
    for (std::size_t from = 0; from < cells_; ++from) {
      if (has_come(from)) return true;
    }
    return false;
  }

  void check_all() {
    for (std::size_t from = 0; from < cells_; ++from) {
      while (has_come(from)) {
        check(static_cast<int>(from), checked_[from]);
        const std::uint64_t done = ++checked_[from];
        mark(static_cast<int>(from), done - 1 + kWindow);
        world_.signal(static_cast<int>(from), {.flag = accepted_.at(me()), .value = done});
      }
    }
  }

  /// Surrounds the range of a put to come with marks.
  void mark(int from, std::uint64_t number) {
    const Put p = plan_.put(from, world_.cell(), number);
    std::uint8_t* data = range(from, number, p);
    std::memset(data - kGuard, kMark, kGuard);
    std::memset(data + p.extent(), kMark, kGuard);
    if (p.kind == Kind::rows) std::memset(data, kMark, p.extent());
  }

  void check(int from, std::uint64_t number) {
    const Put p = plan_.put(from, world_.cell(), number);
    const std::uint8_t* data = range(from, number, p);
    bool right = marked(data - kGuard, kGuard) && marked(data + p.extent(), kGuard);
    for (std::size_t row = 0; row < p.rows; ++row) {
      const std::uint8_t* there = data + row * p.stride();
      right &= std::memcmp(there, plan_.data(p) + row * p.row_bytes(), p.row_bytes()) == 0;
      if (row + 1 < p.rows) right &= marked(there + p.row_bytes(), p.row_bytes());
    }
    if (!right) {
      throw std::runtime_error(
          fmt::format("put {} of cell {} to cell {} ({} bytes of kind {}, shifted by {}) is wrong",
                      number, from, world_.cell(), p.bytes, static_cast<int>(p.kind), p.shift));
    }
  }
  static bool marked(const std::uint8_t* first, std::size_t count) {
    return std::all_of(first, first + count, [](std::uint8_t b) { return b == kMark; });
  }

  bool finished() const {
    for (std::size_t from = 0; from < cells_; ++from) {
      if (world_.flag(ends_.at(from)) != checked_[from] + 1) return false;
    }
    return true;
  }

  static thread_local Stress* current;

  World& world_;
  const Plan& plan_;
  std::uint64_t puts_;
  std::size_t cells_;
  Symmetric<std::uint8_t> slots_;
  Symmetric<std::uint64_t> flags_, accepted_, ends_;
  std::vector<std::uint64_t> sent_, checked_;
  std::uint64_t bytes_ = 0;
  Completion completion_;
};

thread_local Stress* Stress::current = nullptr;

std::string run_cell(World& world, const Plan& plan, std::uint64_t puts) {
  const auto cells = static_cast<std::uint64_t>(world.cells());
  const auto me = static_cast<std::uint64_t>(world.cell());
  const auto begin = std::chrono::steady_clock::now();
  Stress stress(world, plan, puts / cells + (me < puts % cells ? 1 : 0));
  stress.run();
  const double bytes = world.all_reduce(static_cast<double>(stress.bytes()), ReduceOp::sum);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  world.barrier();
  return fmt::format("{} puts of {} cells, {:.0f} bytes, all right, in {:.2f} s", puts, cells,
                     bytes, seconds.count());
}

int run(const std::string& kind, std::uint64_t puts, int cells, std::uint64_t seed) {
  const Plan plan(seed);
  const WorldOptions options{.heap_bytes = std::size_t{64} << 20,
                             .handlers = {{"arrived", Stress::arrived}}};
  if (kind == "join") {
    World world = join(options);
    const std::string line = run_cell(world, plan, puts);
    if (world.cell() == 0) std::printf("%s\n", line.c_str());
    return 0;
  }
  const kinjo::Mapping mapping(kinjo::Topology::discover(), kinjo::Policy::none(),
                               static_cast<std::size_t>(cells), kinjo::Oversubscribe::wrap);
  std::string line;
  if (kind == "threads") {
    kinjo::Team team(mapping);
    run_threads(team, options, [&](World& world, const kinjo::Place&) {
      const std::string mine = run_cell(world, plan, puts);
      if (world.cell() == 0) line = mine;
    });
  } else {
    const auto ends = run_processes(mapping, options, [&](World& world, const kinjo::Place&) {
      return run_cell(world, plan, puts);
    });
    for (const CellEnd& end : ends) {
      if (!end.error.empty() && !end.because_of_another) throw std::runtime_error(end.error);
    }
    line = ends.at(0).output;
  }
  std::printf("%s\n", line.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 2 ? argv[1] : "";
  if (kind != "threads" && kind != "processes" && kind != "join") {
    std::fprintf(stderr, "usage: %s threads|processes|join PUTS [CELLS [SEED]]\n", argv[0]);
    return 2;
  }
  try {
    return run(kind, std::strtoull(argv[2], nullptr, 10), argc > 3 ? std::atoi(argv[3]) : 4,
               argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
