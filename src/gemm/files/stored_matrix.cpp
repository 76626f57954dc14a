#include "gemm/files/stored_matrix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::gemm {

namespace {

[[noreturn]] void refuse(Errc code, const std::string& path, const std::string& fault) {
  throw Error(code, fmt::format("cannot read '{}': {}", detail::printable(path), fault));
}

[[noreturn]] void refuse_errno(const std::string& path, int error) {
  const Errc code = error == EACCES || error == EPERM     ? Errc::not_permitted
                    : error == ENOENT || error == ENOTDIR ? Errc::not_found
                                                          : Errc::system;
  refuse(code, path, std::strerror(error));
}

struct stat status_of(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) refuse_errno(path, errno);
  return status;
}

std::string read_start(int file, const std::string& path) {
  std::string text(detail::kNpyHeaderMost, '\0');
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

/// The file again for direct transfers; none where the file system or the device have none.
FileHandle open_direct(const std::string& path) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT));
  alignas(kDirectBlock) static thread_local char block[kDirectBlock];
  if (file && pread(file.get(), block, sizeof(block), 0) < 0) return FileHandle();
  return file;
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

StoredMatrix::StoredMatrix(const std::string& path, Transposed transposed, Access access)
    : path_(path), transposed_(transposed == Transposed::yes) {
  // A pipe without a writer must not keep us waiting.
  file_ = FileHandle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file_) refuse_errno(path, errno);
  const struct stat status = status_of(file_.get(), path);
  if (S_ISDIR(status.st_mode)) refuse_errno(path, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse(Errc::bad_input, path, "expected an ordinary file");
  header_ = detail::parse_npy_header(read_start(file_.get(), path), path);
  if (header_.shape.size() != 2) {
    refuse(
        Errc::bad_input, path,
        fmt::format("it has shape ({}): expected two dimensions", fmt::join(header_.shape, ", ")));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t expected = header_.data_offset + header_.data_bytes();
  if (size_ != expected) {
    refuse(Errc::bad_input, path,
           fmt::format("it has {} bytes: its header says {}", size_, expected));
  }
  seconds_ = status.st_mtim.tv_sec;
  nanoseconds_ = status.st_mtim.tv_nsec;
  if (access == Access::direct) direct_ = open_direct(path);
}

Order StoredMatrix::order() const {
  const bool by_rows = (header_.order == detail::NpyOrder::c) != transposed_;
  return by_rows ? Order::row_major : Order::column_major;
}

FileLayout StoredMatrix::layout() const {
  const bool by_rows = order() == Order::row_major;
  return {header_.data_offset, by_rows ? rows() : columns(), by_rows ? columns() : rows(),
          detail::bytes_of(header_.type)};
}

LinePart StoredMatrix::part(Range row_range, Range column_range) const {
  return order() == Order::row_major ? LinePart{row_range, column_range}
                                     : LinePart{column_range, row_range};
}

std::string StoredMatrix::identity() const {
  return fmt::format("{} bytes, modified {}.{:09}, {} ({}) in {} from byte {}{}", size_, seconds_,
                     nanoseconds_, detail::to_string(header_.type), fmt::join(header_.shape, ", "),
                     detail::to_string(header_.order), header_.data_offset,
                     transposed_ ? ", transposed" : "");
}

void StoredMatrix::check_unchanged() const {
  const struct stat now = status_of(file_.get(), path_);
  if (static_cast<std::uint64_t>(now.st_size) == size_ && now.st_mtim.tv_sec == seconds_ &&
      now.st_mtim.tv_nsec == nanoseconds_) {
    return;
  }
  refuse(Errc::bad_input, path_, "it was changed while it was read");
}

/// Reads on from `begin` until `need` is reached; `end` is what may be asked for.
void StoredMatrix::read_through(int file, std::uint64_t begin, std::uint64_t need,
                                std::uint64_t end, char* into) const {
  const std::uint64_t first = begin;
  while (begin < need) {
    const ssize_t got = pread(file, into + (begin - first), end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(path_, errno);
    if (got == 0) {
      refuse(Errc::bad_input, path_,
             fmt::format("it ended at byte {} while it was read: expected {} bytes", begin, size_));
    }
    begin += static_cast<std::uint64_t>(got);
  }
}

void StoredMatrix::read(std::uint64_t offset, std::size_t bytes, char* into) const {
  const std::uint64_t end = offset + bytes;
  if (direct_) {
    const std::uint64_t before = offset % kDirectBlock;
    const std::uint64_t after = (kDirectBlock - end % kDirectBlock) % kDirectBlock;
    return read_through(direct_.get(), offset - before, end, end + after, into - before);
  }
  read_through(file_.get(), offset, end, end, into);
  posix_fadvise(file_.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes),
                POSIX_FADV_DONTNEED);
}

}  // namespace kinjo::gemm
