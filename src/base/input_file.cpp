#include "base/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::detail {

FileHandle::~FileHandle() {
  if (number_ >= 0) close(number_);
}
FileHandle::FileHandle(FileHandle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Errc code_of(int error) noexcept {
  if (error == EACCES || error == EPERM || error == EROFS) return Errc::not_permitted;
  return error == ENOENT || error == ENOTDIR ? Errc::not_found : Errc::system;
}

void refuse_file(const std::string& path, const std::string& fault) {
  throw Error(Errc::bad_input, fmt::format("cannot read '{}': {}", printable(path), fault));
}

void refuse_errno(const std::string& path, int error) {
  throw Error(code_of(error),
              fmt::format("cannot read '{}': {}", printable(path), std::strerror(error)));
}

struct stat status_of(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) refuse_errno(path, errno);
  return status;
}

InputFile open_input(const std::string& path) {
  // A pipe without a writer must not keep us waiting.
  FileHandle handle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!handle) refuse_errno(path, errno);
  const struct stat status = status_of(handle.get(), path);
  if (S_ISDIR(status.st_mode)) refuse_errno(path, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse_file(path, "expected an ordinary file");
  return {std::move(handle), status};
}

std::string read_start(int file, const std::string& path, std::size_t most) {
  std::string text(most, '\0');
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

}  // namespace kinjo::detail
