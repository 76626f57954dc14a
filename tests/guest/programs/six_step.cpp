// The passes of a six-step FFT over the memory, without the FFT: S2 (Nukada, Nishida, Oyanagi).
//
//   six_step block     rows in blocks, one block on each node
//   six_step cyclic    rows dealt to the nodes in turn
//   six_step default   all rows on the first node
//
// A matrix of kRows x kRows complex numbers; one thread on each CPU, with equal shares:
//
//   load1, store1, store2   columns, four at a time (64 bytes, a cache line, in every row)
//   load2                   rows, in blocks
//
// Loads and stores are written in assembly so that the compiler cannot add or drop one.

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "kinjo/lab.hpp"

#include "raw.hpp"

namespace {

constexpr std::size_t kRows = 1024;
constexpr std::size_t kRowBytes = kRows * 16;
constexpr std::size_t kBytes = kRows * kRowBytes;
constexpr std::size_t kLine = 64;
constexpr int kBind = 2;

struct Worker {
  int cpu;
  std::size_t rank, of;
};

unsigned node_here() {
  unsigned node = 0;
  if (syscall(SYS_getcpu, nullptr, &node, nullptr)) fail("getcpu");
  return node;
}

char* reserve() {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  madvise(memory, kBytes, MADV_NOHUGEPAGE);
  return static_cast<char*>(memory);
}

std::size_t node_of_row(const std::string& placement, std::size_t row, std::size_t nodes) {
  if (placement == "block") return row * nodes / kRows;
  return placement == "cyclic" ? row % nodes : 0;
}

char* allocate(const std::string& placement, std::size_t nodes) {
  char* data = reserve();
  for (std::size_t row = 0; row < kRows; ++row) {
    unsigned long mask = 1ul << node_of_row(placement, row, nodes);
    char* begin = data + row * kRowBytes;
    if (syscall(SYS_mbind, begin, kRowBytes, kBind, &mask, 64ul, 0)) fail("mbind");
    for (std::size_t page = 0; page < kRowBytes; page += 4096) begin[page] = 1;
  }
  return data;
}

void load(const char* begin, std::size_t bytes) {
  std::uint64_t value;
  asm volatile("1: movq (%0), %1\n add $8, %0\n cmp %2, %0\n jne 1b"
               : "+&r"(begin), "=&r"(value)
               : "r"(begin + bytes)
               : "memory");
}

void store(char* begin, std::size_t bytes) {
  asm volatile("1: movq %1, (%0)\n add $8, %0\n cmp %2, %0\n jne 1b"
               : "+&r"(begin)
               : "r"(std::uint64_t{1}), "r"(begin + bytes)
               : "memory");
}

template <typename Access>
void columns(char* data, const Worker& me, Access access) {
  const std::size_t width = kRowBytes / me.of;
  for (std::size_t at = me.rank * width; at < (me.rank + 1) * width; at += kLine)
    for (std::size_t row = 0; row < kRows; ++row) access(data + row * kRowBytes + at, kLine);
}

void load_columns(char* data, const Worker& me) { columns(data, me, load); }

void store_columns(char* data, const Worker& me) { columns(data, me, store); }

void load_rows(char* data, const Worker& me) {
  const std::size_t share = kBytes / me.of;
  load(data + me.rank * share, share);
}

void everywhere(const std::vector<Worker>& workers, char* data,
                void (*pass)(char*, const Worker&)) {
  std::vector<std::thread> threads;
  for (const Worker& worker : workers) {
    threads.emplace_back([=] {
      run_on(worker.cpu);
      pass(data, worker);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void all_passes(const std::vector<Worker>& workers, char* x, char* y) {
  KINJO_REGION("matrix", x, kBytes);
  KINJO_REGION("matrix", y, kBytes);
  {
    KINJO_PHASE("load1");
    everywhere(workers, x, load_columns);
  }
  {
    KINJO_PHASE("store1");
    everywhere(workers, x, store_columns);
  }
  {
    KINJO_PHASE("load2");
    everywhere(workers, x, load_rows);
  }
  KINJO_PHASE("store2");
  everywhere(workers, y, store_columns);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string placement = argc == 2 ? argv[1] : "";
  if (placement != "block" && placement != "cyclic" && placement != "default") return 2;
  const int cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  run_on(cpus - 1);
  const std::size_t nodes = node_here() + 1;
  if (kRowBytes / kLine % static_cast<std::size_t>(cpus) || kRows % nodes) return 3;
  std::vector<Worker> workers;
  for (int cpu = 0; cpu < cpus; ++cpu)
    workers.push_back({cpu, static_cast<std::size_t>(cpu), static_cast<std::size_t>(cpus)});
  run_on(0);
  all_passes(workers, allocate(placement, nodes), allocate(placement, nodes));
  std::printf("%zu rows of %zu bytes, %s, on %zu nodes\n", kRows, kRowBytes, placement.c_str(),
              nodes);
}
