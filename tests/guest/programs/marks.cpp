// One thread on the first CPU whose accesses are known to the byte, for the rules of counting:
//
//   phase "outer"    loads kBytes of region "a"; nested in it
//   phase "inner"    stores kBytes to region "b", which lies inside "a" (the younger one counts)
//   phase "waiting"  loads kBytes of region "a" inside a barrier
//   phase "forms"    region "a": kBytes by string copy to region "c", kBytes by 16-byte loads,
//                    8 bytes by an atomic addition (loaded and stored)
//   phase "unnamed"  loads kBytes of what is no longer a region
//   phase "mine"     is the first CPU's alone, inside of the program's "both": loads kBytes of
//   region
//                    "a" there, and before, from the second CPU, 2 kBytes for "both"
//   phase "kernel"   the kernel reads kBytes of region "a" and writes kBytes to region "c"

#include <emmintrin.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "kinjo/lab.hpp"

namespace {

constexpr std::size_t kBytes = 1 << 16;

char* fresh() {
  void* memory =
      mmap(nullptr, 4 * kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::_Exit(1);
  std::memset(memory, 1, 4 * kBytes);
  return static_cast<char*>(memory);
}

void load(const char* from) {
  for (std::size_t i = 0; i < kBytes; i += 8)
    asm volatile("movq (%0), %%rax" : : "r"(from + i) : "rax", "memory");
}

void load_wide(const char* from) {
  for (std::size_t i = 0; i < kBytes; i += 16)
    asm volatile("movups (%0), %%xmm0" : : "r"(from + i) : "xmm0", "memory");
}

void store(char* to) {
  for (std::size_t i = 0; i < kBytes; i += 4)
    asm volatile("movl $1, (%0)" : : "r"(to + i) : "memory");
}

void copy_string(const char* from, char* to) {
  std::size_t count = kBytes;
  asm volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
}

void add_atomically(char* to) { asm volatile("lock addq $1, (%0)" : : "r"(to) : "memory"); }

void move_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) std::_Exit(1);
}

}  // namespace

int main() {
  move_to(0);
  char* a = fresh();
  char* c = fresh();
  {
    KINJO_REGION("a", a, 4 * kBytes);
    KINJO_REGION("c", c, kBytes);
    {
      KINJO_PHASE("outer");
      load(a);
      KINJO_REGION("b", a + kBytes, kBytes);
      {
        KINJO_PHASE("inner");
        store(a + kBytes);
      }
    }
    {
      KINJO_PHASE("waiting");
      KINJO_BARRIER();
      load(a);
    }
    {
      KINJO_PHASE("forms");
      copy_string(a, c);
      load_wide(a);
      add_atomically(a);
    }
    {
      KINJO_PHASE("both");
      KINJO_CPU_PHASE("mine");
      move_to(1);
      load(a);
      load(a);
      move_to(0);
      load(a);
    }
    {
      const int pipe_bytes = 4096;
      int ends[2];
      if (pipe(ends)) return 1;
      KINJO_PHASE("kernel");
      for (std::size_t i = 0; i < kBytes; i += pipe_bytes)
        if (write(ends[1], a + i, pipe_bytes) != pipe_bytes ||
            read(ends[0], c + i, pipe_bytes) != pipe_bytes)
          return 1;
    }
  }
  KINJO_PHASE("unnamed");
  load(a);
}
