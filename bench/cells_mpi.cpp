// What bench_cells.py runs beside kinjo: a ping-pong of two ranks by MPI's own PUT and by send and
// receive, and the barrier of all ranks.
//
//   mpirun -n 2 cells_mpi BYTES…
//
// Rank 0 prints a line for each: NAME BYTES VALUE, in nanoseconds one way (of the barrier: each),
// or bytes a second.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr double kSeconds = 0.1;  // that a figure should take

/// Seconds of each of `count` turns.
using Timed = std::function<double(int count)>;

/// Rank 0 decides how many turns there are, after a few that do not count.
double measure(const Timed& timed) {
  timed(20);
  int count = static_cast<int>(std::clamp(kSeconds / std::max(timed(50), 1e-9), 10.0, 1e6));
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return timed(count);
}

double per_turn(int count, const std::function<void()>& turn) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < count; ++i) turn();
  return (MPI_Wtime() - begin) / count;
}

void print(int rank, const char* name, int bytes, double value) {
  if (rank == 0) std::printf("%s %d %.6g\n", name, bytes, value);
}

/// A window whose memory every rank of the host can be put into.
class Window {
 public:
  explicit Window(int bytes) {
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory_, &window_);
    std::memset(memory_, 0, static_cast<std::size_t>(bytes));
    MPI_Win_lock_all(0, window_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void put(const char* from, int bytes, int to) {
    MPI_Put(from, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, window_);
    MPI_Win_flush(to, window_);
  }
  /// The last byte is the flag: it rises when the put is there.
  void wait_last(int bytes, char value) {
    auto& last = reinterpret_cast<std::atomic<char>&>(memory_[bytes - 1]);
    while (last.load(std::memory_order_acquire) != value) MPI_Win_sync(window_);
  }

 private:
  char* memory_ = nullptr;
  MPI_Win window_{};
};

double put_latency(int rank, int bytes) {
  Window window(bytes);
  std::vector<char> source(static_cast<std::size_t>(bytes));
  char turn = 0;
  return measure([&](int count) {
           return per_turn(count, [&] {
             turn = static_cast<char>(turn % 100 + 1);
             source.back() = turn;
             if (rank == 0) window.put(source.data(), bytes, 1);
             window.wait_last(bytes, turn);
             if (rank == 1) window.put(source.data(), bytes, 0);
           });
         }) /
         2;
}

double put_rate(int rank, int bytes) {
  Window window(bytes);
  const std::vector<char> source(static_cast<std::size_t>(bytes));
  return bytes / measure([&](int count) {
           return per_turn(count, [&] {
             if (rank == 0) window.put(source.data(), bytes, 1);
           });
         });
}

double send_latency(int rank, int bytes) {
  std::vector<char> data(static_cast<std::size_t>(bytes));
  const auto send = [&] { MPI_Send(data.data(), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD); };
  const auto receive = [&] {
    MPI_Recv(data.data(), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  return measure([&](int count) {
           return per_turn(count, [&] {
             if (rank == 0) send();
             receive();
             if (rank == 1) send();
           });
         }) /
         2;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i < argc && ranks == 2; ++i) {
    const int bytes = std::max(1, std::atoi(argv[i]));
    print(rank, "put", bytes, 1e9 * put_latency(rank, bytes));
    print(rank, "send", bytes, 1e9 * send_latency(rank, bytes));
    print(rank, "put_rate", bytes, put_rate(rank, bytes));
  }
  const double barrier =
      measure([](int count) { return per_turn(count, [] { MPI_Barrier(MPI_COMM_WORLD); }); });
  print(rank, "barrier", 0, 1e9 * barrier);
  MPI_Finalize();
  return 0;
}
