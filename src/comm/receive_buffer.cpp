#include "comm/receive_buffer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "comm/copying.hpp"

namespace kinjo::comm::detail {

void ReceiveBuffer::piece(int from, int tag, std::uint64_t total, std::uint64_t position,
                          const void* data, std::size_t bytes) {
  Entry& entry = open_[static_cast<std::size_t>(from)];
  if (position == 0) {
    entry = {.from = from, .tag = tag, .total = total, .data = {}};
    entry.data.reserve(total);
  }
  const auto* first = static_cast<const std::byte*>(data);
  entry.data.insert(entry.data.end(), first, first + bytes);
  if (entry.data.size() == entry.total) complete_.push_back(std::move(entry));
}

std::optional<Received> ReceiveBuffer::take(int from, int tag, void* data, std::size_t capacity) {
  const auto found = std::find_if(complete_.begin(), complete_.end(), [&](const Entry& entry) {
    return (from == kAny || entry.from == from) && (tag == kAny || entry.tag == tag);
  });
  if (found == complete_.end()) return std::nullopt;
  const Received received{.from = found->from, .tag = found->tag, .bytes = found->data.size()};
  if (received.bytes > capacity) {
    throw Error(Errc::invalid_argument,
                fmt::format("the message of cell {} with tag {} has {} bytes: expected room for "
                            "them, and there is room for {}",
                            received.from, received.tag, received.bytes, capacity));
  }
  copy_row(data, found->data.data(), received.bytes);
  complete_.erase(found);
  return received;
}

}  // namespace kinjo::comm::detail
