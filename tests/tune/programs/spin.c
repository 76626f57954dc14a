/* A program whose speed depends on the placement of its threads and on little else: two threads
   take turns, each spinning until it is its own, as in barriers that spin. On two CPUs a turn takes
   no time; on one it takes until the system puts the waiting thread aside.

   It keeps to the first CPU that it may use, as some runtimes do unless they are told otherwise,
   and so do the threads that it starts unless somebody gives each a CPU of its own: spin TURNS. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static long turns;
static atomic_long done;

static void* take_turns(void* mine) {
  for (long turn = (intptr_t)mine; turn < turns; turn += 2) {
    while (atomic_load(&done) != turn) continue;
    atomic_store(&done, turn + 1);
  }
  return NULL;
}

static void keep_to_one_cpu(void) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    CPU_SET(cpu, &one);
    break;
  }
  sched_setaffinity(0, sizeof(one), &one);
}

int main(int argc, char** argv) {
  turns = argc > 1 ? atol(argv[1]) : 0;
  keep_to_one_cpu();
  pthread_t threads[2];
  for (intptr_t t = 0; t < 2; ++t) {
    if (pthread_create(&threads[t], NULL, take_turns, (void*)t) != 0) return 1;
  }
  for (int t = 0; t < 2; ++t) pthread_join(threads[t], NULL);
  puts("done");
  return 0;
}
