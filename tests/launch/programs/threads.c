/// Starts threads one after another and prints the CPUs that each may use as the kernel knows them,
/// one line each: `main 0`, `1 1`, … It knows nothing of kinjo.
///
///   threads pthread|c11|attribute N    N threads; `attribute`: all are created for CPU 0
///   threads nested N                   each thread creates the next
///   threads fork N                     the same in a forked child, after one thread in the parent
///   threads fail N                     N refused creations before one that succeeds
///   threads memory                     the memory policy, as get_mempolicy numbers it, and nodes
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static void print_cpus(const char* name) {
  unsigned long mask[1024] = {0};
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  printf("%s", name);
  char separator = ' ';
  for (long cpu = 0; cpu < bytes * 8; ++cpu) {
    if (!(mask[cpu / 64] >> (cpu % 64) & 1)) continue;
    printf("%c%ld", separator, cpu);
    separator = ',';
  }
  printf("\n");
}

static void print_number(long number) {
  char name[32];
  snprintf(name, sizeof name, "%ld", number);
  print_cpus(name);
}

static void* posix_thread(void* number) {
  if (errno != 0) printf("errno is %d in a new thread\n", errno);
  print_number((long)number);
  return number;
}

static int c11_thread(void* number) {
  print_number((long)number);
  return (int)(long)number;
}

static long most;

static void* nested_thread(void* number) {
  pthread_t next;
  print_number((long)number);
  if ((long)number < most) {
    if (pthread_create(&next, NULL, nested_thread, (char*)number + 1) != 0) abort();
    pthread_join(next, NULL);
  }
  return NULL;
}

static void run_posix(long number, const pthread_attr_t* attributes) {
  pthread_t thread;
  void* result;
  if (pthread_create(&thread, attributes, posix_thread, (void*)number) != 0) abort();
  pthread_join(thread, &result);
  if (result != (void*)number) printf("thread %ld lost its result\n", number);
}

static void run_c11(long number) {
  thrd_t thread;
  int result;
  if (thrd_create(&thread, c11_thread, (void*)number) != thrd_success) abort();
  thrd_join(thread, &result);
  if (result != number) printf("thread %ld lost its result\n", number);
}

static void run_attribute(long number) {
  pthread_attr_t attributes;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(0, &cpus);
  pthread_attr_init(&attributes);
  pthread_attr_setaffinity_np(&attributes, sizeof cpus, &cpus);
  run_posix(number, &attributes);
  pthread_attr_destroy(&attributes);
}

/// A stack that no machine has is refused with EAGAIN.
static void run_refused(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)1 << 50);
  if (pthread_create(&thread, &attributes, posix_thread, NULL) == 0) abort();
  pthread_attr_destroy(&attributes);
}

static int print_memory(void) {
  int mode = -1;
  unsigned long nodes[64] = {0};
  if (syscall(SYS_get_mempolicy, &mode, nodes, sizeof nodes * 8, NULL, 0) != 0) return 1;
  printf("policy %d nodes %lx\n", mode, nodes[0]);
  return 0;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "pthread";
  most = argc > 2 ? atol(argv[2]) : 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(mode, "memory") == 0) return print_memory();
  print_cpus("main");
  if (strcmp(mode, "nested") == 0) {
    nested_thread((void*)0);  // this thread is the first of the chain
    return 0;
  }
  if (strcmp(mode, "fork") == 0) {
    run_posix(1, NULL);
    const pid_t child = fork();
    if (child != 0) return waitpid(child, NULL, 0) == child ? 0 : 1;
    print_cpus("child");
  }
  for (long i = 0; strcmp(mode, "fail") == 0 && i < most; ++i) run_refused();
  if (strcmp(mode, "fail") == 0) most = 1;
  for (long number = 1; number <= most; ++number) {
    if (strcmp(mode, "c11") == 0) {
      run_c11(number);
    } else if (strcmp(mode, "attribute") == 0) {
      run_attribute(number);
    } else {
      run_posix(number, NULL);
    }
  }
  return 0;
}
