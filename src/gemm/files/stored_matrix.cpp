#include "gemm/files/stored_matrix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {

bool are_same(int a, int b) {
  struct stat one {
  }, other{};
  const bool are_known = fstat(a, &one) == 0 && fstat(b, &other) == 0;
  return are_known && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// The file again for direct transfers; none where the file system or the device have none, or
/// somebody has given the name to another file meanwhile.
FileHandle open_direct(const detail::NpyFile& npy) {
  FileHandle file(open(npy.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECT));
  if (!file || !are_same(file.get(), npy.number())) return FileHandle();
  alignas(kDirectBlock) static thread_local char block[kDirectBlock];
  return pread(file.get(), block, sizeof(block), 0) < 0 ? FileHandle() : std::move(file);
}

}  // namespace

StoredMatrix::StoredMatrix(const std::string& path, Transposed transposed, Access access)
    : file_(path), transposed_(transposed == Transposed::yes) {
  if (header().shape.size() != 2) {
    file_.refuse(
        fmt::format("it has shape ({}): expected two dimensions", fmt::join(header().shape, ", ")));
  }
  if (access == Access::direct) direct_ = open_direct(file_);
  // No more than is asked for comes to the page cache, since no more is dropped from it.
  if (!direct_) posix_fadvise(file_.number(), 0, 0, POSIX_FADV_RANDOM);
}

Order StoredMatrix::order() const {
  const bool by_rows = (header().order == detail::NpyOrder::c) != transposed_;
  return by_rows ? Order::row_major : Order::column_major;
}

FileLayout StoredMatrix::layout() const {
  const bool by_rows = order() == Order::row_major;
  return {header().data_offset, by_rows ? rows() : columns(), by_rows ? columns() : rows(),
          detail::bytes_of(header().type)};
}

LinePart StoredMatrix::part(Range row_range, Range column_range) const {
  return order() == Order::row_major ? LinePart{row_range, column_range}
                                     : LinePart{column_range, row_range};
}

std::string StoredMatrix::identity() const {
  return fmt::format("{}, {} ({}) in {} from byte {}{}", file_.identity(),
                     detail::to_string(header().type), fmt::join(header().shape, ", "),
                     detail::to_string(header().order), header().data_offset,
                     transposed_ ? ", transposed" : "");
}

void StoredMatrix::read(std::uint64_t offset, std::size_t bytes, char* into) const {
  const std::uint64_t end = offset + bytes;
  if (direct_) {
    const std::uint64_t before = offset % kDirectBlock;
    const std::uint64_t after = (kDirectBlock - end % kDirectBlock) % kDirectBlock;
    return file_.read_by(direct_.get(), offset - before, end, end + after, into - before);
  }
  read_cached(offset, end, into);
}

/// Piece by piece, so that there is never more than one in the page cache. The system drops whole
/// pages only.
void StoredMatrix::read_cached(std::uint64_t begin, std::uint64_t end, char* into) const {
  while (begin < end) {
    const std::uint64_t first = begin - begin % kDirectBlock;
    const std::uint64_t to = std::min<std::uint64_t>(end, first + kCachedPiece);
    file_.read(begin, to, to, into);
    posix_fadvise(file_.number(), static_cast<off_t>(first),
                  static_cast<off_t>(detail::round_up(to - first, kDirectBlock)),
                  POSIX_FADV_DONTNEED);
    into += to - begin;
    begin = to;
  }
}

}  // namespace kinjo::gemm
