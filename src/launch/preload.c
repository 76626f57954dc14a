/// The library that `kinjo run` preloads into an unmodified program.
///
/// It stands in front of the two functions by which programs start threads, numbers the threads of
/// a process in the order of those calls (the main thread is 0), and pins each to the place of its
/// number before any of its code runs. It depends on the C library alone.
///
/// pthread_create is enough for POSIX threads, for std::thread (libstdc++ and libc++ call it
/// through the PLT) and for most runtimes. C11's thrd_create calls glibc's pthread_create
/// directly, past any preloaded library, and so is wrapped by itself.
///
/// It also stands in front of the functions by which programs count the CPUs that they may use,
/// since a pinned main thread would count one (see "Counting of CPUs"), and of those by which they
/// start other programs, which inherit a thread's one place (see "Starting of programs").
///
/// Safety. Creating a thread is not allowed in signal handlers, nor is anything here but starting a
/// program, which makes system calls alone, as it must between vfork and exec too. State is written
/// once, under pthread_once, and only read afterwards, except for the counter.
/// errno is left as it was found: neither thread creation nor a thread's start may disturb it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <threads.h>
#include <unistd.h>

#include "launch/places.h"

#define KINJO_EXPORT __attribute__((visibility("default")))

typedef int (*create_pthread)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
typedef int (*create_thrd)(thrd_t*, thrd_start_t, void*);
typedef int (*get_by_number)(pid_t, size_t, cpu_set_t*);
typedef int (*set_by_number)(pid_t, size_t, const cpu_set_t*);
typedef int (*get_by_thread)(pthread_t, size_t, cpu_set_t*);
typedef int (*set_by_thread)(pthread_t, size_t, const cpu_set_t*);
typedef int (*exec_program)(const char*, char* const[]);
typedef int (*exec_with)(const char*, char* const[], char* const[]);
typedef int (*exec_file)(int, char* const[], char* const[]);
typedef int (*spawn_program)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                             const posix_spawnattr_t*, char* const[], char* const[]);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static create_pthread next_pthread_create;
static create_thrd next_thrd_create;
static get_by_number next_sched_getaffinity;
static set_by_number next_sched_setaffinity;
static get_by_thread next_pthread_getaffinity_np;
static set_by_thread next_pthread_setaffinity_np;
static exec_program next_execv;
static exec_program next_execvp;
static exec_with next_execve;
static exec_with next_execvpe;
static exec_file next_fexecve;
static spawn_program next_posix_spawn;
static spawn_program next_posix_spawnp;
static struct kinjo_places places;  // no places: every call passes straight through
static const char* places_text;     // a copy: programs write into their environment
/// The CPUs of all places; more than the kernel has masks for on any machine that kinjo knows.
static unsigned long all_places[8192 / (8 * sizeof(unsigned long))];
static bool verbose;
static bool is_java;  // the program is the launcher of a Java virtual machine
static atomic_ulong next_thread = 1;
static atomic_bool refusal_reported;
/// The mask that the calling thread was given; null if it was given none or has set one itself. A
/// preloaded library has its thread-local storage from the start: no access to it allocates.
static __attribute__((tls_model("initial-exec"))) _Thread_local const unsigned long* own_mask;

// ---- Reports ------------------------------------------------------------------------------------

/// One write per line, so that lines of several threads do not mix. A closed standard error is the
/// program's own choice.
static void report(const char* line, int length) {
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) return;
}

static const char* error_name(int error) {
  switch (error) {
    case EINVAL:
      return "EINVAL (CPU offline or outside the cpuset)";
    case EPERM:
      return "EPERM (a container's seccomp profile?)";
    case ENOSYS:
      return "ENOSYS";
    default:
      return "an error";
  }
}

/// Only the first refusal of a process: on a machine that refuses one thread, it refuses all.
static void report_refusal(unsigned long thread, int error) {
  if (atomic_exchange(&refusal_reported, true)) return;
  char line[256];
  report(line, snprintf(line, sizeof line,
                        "kinjo: cannot pin thread %lu of process %d: sched_setaffinity returned "
                        "%s; it runs where its creator may run\n",
                        thread, (int)getpid(), error_name(error)));
}

/// The CPU is asked of the kernel, not taken from the list.
static void report_pinned(unsigned long thread) {
  char line[128];
  report(line, snprintf(line, sizeof line,
                        "kinjo: process %d: thread %lu is pinned to place %lu and runs on CPU %d\n",
                        (int)getpid(), thread, thread % places.count, sched_getcpu()));
}

// ---- Pinning ------------------------------------------------------------------------------------

static size_t mask_bytes(void) { return places.words * sizeof *places.masks; }

static void pin_self(unsigned long thread) {
  const int saved = errno;
  const unsigned long* mask = kinjo_places_mask(&places, thread);
  if (next_sched_setaffinity(0, mask_bytes(), (const cpu_set_t*)mask) != 0) {
    report_refusal(thread, errno);
  } else {
    own_mask = mask;
    if (verbose) report_pinned(thread);
  }
  errno = saved;
}

/// Tells the watcher that the library was loaded. The variable goes away first: it is
/// answered once, and the number may mean another file in a child. The inode guards against a
/// process in between that closed it and opened something else under its number.
static void acknowledge(void) {
  const char* text = getenv(KINJO_RUN_ACK);
  int fd = -1;
  unsigned long inode = 0;
  const bool named = text != NULL && sscanf(text, "%d:%lu", &fd, &inode) == 2;
  unsetenv(KINJO_RUN_ACK);
  struct stat file;
  if (!named || fstat(fd, &file) != 0) return;
  if (!S_ISSOCK(file.st_mode) || file.st_ino != inode) return;
  send(fd, "k", 1, MSG_NOSIGNAL);
  close(fd);
}

/// A forked child is a process of its own: its only thread keeps the place it was forked at, and
/// the next that it creates is again thread 1.
static void restart_numbers(void) { atomic_store(&next_thread, 1); }

static const char* copy_of(const char* text) {
  const size_t bytes = strlen(text) + 1;
  void* copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return copy == MAP_FAILED ? NULL : memcpy(copy, text, bytes);
}

static void find_starters(void) {
  next_execv = (exec_program)dlsym(RTLD_NEXT, "execv");
  next_execvp = (exec_program)dlsym(RTLD_NEXT, "execvp");
  next_execve = (exec_with)dlsym(RTLD_NEXT, "execve");
  next_execvpe = (exec_with)dlsym(RTLD_NEXT, "execvpe");
  next_fexecve = (exec_file)dlsym(RTLD_NEXT, "fexecve");
  next_posix_spawn = (spawn_program)dlsym(RTLD_NEXT, "posix_spawn");
  next_posix_spawnp = (spawn_program)dlsym(RTLD_NEXT, "posix_spawnp");
}

static void initialise(void) {
  find_starters();
  next_pthread_create = (create_pthread)dlsym(RTLD_NEXT, "pthread_create");
  next_thrd_create = (create_thrd)dlsym(RTLD_NEXT, "thrd_create");
  next_sched_getaffinity = (get_by_number)dlsym(RTLD_NEXT, "sched_getaffinity");
  next_sched_setaffinity = (set_by_number)dlsym(RTLD_NEXT, "sched_setaffinity");
  next_pthread_getaffinity_np = (get_by_thread)dlsym(RTLD_NEXT, "pthread_getaffinity_np");
  next_pthread_setaffinity_np = (set_by_thread)dlsym(RTLD_NEXT, "pthread_setaffinity_np");
  const char* text = getenv(KINJO_RUN_PLACES);
  if (text == NULL || kinjo_places_parse(text, &places) != 0) return;
  places_text = copy_of(text);
  for (size_t i = 0; mask_bytes() <= sizeof all_places && i < places.count * places.words; ++i) {
    all_places[i % places.words] |= places.masks[i];
  }
  verbose = getenv(KINJO_RUN_VERBOSE) != NULL;
  is_java = dlsym(RTLD_DEFAULT, "JLI_Launch") != NULL;
  pthread_atfork(NULL, NULL, restart_numbers);
}

/// Runs before `main`. A constructor of another library may have created threads even earlier,
/// which is why the wrappers initialise too.
__attribute__((constructor)) static void start(void) {
  const int saved = errno;
  pthread_once(&once, initialise);
  if (places.count != 0) {
    pin_self(0);
    acknowledge();
  }
  errno = saved;
}

// ---- Creation of threads ------------------------------------------------------------------------

/// What a new thread needs; owned by the creator until creation succeeds, by the thread then.
struct start {
  union {
    void* (*posix)(void*);
    thrd_start_t c11;
  } run;
  void* argument;
  unsigned long thread;
};

static struct start* new_start(void* argument) {
  struct start* data = malloc(sizeof *data);
  if (data == NULL) return NULL;
  data->argument = argument;
  data->thread = atomic_fetch_add(&next_thread, 1);
  return data;
}

/// Creation failed: the number goes back, unless another thread has taken the next one meanwhile.
static void abandon(struct start* data) {
  unsigned long after = data->thread + 1;
  atomic_compare_exchange_strong(&next_thread, &after, data->thread);
  free(data);
}

/// Takes over the data and pins the thread. Neither is a cancellation point, so that a cancelled
/// thread leaks nothing.
static struct start take(void* data) {
  const struct start taken = *(struct start*)data;
  free(data);
  pin_self(taken.thread);
  return taken;
}

static void* start_posix(void* data) {
  const struct start taken = take(data);
  return taken.run.posix(taken.argument);
}

static int start_c11(void* data) {
  const struct start taken = take(data);
  return taken.run.c11(taken.argument);
}

/// Whether the program itself chose CPUs for the thread. glibc answers a full mask where it has
/// not, and EINVAL where the chosen mask does not fit.
static bool has_affinity(const pthread_attr_t* attributes) {
  cpu_set_t mask;
  if (attributes == NULL) return false;
  if (pthread_attr_getaffinity_np(attributes, sizeof mask, &mask) != 0) return true;
  return CPU_COUNT(&mask) != CPU_SETSIZE;
}

KINJO_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                void* (*run)(void*), void* argument) {
  pthread_once(&once, initialise);
  if (next_pthread_create == NULL) return EAGAIN;
  if (places.count == 0) return next_pthread_create(thread, attributes, run, argument);
  if (has_affinity(attributes)) {  // its choice holds; it still counts as a thread
    const int error = next_pthread_create(thread, attributes, run, argument);
    if (error == 0) atomic_fetch_add(&next_thread, 1);
    return error;
  }
  struct start* data = new_start(argument);
  if (data == NULL) return EAGAIN;
  data->run.posix = run;
  const int error = next_pthread_create(thread, attributes, start_posix, data);
  if (error != 0) abandon(data);
  return error;
}

KINJO_EXPORT int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  pthread_once(&once, initialise);
  if (next_thrd_create == NULL) return thrd_error;
  if (places.count == 0) return next_thrd_create(thread, run, argument);
  struct start* data = new_start(argument);
  if (data == NULL) return thrd_nomem;
  data->run.c11 = run;
  const int result = next_thrd_create(thread, start_c11, data);
  if (result != thrd_success) abandon(data);
  return result;
}

// ---- Counting of CPUs ---------------------------------------------------------------------------
//
// Many runtimes ask for their mask only to learn how many threads to start: OpenBLAS when NumPy
// loads it, Rust's available_parallelism. To them a pinned main thread would look like a
// machine of one CPU. So a process that has not started a thread yet is told the CPUs of all
// places, which are what it may use; from the first thread on, who asks where it runs is told what
// the kernel says. Java asks again and again from any thread, and only to count: no Java program
// can see a mask, so a virtual machine is always told all places. So is a runtime of OpenMP, which
// counts whenever a program asks for the number of processors.

#if __GLIBC_PREREQ(2, 35)
/// Not dladdr, which takes the loader's lock: a library that is being loaded may wait for a thread
/// that asks for its mask. Weak, since the system's may be older than the one that this was built
/// on.
extern __typeof(_dl_find_object) _dl_find_object __attribute__((weak));

/// The path of what was loaded to this address; null if that cannot be told.
static const char* loaded_from(void* code) {
  struct dl_find_object found;
  if (_dl_find_object == NULL || _dl_find_object(code, &found) != 0) return NULL;
  return found.dlfo_link_map->l_name;
}
#else
static const char* loaded_from(void* code) {
  (void)code;
  return NULL;
}
#endif

/// Whether code at this address belongs to an OpenMP runtime: libgomp.so.1, or
/// libgomp-a34b3233.so.1.0.0 as Python's wheels call theirs.
static bool is_in_openmp(void* code) {
  static const char* const kRuntimes[] = {"libgomp", "libomp", "libiomp5"};
  const char* const path = loaded_from(code);
  if (path == NULL) return false;
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == NULL ? path : slash + 1;
  for (size_t i = 0; i < sizeof kRuntimes / sizeof kRuntimes[0]; ++i) {
    const size_t length = strlen(kRuntimes[i]);
    if (strncmp(name, kRuntimes[i], length) != 0) continue;
    if (name[length] == '.' || name[length] == '-') return true;
  }
  return false;
}

static bool is_counting(void* caller) {
  return is_java || atomic_load(&next_thread) == 1 || is_in_openmp(caller);
}

/// Adds the CPUs of all places to the calling thread's mask, as the kernel has just told it, if it
/// is only to be counted. A mask that is not the thread's place was set by somebody else, and
/// stays.
static void tell_all_places(size_t size, cpu_set_t* mask, void* caller) {
  if (own_mask == NULL || size < mask_bytes()) return;
  if (memcmp(mask, own_mask, mask_bytes()) != 0 || !is_counting(caller)) return;
  for (unsigned long p = 0; p < places.count; ++p) {
    const cpu_set_t* place = (const cpu_set_t*)kinjo_places_mask(&places, p);
    CPU_OR_S(mask_bytes(), mask, mask, place);
  }
}

KINJO_EXPORT int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* mask) {
  pthread_once(&once, initialise);
  const int result = next_sched_getaffinity(thread, size, mask);
  if (result == 0 && (thread == 0 || thread == gettid()))
    tell_all_places(size, mask, __builtin_return_address(0));
  return result;
}

KINJO_EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* mask) {
  pthread_once(&once, initialise);
  const int error = next_pthread_getaffinity_np(thread, size, mask);
  if (error == 0 && pthread_equal(thread, pthread_self()))
    tell_all_places(size, mask, __builtin_return_address(0));
  return error;
}

KINJO_EXPORT int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t* mask) {
  pthread_once(&once, initialise);
  if (thread == 0 || thread == gettid()) own_mask = NULL;
  return next_sched_setaffinity(thread, size, mask);
}

KINJO_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* mask) {
  pthread_once(&once, initialise);
  if (pthread_equal(thread, pthread_self())) own_mask = NULL;
  return next_pthread_setaffinity_np(thread, size, mask);
}

// ---- Starting of programs -----------------------------------------------------------------------
//
// Exec keeps the mask of the thread that calls it, which is one place. A program into which this
// library is loaded again pins itself; any other (static, set-user-ID, after `env -i`) would have
// one CPU. So whoever starts a program, and is still held to the place that it was given, is first
// held to the CPUs of all places; where the program was not started it goes back. The places that
// the program is told decide: `kinjo run` and `kinjo cells launch`, which set others, have set the
// mask too.
//
// Between vfork and exec the child runs in its parent's memory, so nothing is written here but the
// stack; masks belong to each process.

static bool names_other_places(char* const variables[]) {
  static const char kName[] = KINJO_RUN_PLACES "=";
  if (variables == NULL) return false;
  for (char* const* entry = variables; *entry != NULL; ++entry) {
    if (strncmp(*entry, kName, sizeof kName - 1) != 0) continue;
    return places_text == NULL || strcmp(*entry + sizeof kName - 1, places_text) != 0;
  }
  return false;
}

/// Whether the kernel holds the calling thread to the place that it was given, and to nothing else.
static bool is_at_own_place(void) {
  unsigned long mask[sizeof all_places / sizeof *all_places] = {0};
  if (own_mask == NULL || mask_bytes() > sizeof mask) return false;
  if (next_sched_getaffinity(0, sizeof mask, (cpu_set_t*)mask) != 0) return false;
  for (size_t i = places.words; i < sizeof mask / sizeof *mask; ++i) {
    if (mask[i] != 0) return false;
  }
  return memcmp(mask, own_mask, mask_bytes()) == 0;
}

/// Holds the calling thread to the CPUs of all places; whether that has changed its mask.
static bool leave_place(char* const variables[]) {
  const int saved = errno;
  pthread_once(&once, initialise);
  const bool left = places.count > 1 && !names_other_places(variables) && is_at_own_place() &&
                    next_sched_setaffinity(0, mask_bytes(), (const cpu_set_t*)all_places) == 0;
  errno = saved;
  return left;
}

/// Hands on what starting a program has returned.
static int return_to_place(bool left, int result) {
  const int saved = errno;
  if (left) next_sched_setaffinity(0, mask_bytes(), (const cpu_set_t*)own_mask);
  errno = saved;
  return result;
}

static int refuse_unknown(void) {
  errno = ENOSYS;
  return -1;
}

KINJO_EXPORT int execve(const char* path, char* const arguments[], char* const variables[]) {
  const bool left = leave_place(variables);
  if (next_execve == NULL) return refuse_unknown();
  return return_to_place(left, next_execve(path, arguments, variables));
}

KINJO_EXPORT int execvpe(const char* file, char* const arguments[], char* const variables[]) {
  const bool left = leave_place(variables);
  if (next_execvpe == NULL) return refuse_unknown();
  return return_to_place(left, next_execvpe(file, arguments, variables));
}

KINJO_EXPORT int fexecve(int file, char* const arguments[], char* const variables[]) {
  const bool left = leave_place(variables);
  if (next_fexecve == NULL) return refuse_unknown();
  return return_to_place(left, next_fexecve(file, arguments, variables));
}

KINJO_EXPORT int execv(const char* path, char* const arguments[]) {
  const bool left = leave_place(environ);
  if (next_execv == NULL) return refuse_unknown();
  return return_to_place(left, next_execv(path, arguments));
}

KINJO_EXPORT int execvp(const char* file, char* const arguments[]) {
  const bool left = leave_place(environ);
  if (next_execvp == NULL) return refuse_unknown();
  return return_to_place(left, next_execvp(file, arguments));
}

/// The arguments of the functions that take them one by one, counted by `list` and with their NULL.
static size_t count_arguments(const char* first, va_list list) {
  size_t count = 1;
  for (const char* each = first; each != NULL; each = va_arg(list, const char*)) ++count;
  return count;
}

/// `list` is then at what follows the NULL.
static void take_arguments(size_t count, char** arguments, const char* first, va_list* list) {
  arguments[0] = (char*)first;
  for (size_t i = 1; i < count; ++i) arguments[i] = va_arg(*list, char*);
}

/// Puts them into `arguments`, on the stack.
#define KINJO_TAKE_ARGUMENTS(arguments, first, list)             \
  va_list list;                                                  \
  va_start(list, first);                                         \
  const size_t arguments##_count = count_arguments(first, list); \
  va_end(list);                                                  \
  char* arguments[arguments##_count];                            \
  va_start(list, first);                                         \
  take_arguments(arguments##_count, arguments, first, &list)

KINJO_EXPORT int execl(const char* path, const char* first, ...) {
  KINJO_TAKE_ARGUMENTS(arguments, first, list);
  va_end(list);
  return execv(path, arguments);
}

KINJO_EXPORT int execlp(const char* file, const char* first, ...) {
  KINJO_TAKE_ARGUMENTS(arguments, first, list);
  va_end(list);
  return execvp(file, arguments);
}

KINJO_EXPORT int execle(const char* path, const char* first, ...) {
  KINJO_TAKE_ARGUMENTS(arguments, first, list);
  char* const* const variables = va_arg(list, char* const*);
  va_end(list);
  return execve(path, arguments, variables);
}

// A spawned process has its creator's mask from the start, so for that moment the creator has it.

KINJO_EXPORT int posix_spawn(pid_t* process, const char* path,
                             const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const arguments[],
                             char* const variables[]) {
  const bool left = leave_place(variables);
  if (next_posix_spawn == NULL) return ENOSYS;
  return return_to_place(
      left, next_posix_spawn(process, path, actions, attributes, arguments, variables));
}

KINJO_EXPORT int posix_spawnp(pid_t* process, const char* file,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const arguments[],
                              char* const variables[]) {
  const bool left = leave_place(variables);
  if (next_posix_spawnp == NULL) return ENOSYS;
  return return_to_place(
      left, next_posix_spawnp(process, file, actions, attributes, arguments, variables));
}
