/* A process whose threads and pages are where it is told, and move when it is told.
 *
 *   resident FILE SPEC...       SPEC: CPU/NODE/MIB, behind it `h` for huge pages, `s` for a thread
 *                               that sleeps
 *
 * One thread for each SPEC, pinned to the CPU, spins; its memory is bound to the node and touched.
 * With `t` behind the SPEC it is no longer bound then, and the thread goes on to touch it.
 * main sleeps on CPU 0.  FILE then holds the process's number.  At SIGUSR1 the memory of the first
 * SPEC moves to the next node, its thread to the CPU of the same rank there, and FILE is gone. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  kMost = 8,
  kNodes = 4,
  kCpusOfNode = 4,
  kDefault = 0,
  kBind = 2,
  kMove = 2,
  kHugeBytes = 2 << 20
};

struct part {
  int cpu, node, huge, sleeps, touches;
  size_t bytes;
  char* data;
  pthread_t thread;
};

static sem_t started;

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void pin(pthread_t thread, int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET((size_t)cpu, &cpus);
  if (pthread_setaffinity_np(thread, sizeof cpus, &cpus)) fail("pthread_setaffinity_np");
}

static void bind_to(const struct part* part, int flags) {
  unsigned long mask = 1ul << part->node;
  if (syscall(SYS_mbind, part->data, part->bytes, kBind, &mask, 64ul, flags)) fail("mbind");
}

static void* work(void* argument) {
  const struct part* part = argument;
  pin(pthread_self(), part->cpu); /* while it runs: one that sleeps would go there when it wakes */
  sem_post(&started);
  pthread_setname_np(pthread_self(), part->sleeps ? "sleeper" : "spinner");
  for (;;) {
    if (part->sleeps) pause();
    for (size_t at = 0; part->touches && at < part->bytes; at += 4096) {
      ++((volatile char*)part->data)[at];
    }
  }
  return NULL;
}

static void start(struct part* part) {
  /* Aligned, and with room between the parts, so that each is a mapping of its own. */
  char* room =
      mmap(NULL, part->bytes + 2 * kHugeBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) fail("mmap");
  part->data = room + (kHugeBytes - (size_t)room % kHugeBytes);
  if (mprotect(part->data, part->bytes, PROT_READ | PROT_WRITE)) fail("mprotect");
  if (part->huge && madvise(part->data, part->bytes, MADV_HUGEPAGE)) fail("madvise");
  bind_to(part, 0);
  memset(part->data, 1, part->bytes);
  if (part->touches && syscall(SYS_mbind, part->data, part->bytes, kDefault, NULL, 0ul, 0))
    fail("mbind");
  if (pthread_create(&part->thread, NULL, work, part)) fail("pthread_create");
  while (sem_wait(&started)) continue;
}

static void write_file(const char* path) {
  FILE* file = fopen(path, "w");
  if (!file || fprintf(file, "%d\n", getpid()) < 0 || fclose(file)) fail(path);
}

int main(int argc, char** argv) {
  static struct part parts[kMost];
  const int count = argc - 2;
  sigset_t signals;
  int arrived;
  if (count < 1 || count > kMost || sem_init(&started, 0, 0)) return 2;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  pin(pthread_self(), 0);
  for (int i = 0; i < count; ++i) {
    size_t mib;
    if (sscanf(argv[i + 2], "%d/%d/%zu", &parts[i].cpu, &parts[i].node, &mib) != 3) return 2;
    parts[i].bytes = mib << 20;
    parts[i].huge = strchr(argv[i + 2], 'h') != NULL;
    parts[i].sleeps = strchr(argv[i + 2], 's') != NULL;
    parts[i].touches = strchr(argv[i + 2], 't') != NULL;
    start(&parts[i]);
  }
  write_file(argv[1]);
  while (!sigwait(&signals, &arrived)) {
    parts[0].node = (parts[0].node + 1) % kNodes;
    parts[0].cpu = (parts[0].cpu + kCpusOfNode) % (kNodes * kCpusOfNode);
    bind_to(&parts[0], kMove);
    pin(parts[0].thread, parts[0].cpu);
    unlink(argv[1]);
  }
  return 1;
}
