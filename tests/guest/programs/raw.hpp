/// What programs of the laboratory ask of the kernel directly, since they check kinjo and so do not
/// use it.
#pragma once

#include <sched.h>

#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void fail(const char* what) {
  std::perror(what);
  std::_Exit(1);
}

inline void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
}
