#include "comm/ucx/packet.hpp"

#include <algorithm>

#include "comm/copying.hpp"

namespace kinjo::comm::detail {

namespace {

/// Calls `part(offset in the stream, address, bytes)` for each row's share of a stretch.
template <class Part>
void for_each_row(const Strided& memory, std::uint64_t position, std::uint64_t bytes,
                  const Part& part) {
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t left_of_row = memory.row_bytes - (position + done) % memory.row_bytes;
    const std::uint64_t count = std::min(left_of_row, bytes - done);
    part(done, memory.address(position + done), count);
    done += count;
  }
}

}  // namespace

bool Region::lies_in(std::uint64_t size) const {
  if (at > size) return false;
  if (rows == 0 || row_bytes == 0) return true;
  std::uint64_t between = 0, end = 0, all = 0;
  if (__builtin_mul_overflow(rows - 1, stride, &between)) return false;
  if (__builtin_add_overflow(between, row_bytes, &end)) return false;
  if (__builtin_mul_overflow(rows, row_bytes, &all)) return false;
  // Rows that overlap would be more bytes than there are.
  if (rows > 1 && stride < row_bytes) return false;
  return end <= size - at;
}

void Strided::write(std::uint64_t position, const std::byte* data, std::uint64_t bytes) const {
  if (bytes == 0) return;
  if (is_contiguous()) {
    copy_row(base + position, data, bytes);
    return;
  }
  for_each_row(*this, position, bytes,
               [data](std::uint64_t done, std::byte* address, std::uint64_t count) {
                 copy_row(address, data + done, count);
               });
}

void Strided::read(std::uint64_t position, std::byte* data, std::uint64_t bytes) const {
  if (bytes == 0) return;
  if (is_contiguous()) {
    copy_row(data, base + position, bytes);
    return;
  }
  for_each_row(*this, position, bytes,
               [data](std::uint64_t done, const std::byte* address, std::uint64_t count) {
                 copy_row(data + done, address, count);
               });
}

}  // namespace kinjo::comm::detail
