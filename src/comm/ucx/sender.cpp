#include "comm/ucx/sender.hpp"

#include <algorithm>
#include <utility>

namespace kinjo::comm::detail {

Sender::Parcel& Sender::take_parcel(Peer& peer) {
  if (free_.empty()) free_.push_back(&parcels_.emplace_back());
  Parcel& parcel = *free_.back();
  free_.pop_back();
  parcel.sender = this;
  parcel.peer = &peer;
  return parcel;
}

void Sender::post(Peer& peer, const void* head, std::size_t head_bytes, const std::byte* data,
                  std::size_t bytes) {
  if (!peer.link.is_open()) return;
  Parcel& parcel = take_parcel(peer);
  std::memcpy(parcel.header.data(), head, head_bytes);
  if (bytes > kReusableBytes) {
    parcel.owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(parcel.owned.get(), data, bytes);
    data = parcel.owned.get();
  } else if (bytes != 0) {
    std::memcpy(parcel.data.data(), data, bytes);
    data = parcel.data.data();
  }
  send(parcel, head_bytes, data, bytes, UCP_AM_SEND_FLAG_EAGER);
}

void Sender::send(Parcel& parcel, std::size_t head_bytes, const std::byte* data, std::size_t bytes,
                  std::uint32_t flags) {
  Peer& peer = *parcel.peer;
  ucp_request_param_t parameters;
  parameters.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  parameters.cb.send = sent;
  parameters.user_data = &parcel;
  parameters.flags = flags;
  ++peer.packets_out;
  ++peer.in_flight;
  const ucs_status_ptr_t request = ucp_.am_send_nbx(peer.link.get(), 0, parcel.header.data(),
                                                    head_bytes, data, bytes, &parameters);
  // An error is told by the link as well, which then is closed.
  if (request == nullptr || UCS_PTR_IS_ERR(request)) finish(parcel);
}

void Sender::sent(void* request, ucs_status_t, void* holder) {
  Parcel& parcel = *static_cast<Parcel*>(holder);
  const Ucp& ucp = parcel.sender->ucp_;
  parcel.sender->finish(parcel);
  ucp.request_free(request);
}

void Sender::finish(Parcel& parcel) {
  --parcel.peer->in_flight;
  parcel.owned.reset();
  if (const auto transfer = std::move(parcel.transfer)) {
    --transfer->in_flight;
    const bool is_done = transfer->sent == transfer->total && transfer->in_flight == 0;
    if (is_done && transfer->local != nullptr && !transfer->is_abandoned) transfer->local->end();
  }
  free_.push_back(&parcel);
}

void Sender::begin(Peer& peer, std::shared_ptr<Transfer> transfer) {
  if (transfer->local != nullptr) transfer->local->begin();
  if (std::holds_alternative<SentHead>(transfer->head)) ++peer.queued_messages;
  peer.queue.push_back(std::move(transfer));
  pump(peer);
}

bool Sender::pump(Peer& peer) {
  bool moved = false;
  while (!peer.queue.empty() && peer.in_flight < kWindow && peer.link.is_open()) {
    const std::shared_ptr<Transfer> transfer = peer.queue.front();
    const std::size_t bytes = std::min<std::uint64_t>(peer.chunk, transfer->total - transfer->sent);
    if (transfer->sent + bytes == transfer->total) {
      peer.queue.pop_front();
      if (std::holds_alternative<SentHead>(transfer->head)) --peer.queued_messages;
    }
    send_chunk(peer, transfer, bytes);
    moved = true;
  }
  return moved;
}

void Sender::send_chunk(Peer& peer, const std::shared_ptr<Transfer>& transfer, std::size_t bytes) {
  Parcel& parcel = take_parcel(peer);
  std::size_t head_bytes = 0;
  std::visit(
      [&](auto& head) {
        head.position = transfer->sent;
        if constexpr (std::is_same_v<std::decay_t<decltype(head)>, SentHead>) {
          head.number = peer.pieces_sent++;
        }
        head_bytes = sizeof(head);
        std::memcpy(parcel.header.data(), &head, sizeof(head));
      },
      transfer->head);
  const std::byte* data = transfer->source.base + transfer->sent;
  if (!transfer->source.is_contiguous()) {
    parcel.owned = std::make_unique_for_overwrite<std::byte[]>(bytes);
    transfer->source.read(transfer->sent, parcel.owned.get(), bytes);
    data = parcel.owned.get();
  }
  transfer->sent += bytes;
  ++transfer->in_flight;
  parcel.transfer = transfer;
  // Two-sided messages are handed to their receiver from a buffer, so they come whole.
  const bool is_eager = peer.is_eager || std::holds_alternative<SentHead>(transfer->head);
  send(parcel, head_bytes, data, bytes, is_eager ? UCP_AM_SEND_FLAG_EAGER : 0);
}

void Sender::abandon(Peer& peer) {
  for (const auto& transfer : peer.queue) transfer->is_abandoned = true;
  for (Parcel& parcel : parcels_) {
    if (parcel.peer == &peer && parcel.transfer) parcel.transfer->is_abandoned = true;
  }
  peer.queue.clear();
  peer.queued_messages = 0;
}

bool Sender::borrows(const Peer& peer) const {
  return std::any_of(parcels_.begin(), parcels_.end(), [&](const Parcel& parcel) {
    return parcel.peer == &peer && parcel.transfer && !parcel.owned && !parcel.transfer->owned;
  });
}

}  // namespace kinjo::comm::detail
