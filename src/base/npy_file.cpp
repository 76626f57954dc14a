#include "base/npy_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

[[noreturn]] void refuse_file(Errc code, const std::string& path, const std::string& fault) {
  throw Error(code, fmt::format("cannot read '{}': {}", printable(path), fault));
}

[[noreturn]] void refuse_errno(const std::string& path, int error) {
  const Errc code = error == EACCES || error == EPERM     ? Errc::not_permitted
                    : error == ENOENT || error == ENOTDIR ? Errc::not_found
                                                          : Errc::system;
  refuse_file(code, path, std::strerror(error));
}

struct stat status_of(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) refuse_errno(path, errno);
  return status;
}

std::string read_start(int file, const std::string& path) {
  std::string text(kNpyHeaderMost, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got =
        pread(file, text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(path, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace

FileHandle::~FileHandle() {
  if (number_ >= 0) close(number_);
}
FileHandle::FileHandle(FileHandle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

NpyFile::NpyFile(const std::string& path, NpyElements accepted) : path_(path) {
  // A pipe without a writer must not keep us waiting.
  file_ = FileHandle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file_) refuse_errno(path, errno);
  const struct stat status = status_of(file_.get(), path);
  if (S_ISDIR(status.st_mode)) refuse_errno(path, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse("expected an ordinary file");
  header_ = parse_npy_header(read_start(file_.get(), path), path, accepted);
  size_ = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t expected = header_.data_offset + header_.data_bytes();
  if (size_ != expected) {
    refuse(fmt::format("it has {} bytes: its header says {}", size_, expected));
  }
  seconds_ = status.st_mtim.tv_sec;
  nanoseconds_ = status.st_mtim.tv_nsec;
}

std::string NpyFile::identity() const {
  return fmt::format("{} bytes, modified {}.{:09}", size_, seconds_, nanoseconds_);
}

void NpyFile::check_unchanged() const {
  const struct stat now = status_of(file_.get(), path_);
  if (static_cast<std::uint64_t>(now.st_size) == size_ && now.st_mtim.tv_sec == seconds_ &&
      now.st_mtim.tv_nsec == nanoseconds_) {
    return;
  }
  refuse("it was changed while it was read");
}

void NpyFile::read_by(int file, std::uint64_t begin, std::uint64_t need, std::uint64_t end,
                      char* into) const {
  const std::uint64_t first = begin;
  while (begin < need) {
    const ssize_t got = pread(file, into + (begin - first), end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(path_, errno);
    if (got == 0) {
      refuse(fmt::format("it ended at byte {} while it was read: expected {} bytes", begin, size_));
    }
    begin += static_cast<std::uint64_t>(got);
  }
}

void NpyFile::refuse(const std::string& fault) const { refuse_file(Errc::bad_input, path_, fault); }

}  // namespace kinjo::detail
