#include "graph/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/npy_file.hpp"
#include "base/text.hpp"

namespace kinjo::graph::detail {

namespace {

[[noreturn]] void refuse_errno(const std::string& path, int error) {
  const Errc code = error == EACCES || error == EPERM     ? Errc::not_permitted
                    : error == ENOENT || error == ENOTDIR ? Errc::not_found
                                                          : Errc::system;
  throw Error(code, fmt::format("cannot read '{}': {}", kinjo::detail::printable(path),
                                std::strerror(error)));
}

}  // namespace

void refuse_file(const std::string& path, const std::string& fault) {
  throw Error(Errc::bad_input,
              fmt::format("cannot read '{}': {}", kinjo::detail::printable(path), fault));
}

MappedFile::MappedFile(const std::string& path) {
  // A pipe without a writer must not keep us waiting.
  const kinjo::detail::FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0) refuse_errno(path, errno);
  if (S_ISDIR(status.st_mode)) refuse_errno(path, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse_file(path, "expected an ordinary file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) refuse_errno(path, errno);
  keeper_ = std::shared_ptr<const void>(
      data, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  bytes_ = {static_cast<const char*>(data), size};
}

}  // namespace kinjo::graph::detail
