// Many threads, unpinned and more than there are CPUs, speak to the counter at once: each opens the
// phase "crowd" and a region "share" kRounds times, and loads every byte of its region.
// All of it must arrive: kThreads * kRounds * kBytes.

#include <thread>
#include <vector>

#include "kinjo/lab.hpp"

namespace {

constexpr int kThreads = 16, kRounds = 500, kBytes = 64;
char data[kThreads * kBytes];

void speak(const char* mine) {
  for (int round = 0; round < kRounds; ++round) {
    KINJO_PHASE("crowd");
    KINJO_REGION("share", mine, kBytes);
    for (int i = 0; i < kBytes; ++i)
      asm volatile("movb (%0), %%al" : : "r"(mine + i) : "rax", "memory");
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(speak, data + i * kBytes);
  for (std::thread& thread : threads) thread.join();
}
