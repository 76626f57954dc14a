/// As threads.c, with std::thread: an argument N, and a line for each thread. One thread ends by
/// an exception that it catches, one by pthread_exit, whose unwinding passes kinjo's frame.
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace {

void print_cpus(int number) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  syscall(SYS_sched_getaffinity, 0, sizeof cpus, &cpus);  // what the kernel says
  std::printf("%d", number);
  char separator = ' ';
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus)) continue;
    std::printf("%c%zu", separator, cpu);
    separator = ',';
  }
  std::printf("\n");
}

struct OnUnwinding {
  ~OnUnwinding() { std::printf("unwound\n"); }
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  print_cpus(0);
  for (int number = 1; number <= threads; ++number) std::thread(print_cpus, number).join();
  std::thread([] {
    try {
      throw std::runtime_error("caught");
    } catch (const std::exception& error) {
      std::printf("%s\n", error.what());
    }
  }).join();
  pthread_t leaving;
  pthread_create(
      &leaving, nullptr,
      [](void*) -> void* {
        const OnUnwinding guard;
        pthread_exit(nullptr);
      },
      nullptr);
  pthread_join(leaving, nullptr);
}
