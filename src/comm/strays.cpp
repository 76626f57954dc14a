#include "comm/strays.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace kinjo::comm::detail {
namespace {

/// The parent of a process; −1 if it is gone.
pid_t parent_of(pid_t process) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return -1;
  char line[512];
  const std::size_t bytes = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  line[bytes] = '\0';
  // The name stands in parentheses, and may hold any.
  const char* const name_end = std::strrchr(line, ')');
  pid_t parent = -1;
  if (name_end == nullptr || std::sscanf(name_end + 1, " %*c %d", &parent) != 1) return -1;
  return parent;
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder.get())) {
    const auto process = static_cast<pid_t>(std::atoi(entry->d_name));
    if (process > 0 && parent_of(process) == getpid()) found.push_back(process);
  }
  return found;
}

bool contains(std::span<const pid_t> processes, pid_t process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

}  // namespace

Strays::Strays() : before_(children()) {
  prctl(PR_GET_CHILD_SUBREAPER, &adopted_before_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Strays::~Strays() { prctl(PR_SET_CHILD_SUBREAPER, adopted_before_); }

bool Strays::signal(int number, std::span<const pid_t> cells) {
  bool left = false;
  for (const pid_t child : children()) {
    if (contains(cells, child) || contains(before_, child)) continue;
    if (waitpid(child, nullptr, WNOHANG) == child) continue;
    left = true;
    if (signalled_.emplace(child, number).second) kill(child, number);
  }
  return left;
}

void Strays::reap(std::span<const pid_t> cells) {
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return;
    // A cell's end is taken by who has its descriptor.
    if (contains(cells, ended.si_pid)) return;
    waitpid(ended.si_pid, nullptr, WNOHANG);
  }
}

}  // namespace kinjo::comm::detail
