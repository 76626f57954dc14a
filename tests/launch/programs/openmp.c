/// Prints `threads N`, then for each OpenMP thread in order the CPUs that it may use; with an
/// argument then `processors N`, as the runtime counts them when its threads have been started.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(int count, char** arguments) {
  (void)arguments;
  printf("threads %d\n", omp_get_max_threads());
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); ++i) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
#pragma omp ordered
    {
      printf("%d", omp_get_thread_num());
      char separator = ' ';
      for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &cpus)) continue;
        printf("%c%zu", separator, cpu);
        separator = ',';
      }
      printf("\n");
    }
  }
  if (count > 1) printf("processors %d\n", omp_get_num_procs());
  return 0;
}
