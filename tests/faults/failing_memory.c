/* Makes allocations fail on purpose: preloaded into a program, it counts what the program asks of
 * the C library (malloc and its kin, and so operator new) and of the kernel (anonymous mmap) from
 * main on, and refuses as the variables say:
 *
 *   KINJO_FAULT_FIRST=N   the N-th one, from 1 on
 *   KINJO_FAULT_LENGTH=K  and those behind it, K in all (1)
 *   KINJO_FAULT_COUNT=F   the number of them goes to the file F at the end of the program, or where
 *                         another takes its place
 *   KINJO_FAULT_SPARE=L   libraries, joined by commas, whose calls are counted and never refused:
 *                         those that end the process themselves where memory is short
 *
 * Programs that it starts are left alone. What libraries allocate before main is not counted: no
 * program can do anything about it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static atomic_long asked = 0;
static atomic_int counting = 0;
static long first = 0;
static long length = 1;
static const char* count_file = NULL;
static char* spared = NULL;
static pid_t owner = 0;
static __thread int looking = 0;

/* Whether the list of libraries names the file. */
static int is_spared(const char* file) {
  const char* name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  for (const char* next = spared; next; next = strchr(next, ',')) {
    if (*next == ',') ++next;
    const size_t size = strcspn(next, ",");
    if (size > 0 && strncmp(name, next, size) == 0) return 1;
  }
  return 0;
}

/* Whether a library that is to be spared is among the callers. */
static int called_by_spared(void) {
  void* callers[128];
  looking = 1;
  const int count = backtrace(callers, 128);
  int found = 0;
  for (int i = 0; i < count && !found; ++i) {
    Dl_info where;
    found = dladdr(callers[i], &where) && where.dli_fname && is_spared(where.dli_fname);
  }
  looking = 0;
  return found;
}

/* Whether this one is to fail. */
static int refused(void) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed) || looking) return 0;
  const long number = 1 + atomic_fetch_add(&asked, 1);
  if (first <= 0 || number < first || number - first >= length) return 0;
  return !spared || !called_by_spared();
}

void* malloc(size_t bytes) {
  if (!refused()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return NULL;
}

void* calloc(size_t count, size_t bytes) {
  if (!refused()) return __libc_calloc(count, bytes);
  errno = ENOMEM;
  return NULL;
}

void* realloc(void* old, size_t bytes) {
  if (!refused()) return __libc_realloc(old, bytes);
  errno = ENOMEM;
  return NULL;
}

void* memalign(size_t alignment, size_t bytes) {
  if (!refused()) return __libc_memalign(alignment, bytes);
  errno = ENOMEM;
  return NULL;
}

void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  void* got = memalign(alignment, bytes);
  if (!got) return ENOMEM;
  *memory = got;
  return 0;
}

typedef void* (*map_function)(void*, size_t, int, int, int, off_t);

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  static map_function next = NULL;
  if (!next) next = (map_function)dlsym(RTLD_NEXT, "mmap");
  if ((flags & MAP_ANONYMOUS) && refused()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next(address, bytes, protection, flags, file, offset);
}

void* mmap64(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(address, bytes, protection, flags, file, offset);
}

static void tell_count(void) {
  atomic_store(&counting, 0);
  if (!count_file || getpid() != owner) return;
  char text[32];
  const int size = snprintf(text, sizeof text, "%ld\n", atomic_load(&asked));
  const int file = open(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (write(file, text, (size_t)size) != size) unlink(count_file);
  close(file);
}

typedef int (*exec_function)(const char*, char* const[], char* const[]);

/* What `kinjo run` becomes ends as another program. */
int execvpe(const char* file, char* const arguments[], char* const variables[]) {
  const exec_function next = (exec_function)dlsym(RTLD_NEXT, "execvpe");
  tell_count();
  return next(file, arguments, variables);
}

static long number(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text ? atol(text) : otherwise;
}

typedef int (*main_function)(int, char**, char**);
typedef int (*start_function)(main_function, int, char**, void (*)(void), void (*)(void),
                              void (*)(void), void*);
static main_function program;

static int counted_main(int argc, char** argv, char** environment) {
  first = number("KINJO_FAULT_FIRST", 0);
  length = number("KINJO_FAULT_LENGTH", 1);
  count_file = getenv("KINJO_FAULT_COUNT");
  if (count_file) count_file = strdup(count_file);
  if (getenv("KINJO_FAULT_SPARE")) {
    spared = strdup(getenv("KINJO_FAULT_SPARE"));
    called_by_spared(); /* loads what it needs itself */
  }
  owner = getpid();
  unsetenv("LD_PRELOAD");
  unsetenv("KINJO_FAULT_FIRST");
  unsetenv("KINJO_FAULT_LENGTH");
  unsetenv("KINJO_FAULT_COUNT");
  unsetenv("KINJO_FAULT_SPARE");
  atexit(tell_count);
  atomic_store(&counting, 1);
  const int status = program(argc, argv, environment);
  atomic_store(&counting, 0); /* what libraries do at exit is theirs */
  return status;
}

int __libc_start_main(main_function main, int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  program = main;
  const start_function next = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
  return next(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
