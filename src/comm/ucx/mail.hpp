/// What has come for the cell's own thread: messages for handlers, and pieces of two-sided
/// messages, which are put in the order of their numbers here.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "comm/remote.hpp"
#include "comm/ucx/packet.hpp"

namespace kinjo::comm::detail {

class Mail {
 public:
  /// Of `cells` cells, whose handlers have numbers below `handlers`.
  Mail(int cells, std::size_t handlers)
      : handlers_(handlers), streams_(static_cast<std::size_t>(cells)) {}

  // These three say false to what cannot be.
  /// Copies the payload.
  bool message(const Head& head, const std::byte* data, std::size_t bytes);
  /// The payload lies in the symmetric memory.
  bool long_message(const Head& head, const std::byte* data, std::size_t bytes);
  bool piece(const SentHead& head, const std::byte* data, std::size_t bytes);
  bool knows(HandlerId handler) const { return handler < handlers_; }

  /// Takes all that has come so far, in order.
  class Bag;
  bool is_empty() const { return letters_.empty(); }
  void move_to(Bag& bag);

 private:
  struct Letter {
    Head head;
    std::unique_ptr<std::byte[]> owned;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    bool is_piece = false;
    std::uint64_t total = 0;
    std::uint64_t position = 0;
    int tag = 0;
  };
  struct Stream {
    std::uint64_t next = 0;                 ///< the number of the piece that comes next
    std::map<std::uint64_t, Letter> early;  ///< those that have overtaken others
  };
  static Letter letter(const Head& head, const std::byte* data, std::size_t bytes);

  std::size_t handlers_;
  std::vector<Stream> streams_;
  std::deque<Letter> letters_;
};

/// Letters that the cell's thread has taken: nobody else touches them.
class Mail::Bag {
 public:
  /// Hands them over, each once, even where a handler throws.
  void deliver(Inbox& inbox);

 private:
  friend class Mail;
  std::deque<Letter> letters_;
};

}  // namespace kinjo::comm::detail
