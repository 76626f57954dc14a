#include "base/npy_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace kinjo::detail {

NpyFile::NpyFile(const std::string& path, NpyElements accepted) : path_(path) {
  InputFile opened = open_input(path);
  const struct stat status = opened.status;
  file_ = std::move(opened.handle);
  header_ = parse_npy_header(read_start(file_.get(), path, kNpyHeaderMost), path, accepted);
  size_ = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t expected = header_.data_offset + header_.data_bytes();
  if (size_ != expected) {
    refuse(fmt::format("it has {} bytes: its header says {}", size_, expected));
  }
  seconds_ = status.st_mtim.tv_sec;
  nanoseconds_ = status.st_mtim.tv_nsec;
}

std::string NpyFile::identity() const {
  return fmt::format("{} bytes, modified {:%Y-%m-%dT%H:%M:%S}.{:09}Z", size_, fmt::gmtime(seconds_),
                     nanoseconds_);
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

void NpyFile::refuse(const std::string& fault) const { refuse_file(path_, fault); }

}  // namespace kinjo::detail
