/* The access counter's helper in the guest.
 *
 * `launch --calibrate`, as root, shows the counter where each node's memory is: a few pages bound
 * to the node, each named by its guest physical address and then touched by a marked load.
 * `launch --count COMMAND ARGS...` runs the command with counting on, and ends with its status
 * (128 + n when signal n ended it). */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/kinjo/lab_protocol.h"

enum { kMaxNodes = 64, kPagesPerNode = 16, kBind = 2, kFailed = 123 };

static const unsigned char board[256] __attribute__((aligned(256)));

static void say(uint8_t byte) { KINJO_LAB_LOAD(KINJO_LAB_BYTE_DISP, &board[byte]); }

static void say_number(uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) say(value >> 8 * i);
}

static void fail(const char* what) {
  fprintf(stderr, "launch: %s: %s\n", what, strerror(errno));
  exit(kFailed);
}

static uint64_t physical_address(int pagemap, const void* page) {
  uint64_t entry = 0;
  if (pread(pagemap, &entry, 8, (uintptr_t)page / 4096 * 8) != 8) fail("pagemap");
  return (entry & ((1ull << 55) - 1)) * 4096;
}

static void calibrate(int node, int pagemap) {
  const size_t bytes = kPagesPerNode * 4096;
  char* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned long mask = 1ul << node;
  if (pages == MAP_FAILED) fail("mmap");
  if (syscall(SYS_mbind, pages, bytes, kBind, &mask, 64ul, 0)) fail("mbind");
  memset(pages, 1, bytes);
  for (char* page = pages; page < pages + bytes; page += 4096) {
    say(13);
    say(KINJO_LAB_CALIBRATION);
    say_number(node, 4);
    say_number(physical_address(pagemap, page), 8);
    KINJO_LAB_LOAD(KINJO_LAB_PROBE_DISP, page);
  }
  munmap(pages, bytes);
}

/* Calls calibrate for every node of a list such as "0,2-3". */
static void calibrate_nodes_with_memory(void) {
  const int pagemap = open("/proc/self/pagemap", O_RDONLY);
  FILE* file = fopen("/sys/devices/system/node/has_memory", "r");
  int first, last;
  if (pagemap < 0 || !file) fail("cannot see the nodes");
  while (fscanf(file, "%d", &first) == 1) {
    last = first;
    int next = fgetc(file);
    if (next == '-' && fscanf(file, "%d", &last) == 1) next = fgetc(file);
    for (int node = first; node <= last && node < kMaxNodes; ++node) calibrate(node, pagemap);
    if (next != ',') break;
  }
  fclose(file);
  close(pagemap);
}

static int count(char** command) {
  int status;
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    KINJO_LAB_EMIT(KINJO_LAB_COUNT_ON, 0);
    execvp(command[0], command);
    KINJO_LAB_EMIT(KINJO_LAB_COUNT_OFF, 0);
    fprintf(stderr, "launch: %s: %s\n", command[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  KINJO_LAB_EMIT(KINJO_LAB_COUNT_OFF, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char** argv) {
  if (argc > 2 && !strcmp(argv[1], "--count")) return count(argv + 2);
  if (argc != 2 || strcmp(argv[1], "--calibrate")) return 2;
  calibrate_nodes_with_memory();
  return 0;
}
