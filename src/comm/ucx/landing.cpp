#include "comm/ucx/landing.hpp"

#include <atomic>
#include <utility>

#include "comm/copying.hpp"

namespace kinjo::comm::detail {

namespace {

/// A whole put as a piece of itself.
PieceHead as_piece(const PutHead& put, std::size_t bytes) {
  return {.head = put.head,
          .to = {.at = put.to, .rows = 1, .row_bytes = bytes, .stride = bytes},
          .position = 0,
          .flag = put.flag,
          .after = put.after};
}

}  // namespace

bool Landing::is_right(const Head& head, const Flag& flag) const {
  switch (head.then) {
    case Then::nothing:
      return true;
    case Then::set:
    case Then::add:
      return flag.at % sizeof(std::uint64_t) == 0 && flag.at < memory_.size() &&
             memory_.size() - flag.at >= sizeof(std::uint64_t);
    case Then::message:
    case Then::reply:
      return mail_.knows(head.handler);
  }
  return false;
}

bool Landing::is_right(const PieceHead& head, std::size_t bytes) const {
  if (!is_right(head.head, head.flag) || !head.to.lies_in(memory_.size())) return false;
  const std::uint64_t total = head.to.bytes();
  return head.position <= total && bytes <= total - head.position;
}

bool Landing::put(const PutHead& head, const std::byte* data, std::size_t bytes) {
  if (!is_right(head.head, head.flag)) return false;
  if (head.to > memory_.size() || bytes > memory_.size() - head.to) return false;
  Sender& from = sender(head.head);
  if (head.after > from.applied) {
    from.held.push_back({as_piece(head, bytes), {data, data + bytes}});
    return true;
  }
  copy_row(memory_.data() + head.to, data, bytes);
  complete(head.head, head.flag, head.to, bytes);
  return true;
}

bool Landing::piece(const PieceHead& head, const std::byte* data, std::size_t bytes) {
  if (!is_right(head, bytes)) return false;
  Sender& from = sender(head.head);
  if (head.after <= from.applied) return apply(head, data, bytes);
  from.held.push_back({head, {data, data + bytes}});
  return true;
}

bool Landing::apply(const PieceHead& head, const std::byte* data, std::size_t bytes) {
  const Strided target{memory_.data() + head.to.at, head.to.row_bytes, head.to.stride};
  target.write(head.position, data, bytes);
  return landed(head, bytes);
}

std::byte* Landing::direct(const PieceHead& head, std::size_t bytes) {
  const bool may =
      is_right(head, bytes) && head.to.is_contiguous() && head.after <= sender(head.head).applied;
  return may ? memory_.data() + head.to.at + head.position : nullptr;
}

bool Landing::landed(const PieceHead& head, std::size_t bytes) {
  Sender& from = sender(head.head);
  const std::uint64_t total = head.to.bytes();
  if (bytes < total) {
    const auto [found, is_new] = from.open.try_emplace(head.put, Open{total, total});
    Open& open = found->second;
    if (open.total != total || bytes > open.missing) return false;
    open.missing -= bytes;
    if (open.missing != 0) return true;
    from.open.erase(found);
  }
  complete(head.head, head.flag, head.to.at, total);
  return true;
}

void Landing::complete(const Head& head, const Flag& flag, Offset to, std::size_t bytes) {
  // Of a put without a flag, where it would be is not checked.
  const auto raised = [&] {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(memory_.data() + flag.at));
  };
  switch (head.then) {
    case Then::nothing:
      break;
    case Then::set:
      raised().store(flag.value, std::memory_order_release);
      break;
    case Then::add:
      raised().fetch_add(flag.value, std::memory_order_acq_rel);
      break;
    case Then::message:
    case Then::reply:
      mail_.long_message(head, memory_.data() + to, bytes);
      break;
  }
  Sender& from = sender(head);
  ++from.applied;
  if (!from.held.empty() && !from.is_releasing) release_held(from);
}

void Landing::release_held(Sender& from) {
  // What is applied here may set others free; they are found by this same loop, not by one inside.
  from.is_releasing = true;
  for (auto next = from.held.begin(); next != from.held.end();) {
    if (next->head.after > from.applied) {
      ++next;
      continue;
    }
    const Held held = std::move(*next);
    from.held.erase(next);
    apply(held.head, held.data.data(), held.data.size());
    next = from.held.begin();
  }
  from.is_releasing = false;
}

Strided Landing::source(const Region& region) const {
  if (!region.lies_in(memory_.size())) return {};
  return {memory_.data() + region.at, region.row_bytes,
          region.rows <= 1 ? region.row_bytes : region.stride};
}

}  // namespace kinjo::comm::detail
