// What callers must not ask for: refused here, before anything is sent.
#include <algorithm>

#include <fmt/format.h>

#include "comm/world_impl.hpp"

namespace kinjo::comm::detail {

void WorldImpl::refuse_caller(const char* function) {
  throw Error(Errc::usage,
              fmt::format("{} was called inside a handler: a handler may only reply", function));
}

void WorldImpl::check_cell(int cell) const {
  if (cell < 0 || cell >= cells.count) {
    throw Error(Errc::invalid_argument,
                fmt::format("there is no cell {}: expected 0 to {}", cell, cells.count - 1));
  }
}

void WorldImpl::refuse_range(int cell, Offset offset, std::size_t bytes) const {
  check_cell(cell);
  throw Error(Errc::invalid_argument,
              fmt::format("{} bytes at offset {} of cell {} are outside its symmetric memory: "
                          "expected what `allocate` has given, from {} to {}",
                          bytes, offset, cell, first, allocated));
}

void WorldImpl::refuse_flag(Offset flag) {
  throw Error(Errc::invalid_argument,
              fmt::format("the flag at offset {} is not aligned: expected a multiple of 8", flag));
}

void WorldImpl::check_short(int cell, Offset to, std::size_t bytes, const Signal& signal) const {
  check_caller("put_short");
  if (bytes < 1 || bytes > sizeof(std::uint64_t)) {
    throw Error(Errc::invalid_argument,
                fmt::format("put_short cannot put {} bytes: expected 1 to 8", bytes));
  }
  check_range(cell, to, bytes);
  check_signal(cell, signal);
}

void WorldImpl::check_handler(HandlerId handler) const {
  if (handler >= handlers.size()) {
    throw Error(Errc::invalid_argument,
                fmt::format("there is no handler {}: {} are registered", handler, handlers.size()));
  }
}

void WorldImpl::check_rows(int cell, Offset at, const Rows& shape, std::size_t own_stride) const {
  if (shape.rows > 1 && (shape.stride < shape.row_bytes || own_stride < shape.row_bytes)) {
    throw Error(Errc::invalid_argument,
                fmt::format("rows of {} bytes overlap at a stride of {}: expected a stride of at "
                            "least their length",
                            shape.row_bytes, std::min(shape.stride, own_stride)));
  }
  if (shape.rows == 0 || shape.row_bytes == 0) return check_range(cell, at, 0);
  std::size_t extent = 0;
  if (__builtin_mul_overflow(shape.rows - 1, shape.stride, &extent) ||
      __builtin_add_overflow(extent, shape.row_bytes, &extent)) {
    extent = SIZE_MAX;
  }
  check_range(cell, at, extent);
}

}  // namespace kinjo::comm::detail
