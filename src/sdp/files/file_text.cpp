#include "sdp/files/file_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/npy_file.hpp"
#include "base/text.hpp"

namespace kinjo::sdp::detail {

namespace {

[[noreturn]] void refuse_errno(const std::string& file, int error) {
  const Errc code = error == EACCES || error == EPERM     ? Errc::not_permitted
                    : error == ENOENT || error == ENOTDIR ? Errc::not_found
                                                          : Errc::system;
  throw Error(code, fmt::format("cannot read '{}': {}", kinjo::detail::printable(file),
                                std::strerror(error)));
}

}  // namespace

void refuse_file(const std::string& file, const std::string& fault) {
  throw Error(Errc::bad_input,
              fmt::format("cannot read '{}': {}", kinjo::detail::printable(file), fault));
}

std::string file_text(const std::string& file) {
  // A pipe without a writer must not keep us waiting.
  const kinjo::detail::FileHandle handle(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!handle || fstat(handle.get(), &status) != 0) refuse_errno(file, errno);
  if (S_ISDIR(status.st_mode)) refuse_errno(file, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse_file(file, "expected an ordinary file");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = read(handle.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(file, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace kinjo::sdp::detail
