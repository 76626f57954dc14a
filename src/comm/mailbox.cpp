#include "comm/mailbox.hpp"

#include <span>

namespace kinjo::comm::detail {
namespace {

// So many messages of one sender are handled before those of the next.
constexpr int kTurn = 32;

template <class Head>
Head read_head(const RingReader::Entry& entry) {
  Head head;
  std::memcpy(&head, entry.data, sizeof(head));
  return head;
}

void hand_over(Inbox& inbox, int from, const RingReader::Entry& entry, const std::byte* heap) {
  switch (entry.kind) {
    case Kind::request:
    case Kind::reply:
      inbox.message(from, entry.handler, entry.kind == Kind::reply, entry.data, entry.bytes);
      break;
    case Kind::long_request:
    case Kind::long_reply: {
      const auto payload = read_head<LongPayload>(entry);
      inbox.message(from, entry.handler, entry.kind == Kind::long_reply, heap + payload.offset,
                    payload.bytes);
      break;
    }
    case Kind::piece: {
      const auto head = read_head<PiecePayload>(entry);
      inbox.piece(from, static_cast<int>(head.tag), head.total, head.position,
                  entry.data + sizeof(head), entry.bytes - sizeof(head));
      break;
    }
    case Kind::skip:
      break;
  }
}

/// Keeps an entry's data while its handler runs, and gives them back also where that throws.
class Held {
 public:
  explicit Held(RingReader& reader) : reader_(reader) { reader_.hold(); }
  ~Held() { reader_.release_held(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  RingReader& reader_;
};

}  // namespace

Mailbox::Mailbox(Neighbourhood& neighbourhood, std::vector<int> cells_of_members)
    : neighbourhood_(neighbourhood), cells_(std::move(cells_of_members)) {
  const SharedMemory& memory = neighbourhood.memory();
  for (int i = 0; i < neighbourhood.size(); ++i) {
    writers_.emplace_back(memory.ring(i, neighbourhood.index()));
    readers_.emplace_back(memory.ring(neighbourhood.index(), i));
  }
}

void Mailbox::deliver(Inbox& inbox, const std::byte* heap) {
  deliver_stored(inbox, heap);
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    RingReader::Entry entry;
    int turn = 0;
    for (; turn < kTurn && readers_[i].take(entry); ++turn) {
      {
        const Held held(readers_[i]);
        hand_over(inbox, cells_[i], entry, heap);
      }
      // What was stored while the handler ran must not be passed by what came after it.
      deliver_stored(inbox, heap);
    }
    if (turn != 0) neighbourhood_.ring(static_cast<int>(i));  // who may have waited for room
  }
}

// One at a time, since a handler may store more.
void Mailbox::deliver_stored(Inbox& inbox, const std::byte* heap) {
  while (!stored_.empty()) {
    const Stored message = std::move(stored_.front());
    stored_.pop_front();
    hand_over(inbox, message.from,
              {message.kind, message.handler, message.data.data(), message.data.size()}, heap);
  }
}

void Mailbox::keep(int to, Kind kind, std::uint16_t handler, const void* head,
                   std::size_t head_bytes, const void* data, std::size_t data_bytes) {
  const auto bytes = [](const void* first, std::size_t count) {
    return std::span(static_cast<const std::byte*>(first), count);
  };
  Kept kept{to, kind, handler, {}};
  for (const auto part : {bytes(head, head_bytes), bytes(data, data_bytes)}) {
    kept.payload.insert(kept.payload.end(), part.begin(), part.end());
  }
  kept_.push_back(std::move(kept));  // whole, or not at all
}

bool Mailbox::send_kept(int to) {
  // Who has left reads nothing any more.
  const bool gone = neighbourhood_.member(to).state.load(std::memory_order_acquire) != State::here;
  bool full = false;
  std::erase_if(kept_, [&](const Kept& kept) {
    if (kept.to != to || full) return false;
    full =
        !gone && !writers_[static_cast<std::size_t>(to)].write(
                     kept.kind, kept.handler, nullptr, 0, kept.payload.data(), kept.payload.size());
    return !full;
  });
  neighbourhood_.ring(to);
  return !full;
}

void Mailbox::send_kept() {
  for (int to = 0; to < static_cast<int>(writers_.size()); ++to) send_kept(to);
}

void Mailbox::store() {
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    RingReader::Entry entry;
    while (readers_[i].take(entry)) {
      stored_.push_back(
          {cells_[i], entry.kind, entry.handler, {entry.data, entry.data + entry.bytes}});
      readers_[i].release();
    }
    neighbourhood_.ring(static_cast<int>(i));
  }
}

}  // namespace kinjo::comm::detail
