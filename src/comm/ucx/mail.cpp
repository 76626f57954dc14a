#include "comm/ucx/mail.hpp"

#include <iterator>
#include <utility>

namespace kinjo::comm::detail {

Mail::Letter Mail::letter(const Head& head, const std::byte* data, std::size_t bytes) {
  Letter letter{.head = head, .owned = nullptr, .data = nullptr, .bytes = bytes};
  letter.owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (bytes != 0) std::memcpy(letter.owned.get(), data, bytes);
  letter.data = letter.owned.get();
  return letter;
}

bool Mail::message(const Head& head, const std::byte* data, std::size_t bytes) {
  if (!knows(head.handler) || bytes > kMediumBytes) return false;
  letters_.push_back(letter(head, data, bytes));
  return true;
}

bool Mail::long_message(const Head& head, const std::byte* data, std::size_t bytes) {
  if (!knows(head.handler)) return false;
  letters_.push_back({.head = head, .owned = nullptr, .data = data, .bytes = bytes});
  return true;
}

bool Mail::piece(const SentHead& head, const std::byte* data, std::size_t bytes) {
  Stream& stream = streams_[head.head.from];
  if (head.number < stream.next || stream.early.contains(head.number)) return false;
  if (head.position > head.total || bytes > head.total - head.position) return false;
  Letter piece = letter(head.head, data, bytes);
  piece.is_piece = true;
  piece.total = head.total;
  piece.position = head.position;
  piece.tag = static_cast<int>(head.tag);
  stream.early.emplace(head.number, std::move(piece));
  while (!stream.early.empty() && stream.early.begin()->first == stream.next) {
    letters_.push_back(std::move(stream.early.begin()->second));
    stream.early.erase(stream.early.begin());
    ++stream.next;
  }
  return true;
}

void Mail::move_to(Bag& bag) {
  if (bag.letters_.empty()) {
    bag.letters_.swap(letters_);
    return;
  }
  std::move(letters_.begin(), letters_.end(), std::back_inserter(bag.letters_));
  letters_.clear();
}

void Mail::Bag::deliver(Inbox& inbox) {
  while (!letters_.empty()) {
    const Letter letter = std::move(letters_.front());
    letters_.pop_front();
    const int from = static_cast<int>(letter.head.from);
    if (letter.is_piece) {
      inbox.piece(from, letter.tag, letter.total, letter.position, letter.data, letter.bytes);
    } else {
      inbox.message(from, letter.head.handler, letter.head.then == Then::reply, letter.data,
                    letter.bytes);
    }
  }
}

}  // namespace kinjo::comm::detail
