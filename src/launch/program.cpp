#include "launch/program.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

/// 0, EACCES or ENOENT.
int check_executable(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return errno == EACCES ? EACCES : ENOENT;
  return S_ISREG(file.st_mode) && access(path.c_str(), X_OK) == 0 ? 0 : EACCES;
}

/// The interpreter of a script, empty if `path` is none. The kernel reads no more either.
std::string script_interpreter(const std::string& path) {
  constexpr std::size_t kLineLimit = 256;
  std::string line(kLineLimit, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  if (!line.starts_with("#!")) return {};
  const std::size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_first_of(std::string_view(" \t\n\0", 4), begin) - begin);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Whether the kernel starts it with privileges that its caller lacks: the loader then ignores
/// LD_PRELOAD.
bool gains_privileges(const std::string& path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return false;
  if ((file.st_mode & S_ISUID) && file.st_uid != getuid()) return true;
  if ((file.st_mode & S_ISGID) && file.st_gid != getgid()) return true;
  return getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

}  // namespace

FoundProgram find_program(const std::string& command) {
  if (command.find('/') != std::string::npos) {
    const int error = check_executable(command);
    return {error == 0 ? command : std::string(), error};
  }
  const char* path = std::getenv("PATH");
  int error = ENOENT;
  for (const std::string_view folder : split(path ? path : "/bin:/usr/bin", ':')) {
    if (command.empty()) break;
    const std::string candidate = (folder.empty() ? "." : std::string(folder)) + "/" + command;
    const int found = check_executable(candidate);
    if (found == 0) return {candidate, 0};
    if (found == EACCES) error = EACCES;
  }
  return {{}, error};
}

Executable find_executable(const std::string& path) {
  constexpr int kMaxScripts = 5;  // as the kernel's BINPRM limit
  std::string at = path;
  for (int depth = 0; depth < kMaxScripts; ++depth) {
    const std::string interpreter = script_interpreter(at);
    if (interpreter.empty()) break;
    at = interpreter;
  }
  return {at, read_elf(at)};
}

std::string preload_obstacle(const Executable& executable) {
  const ElfFile& elf = executable.elf;
  if (elf.kind == ElfFile::Kind::foreign) return "is built for another architecture";
  if (elf.kind == ElfFile::Kind::other)
    return {};  // execvp hands it to the shell, which is dynamic
  if (elf.loader.empty()) return "is statically linked";
  // Another C library (musl) has another loader, and cannot load a library made for glibc.
  if (file_name(elf.loader) != file_name(own_loader())) {
    return "has the loader " + elf.loader + ", for which kinjo's preloaded library is not made";
  }
  if (elf.go) return "is a Go program, whose goroutines wander from thread to thread";
  if (gains_privileges(executable.path)) {
    return "is set-user-ID, set-group-ID or holds capabilities, so that its loader ignores "
           "preloaded libraries";
  }
  return {};
}

}  // namespace kinjo::detail
