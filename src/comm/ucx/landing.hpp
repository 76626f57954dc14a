/// Where the payload of puts goes. A put is complete when as many bytes of it have come as it has,
/// in whatever order; then its flag rises, or its message joins the mail, and its sender's count of
/// complete puts grows by one. What a fence of the sender holds back is kept aside until that count
/// has reached what stood before the fence.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

#include "comm/ucx/mail.hpp"
#include "comm/ucx/packet.hpp"

namespace kinjo::comm::detail {

class Landing {
 public:
  Landing(std::span<std::byte> memory, int cells, Mail& mail)
      : memory_(memory), senders_(static_cast<std::size_t>(cells)), mail_(mail) {}

  // Each says false, and writes nothing, where the packet is wrong. `head.from` is a cell.

  bool put(const PutHead& head, const std::byte* data, std::size_t bytes);
  bool piece(const PieceHead& head, const std::byte* data, std::size_t bytes);

  /// Where those bytes of a piece may be written by others than `piece`; null where they may not.
  /// `landed` then says that they have been.
  std::byte* direct(const PieceHead& head, std::size_t bytes);
  bool landed(const PieceHead& head, std::size_t bytes);

  /// How many puts of this sender are complete.
  std::uint64_t applied(int from) const { return senders_[static_cast<std::size_t>(from)].applied; }
  /// What an `ask` may read; its base is null where it may not.
  Strided source(const Region& region) const;

 private:
  /// A put of which some bytes have come.
  struct Open {
    std::uint64_t total = 0;
    std::uint64_t missing = 0;
  };
  struct Held {
    PieceHead head;
    std::vector<std::byte> data;
  };
  struct Sender {
    std::uint64_t applied = 0;
    std::unordered_map<std::uint64_t, Open> open;
    std::list<Held> held;
    bool is_releasing = false;
  };

  Sender& sender(const Head& head) { return senders_[head.from]; }
  bool is_right(const PieceHead& head, std::size_t bytes) const;
  bool is_right(const Head& head, const Flag& flag) const;
  bool apply(const PieceHead& head, const std::byte* data, std::size_t bytes);
  void complete(const Head& head, const Flag& flag, Offset to, std::size_t bytes);
  void release_held(Sender& sender);

  std::span<std::byte> memory_;
  std::vector<Sender> senders_;
  Mail& mail_;
};

}  // namespace kinjo::comm::detail
