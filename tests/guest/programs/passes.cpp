// A program whose accesses are known exactly: one thread on each CPU passes over its own array.
//
//   passes own         every array lies on the node of its thread
//   passes first       every array lies on the first node
//   passes interleave  the pages of every array are dealt to the nodes in turn
//
// In phase "fill" each thread stores kBytes into region "array", in phase "sum" it loads them.
// Both are written in assembly so that the compiler cannot add or drop an access.

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "kinjo/lab.hpp"

#include "raw.hpp"

namespace {

constexpr std::size_t kBytes = 1 << 20;
constexpr int kBind = 2, kInterleave = 3;

struct Array {
  int cpu;
  std::uint64_t* data;
};

unsigned long nodes_with_memory() {
  std::FILE* file = std::fopen("/sys/devices/system/node/has_memory", "r");
  unsigned long mask = 0;
  int first, last;
  if (!file) fail("has_memory");
  while (std::fscanf(file, "%d", &first) == 1) {
    last = first;
    int next = std::fgetc(file);
    if (next == '-' && std::fscanf(file, "%d", &last) == 1) next = std::fgetc(file);
    for (int node = first; node <= last; ++node) mask |= 1ul << node;
    if (next != ',') break;
  }
  std::fclose(file);
  return mask;
}

std::uint64_t* allocate(int policy, unsigned long mask) {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  madvise(memory, kBytes, MADV_NOHUGEPAGE);
  if (syscall(SYS_mbind, memory, kBytes, policy, &mask, 64ul, 0)) fail("mbind");
  return static_cast<std::uint64_t*>(memory);
}

Array make(const std::string& how, int cpu) {
  run_on(cpu);
  unsigned here = 0;
  syscall(SYS_getcpu, nullptr, &here, nullptr);
  const unsigned long all = nodes_with_memory();
  if (how == "interleave") return {cpu, allocate(kInterleave, all)};
  return {cpu, allocate(kBind, how == "own" ? 1ul << here : all & -all)};
}

void fill(std::uint64_t* data) {
  asm volatile("1: movq %1, (%0)\n add $8, %0\n cmp %2, %0\n jne 1b"
               : "+r"(data)
               : "r"(std::uint64_t{1}), "r"(data + kBytes / 8)
               : "memory");
}

void sum(std::uint64_t* data) {
  std::uint64_t value;
  asm volatile("1: movq (%0), %1\n add $8, %0\n cmp %2, %0\n jne 1b"
               : "+&r"(data), "=&r"(value)
               : "r"(data + kBytes / 8)
               : "memory");
}

void everywhere(const std::vector<Array>& arrays, void (*work)(std::uint64_t*)) {
  std::vector<std::thread> threads;
  for (const Array& array : arrays) {
    threads.emplace_back([=] {
      run_on(array.cpu);
      KINJO_REGION("array", array.data, kBytes);
      work(array.data);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc == 2 ? argv[1] : "";
  if (how != "own" && how != "first" && how != "interleave") return 2;
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<Array> arrays;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) arrays.push_back(make(how, cpu));
  {
    KINJO_PHASE("fill");
    everywhere(arrays, fill);
  }
  {
    KINJO_PHASE("sum");
    everywhere(arrays, sum);
  }
  std::printf("%zu arrays of %zu bytes\n", arrays.size(), kBytes);
}
