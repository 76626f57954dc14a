/// What other cells of this host have sent to this one, and the ways to them.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "comm/neighbourhood.hpp"
#include "comm/remote.hpp"
#include "comm/ring.hpp"

namespace kinjo::comm::detail {

/// The rings of one member, with what had to be taken out of them while handlers could not run.
class Mailbox {
 public:
  explicit Mailbox(Neighbourhood& neighbourhood, std::vector<int> cells_of_members);

  /// Writes to a member's ring; false where it has no room. The member itself gets what it sends
  /// to itself by the same way.
  bool write(int to, Kind kind, std::uint16_t handler, const void* head, std::size_t head_bytes,
             const void* data, std::size_t data_bytes) {
    if (!kept_.empty() && !send_kept(to)) return false;
    return writers_[static_cast<std::size_t>(to)].write(kind, handler, head, head_bytes, data,
                                                        data_bytes);
  }

  /// Keeps a copy of what found no room, to be written later. For handlers: one that waited for
  /// room would wait for ever where the other cell's handler does the same.
  void keep(int to, Kind kind, std::uint16_t handler, const void* head, std::size_t head_bytes,
            const void* data, std::size_t data_bytes);
  bool keeps() const { return !kept_.empty(); }
  /// Writes what is kept, as far as there is room.
  void send_kept();

  /// Whether there is anything to deliver.
  bool waiting() const {
    for (const RingReader& reader : readers_) {
      if (reader.waiting()) return true;
    }
    return !stored_.empty();
  }

  /// Hands what is there to `inbox`, in the order in which each sender sent it. `heap` is this
  /// cell's memory, where long messages lie. What `inbox` throws passes through, and its message is
  /// gone.
  void deliver(Inbox& inbox, const std::byte* heap);

  /// Takes messages out of the rings without delivering them, so that their senders find room.
  void store();

 private:
  struct Stored {
    int from = 0;
    Kind kind = Kind::request;
    std::uint16_t handler = 0;
    std::vector<std::byte> data;
  };
  struct Kept {
    int to = 0;
    Kind kind = Kind::reply;
    std::uint16_t handler = 0;
    std::vector<std::byte> payload;
  };
  void deliver_stored(Inbox& inbox, const std::byte* heap);
  /// Writes what is kept for a member; false where some of it still has no room.
  bool send_kept(int to);

  Neighbourhood& neighbourhood_;
  std::vector<int> cells_;
  std::vector<RingWriter> writers_;
  std::vector<RingReader> readers_;
  std::deque<Stored> stored_;
  std::deque<Kept> kept_;
};

}  // namespace kinjo::comm::detail
