/// Two-sided messages that have arrived and that nobody has asked for yet (S4 section 2.1: the
/// buffering that PUT does without).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <kinjo/comm.hpp>

namespace kinjo::comm::detail {

class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(int cells) : open_(static_cast<std::size_t>(cells)) {}

  /// Pieces of one sender come in order; the one at position 0 begins a message of `total` bytes.
  void piece(int from, int tag, std::uint64_t total, std::uint64_t position, const void* data,
             std::size_t bytes);

  /// Copies the oldest message that matches to `data` and forgets it; nothing where there is none.
  /// Throws `Error` (`invalid_argument`), and keeps it, where it exceeds `capacity`.
  std::optional<Received> take(int from, int tag, void* data, std::size_t capacity);

 private:
  struct Entry {
    int from = 0;
    int tag = 0;
    std::uint64_t total = 0;
    std::vector<std::byte> data;
  };
  std::vector<Entry> open_;  ///< by sender: what has come of a message in pieces
  std::deque<Entry> complete_;
};

}  // namespace kinjo::comm::detail
