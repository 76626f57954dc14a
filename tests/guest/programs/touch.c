/* A program that knows nothing of kinjo: its threads each touch an array of their own.  Built with
 * OpenMP and without; the latter creates N - 1 POSIX threads, and the first is main itself.
 *
 *   touch [N]
 *
 * A line for each thread: its number, the CPU that it runs on, the CPUs that it may use, and the
 * pages of its array by node, e.g. `1 4 4 0:0 1:256`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { kPages = 256, kPageBytes = 4096, kMostThreads = 64, kNodes = 4, kLine = 256 };

static char lines[kMostThreads][kLine];

static int print_cpus(char* text) {
  cpu_set_t cpus;
  int length = 0;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof cpus, &cpus);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &cpus)) length += sprintf(text + length, length ? ",%zu" : " %zu", cpu);
  }
  return length;
}

static int print_pages(char* text, char* data) {
  void* pages[kPages];
  int where[kPages], count[kNodes] = {0}, length = 0;
  for (int i = 0; i < kPages; ++i) pages[i] = data + i * kPageBytes;
  if (syscall(SYS_move_pages, 0, kPages, pages, NULL, where, 0)) return 0;
  for (int i = 0; i < kPages; ++i) {
    if (where[i] >= 0 && where[i] < kNodes) ++count[where[i]];
  }
  for (int node = 0; node < kNodes; ++node) {
    length += sprintf(text + length, " %d:%d", node, count[node]);
  }
  return length;
}

static void work(long thread) {
  char* data =
      mmap(NULL, kPages * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) exit(1);
  memset(data, 1, kPages * kPageBytes);
  char* line = lines[thread];
  line += sprintf(line, "%ld %d", thread, sched_getcpu());
  line += print_cpus(line);
  print_pages(line, data);
}

#ifdef _OPENMP
static int work_everywhere(int wanted) {
  const int threads = wanted ? wanted : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
  work(omp_get_thread_num());
  return threads;
}
#else
static void* start(void* thread) {
  work((long)thread);
  return NULL;
}

static int work_everywhere(int threads) {
  pthread_t ids[kMostThreads];
  for (long t = 1; t < threads; ++t) pthread_create(&ids[t], NULL, start, (void*)t);
  work(0);
  for (int t = 1; t < threads; ++t) pthread_join(ids[t], NULL);
  return threads;
}
#endif

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? atoi(argv[1]) : 0;
  if (wanted < 0 || wanted > kMostThreads) return 2;
  const int threads = work_everywhere(wanted);
  for (int t = 0; t < threads; ++t) puts(lines[t]);
  return 0;
}
