#include "launch/preloading.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "launch/elf.hpp"
#include "launch/places.h"

namespace kinjo::detail {

namespace {

[[noreturn]] void fail(const char* call) {
  throw Error(Errc::system, fmt::format("cannot watch over the preloaded library: {} returned {}",
                                        call, errno_name(errno)));
}

/// Closes all but the standard streams, also where the kernel has no call for it (before Linux 5.9,
/// or in a container).
void close_others() {
  if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0) return;
  rlimit limit{};
  constexpr rlim_t kMost = 1 << 20;
  const bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0;
  const rlim_t end = known ? std::min(limit.rlim_cur, kMost) : kMost;
  for (rlim_t file = STDERR_FILENO + 1; file < end; ++file) close(static_cast<int>(file));
}

/// The watcher's life. After fork only calls that are safe in a signal handler.
[[noreturn]] void watch(int fd, const std::string& complaint) {
  if (chdir("/") != 0) _exit(1);  // holds no file system busy
  dup2(fd, STDIN_FILENO);
  // Nobody who waits for the end of our standard output shall wait for the watcher.
  close(STDOUT_FILENO);
  close_others();  // above all the writing end
  char byte;
  ssize_t got;
  do {
    got = read(STDIN_FILENO, &byte, 1);
  } while (got < 0 && errno == EINTR);
  const bool told = got == 1 || write(STDERR_FILENO, complaint.data(), complaint.size()) >= 0;
  _exit(told ? 0 : 1);
}

/// This executable's file. Where /proc is not mounted, as it was named when it was started.
std::filesystem::path own_file() {
  std::error_code error;
  auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return file;
  const std::string reason = error.message();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): so the kernel hands it over
  const auto* const started_as = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started_as != nullptr) file = std::filesystem::canonical(started_as, error);
  if (started_as != nullptr && !error) return file;
  throw Error(Errc::not_found,
              fmt::format("cannot find the preloaded library beside this program: /proc/self/exe "
                          "cannot be read ({}); name the file in KINJO_PRELOAD",
                          reason));
}

}  // namespace

std::string find_preload_library() {
  std::string path;
  if (const char* named = std::getenv("KINJO_PRELOAD"); named != nullptr && *named != '\0') {
    path = std::filesystem::absolute(named).lexically_normal();
  } else {
    path = (own_file().parent_path() / KINJO_PRELOAD_RELATIVE).lexically_normal();
  }
  if (access(path.c_str(), R_OK) != 0) {
    throw Error(Errc::not_found,
                fmt::format("cannot read the preloaded library {}: {}; reinstall kinjo, or name "
                            "the file in KINJO_PRELOAD",
                            path, errno_name(errno)));
  }
  if (const ElfFile elf = read_elf(path); elf.kind != ElfFile::Kind::native || !elf.dynamic) {
    throw Error(Errc::bad_input,
                fmt::format("{} is not a shared library for this architecture", path));
  }
  if (path.find_first_of(" :") != std::string::npos) {
    throw Error(Errc::bad_input,
                fmt::format("cannot preload {}: LD_PRELOAD takes no path with a space or a colon; "
                            "name a copy elsewhere in KINJO_PRELOAD",
                            path));
  }
  return path;
}

void set_preload(Environment& environment, const std::string& library, bool verbose) {
  const char* others = environment.find("LD_PRELOAD");
  environment.set("LD_PRELOAD", others && *others ? library + ":" + others : library);
  environment.unset(KINJO_RUN_VERBOSE);
  if (verbose) environment.set(KINJO_RUN_VERBOSE, "1");
}

void allow_sanitizer(Environment& environment) {
  constexpr std::string_view kOption = "verify_asan_link_order";
  const char* const options = environment.find("ASAN_OPTIONS");
  const std::string_view asked = options != nullptr ? options : "";
  if (asked.find(kOption) != asked.npos) return;
  environment.set("ASAN_OPTIONS",
                  fmt::format("{}{}{}=0", asked, asked.empty() ? "" : ":", kOption));
}

void clear_preload(Environment& environment) {
  environment.unset(KINJO_RUN_PLACES);
  environment.unset(KINJO_RUN_ACK);
}

namespace {

/// Whether children whose parents have ended become this process's.
bool adopts_orphans() {
  int flag = 0;
  return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &flag) == 0 && flag != 0);
}

/// A grandchild whose parent has ended, so that the program will not find a child that it never
/// made.
template <class Body>
void fork_away(const Body& body) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild != 0) _exit(grandchild < 0 ? errno : 0);
    body();
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 0) return;
  errno = WEXITSTATUS(status);
  fail("fork");
}

/// The same where that would come back: a child without a signal for its end, which `wait` passes
/// over unless it is asked for such (`__WALL`).
template <class Body>
void fork_unseen(const Body& body) {
  const long child = syscall(SYS_clone, 0, 0, 0, 0, 0);
  if (child < 0) fail("clone");
  if (child == 0) body();
}

}  // namespace

PreloadWatcher::PreloadWatcher(const std::string& complaint) {
  int ends[2];
  // A pair of sockets, because writing to a pipe whose watcher was killed would raise SIGPIPE.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  answer_fd_ = ends[1];
  if (adopts_orphans()) {
    fork_unseen([&] { watch(ends[0], complaint); });
  } else {
    fork_away([&] { watch(ends[0], complaint); });
  }
  close(ends[0]);
  struct stat file;
  if (fstat(answer_fd_, &file) != 0) fail("fstat");
  fcntl(answer_fd_, F_SETFD, 0);  // lives through exec
  inode_ = file.st_ino;
}

void PreloadWatcher::announce(Environment& environment) const {
  environment.set(KINJO_RUN_ACK, fmt::format("{}:{}", answer_fd_, inode_));
}

PreloadWatcher::~PreloadWatcher() {
  send(answer_fd_, "k", 1, MSG_NOSIGNAL);
  close(answer_fd_);
}

}  // namespace kinjo::detail
