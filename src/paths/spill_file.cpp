#include "paths/spill_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths::detail {

namespace {

[[noreturn]] void refuse_directory(const std::string& directory, const char* what, int error) {
  const Errc code = error == ENOENT || error == ENOTDIR ? Errc::not_found
                    : error == EACCES || error == EPERM ? Errc::not_permitted
                                                        : Errc::system;
  throw Error(code, fmt::format("cannot keep {} in a file in '{}': {}; expected a directory with "
                                "room for them",
                                what, kinjo::detail::printable(directory), std::strerror(error)));
}

int make_file(const std::string& directory, const char* what) {
  std::string path = directory + "/kinjo-spill-XXXXXX";
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) refuse_directory(directory, what, errno);
  unlink(path.c_str());
  return file;
}

/// Calls `transfer(done)`, which says how many of the bytes after the first `done` it has moved,
/// until all are. False where it says that there are no more.
template <class Transfer>
bool transfer_all(const SpillFile& file, std::size_t bytes, Transfer&& transfer) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t moved = transfer(done);
    if (moved == 0) return false;
    if (moved < 0 && errno != EINTR) file.refuse(errno);
    if (moved > 0) done += static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

SpillFile::SpillFile(std::string directory, const char* what)
    : directory_(std::move(directory)), what_(what), file_(make_file(directory_, what)) {}

SpillFile::~SpillFile() { close(file_); }

void SpillFile::refuse(int error) const { refuse_directory(directory_, what_, error); }

void SpillFile::write(off_t at, const void* data, std::size_t bytes) const {
  const bool done = transfer_all(*this, bytes, [&](std::size_t from) {
    return pwrite(file_, static_cast<const char*>(data) + from, bytes - from,
                  at + static_cast<off_t>(from));
  });
  if (!done) refuse(ENOSPC);
}

void SpillFile::read(off_t at, void* data, std::size_t bytes) const {
  const bool done = transfer_all(*this, bytes, [&](std::size_t from) {
    return pread(file_, static_cast<char*>(data) + from, bytes - from,
                 at + static_cast<off_t>(from));
  });
  if (!done) refuse(EIO);  // it is shorter than what was written
}

std::uint64_t free_bytes(const std::string& directory) {
  struct stat status;
  if (stat(directory.c_str(), &status) != 0) refuse_directory(directory, "nodes", errno);
  if (!S_ISDIR(status.st_mode)) refuse_directory(directory, "nodes", ENOTDIR);
  struct statvfs disk;
  if (statvfs(directory.c_str(), &disk) != 0) refuse_directory(directory, "nodes", errno);
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

}  // namespace kinjo::paths::detail
