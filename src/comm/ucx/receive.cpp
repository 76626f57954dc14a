// What comes from other cells. Whatever is written in a packet may be wrong: the sender may be none
// of ours. Nothing is believed before it is checked, and what is wrong is dropped and counted.
#include <array>
#include <type_traits>
#include <utility>

#include "comm/ucx/engine.hpp"

namespace kinjo::comm::detail {

/// Data that UCX is writing into this cell's memory, or into `detour`.
struct Engine::Arrival {
  Engine* engine = nullptr;
  Peer* peer = nullptr;
  std::array<std::byte, kMostHeader> header{};
  std::size_t header_bytes = 0;
  std::unique_ptr<std::byte[]> detour;
  std::size_t bytes = 0;
};

ucs_status_t Engine::receive(void* engine, const void* header, std::size_t header_bytes, void* data,
                             std::size_t bytes, const ucp_am_recv_param_t* how) {
  Engine& self = *static_cast<Engine*>(engine);
  Head head;
  if (header_bytes < sizeof(head) || header_bytes > kMostHeader) {
    ++self.dropped_;
    return UCS_OK;
  }
  std::memcpy(&head, header, sizeof(head));
  const bool is_ours =
      head.world == self.setup_.world && head.from < static_cast<std::uint32_t>(self.setup_.cells);
  Peer* const peer = is_ours ? self.peer_of(static_cast<int>(head.from)) : nullptr;
  // Of a lost cell as well: until its greeting has come, its connection must not be closed.
  if (peer != nullptr && head.kind == PacketKind::greet) {
    if (!self.take_greeting(*peer, header, header_bytes)) ++self.dropped_;
    return UCS_OK;
  }
  if (peer == nullptr || peer->standing == Standing::lost) {
    ++self.dropped_;
    return UCS_OK;
  }
  peer->has_spoken = true;
  // A farewell may overtake what its sender's `leave` has counted, and is none of that.
  if (head.kind != PacketKind::farewell) ++peer->packets_in;
  const bool is_announced = (how->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
  const bool is_right = is_announced ? self.fetch(*peer, head, header, header_bytes, data, bytes)
                                     : self.take(*peer, head, header, header_bytes,
                                                 static_cast<std::byte*>(data), bytes);
  if (!is_right) ++self.dropped_;
  if (peer->is_leaving) self.say_farewell(*peer);
  return UCS_OK;
}

bool Engine::take(Peer& peer, const Head& head, const void* header, std::size_t header_bytes,
                  const std::byte* data, std::size_t bytes) {
  // Reads the whole header as what it says to be, and hands it to `use`.
  const auto with = [&]<class T>(std::type_identity<T>, const auto& use) {
    const auto whole = read_header<T>(header, header_bytes);
    return whole && use(*whole);
  };
  switch (head.kind) {
    case PacketKind::put:
      if (!with(std::type_identity<PutHead>{},
                [&](const PutHead& put) { return landing_.put(put, data, bytes); })) {
        return false;
      }
      answer_settle(peer);
      return true;
    case PacketKind::piece:
      if (!with(std::type_identity<PieceHead>{},
                [&](const PieceHead& piece) { return landing_.piece(piece, data, bytes); })) {
        return false;
      }
      answer_settle(peer);
      return true;
    case PacketKind::ask:
      return with(std::type_identity<AskHead>{},
                  [&](const AskHead& ask) { return answer(peer, ask); });
    case PacketKind::got:
      return with(std::type_identity<GotHead>{},
                  [&](const GotHead& got) { return gets_.got(got, data, bytes); });
    case PacketKind::message:
      return with(std::type_identity<MessageHead>{}, [&](const MessageHead& message) {
        return mail_.message(message.head, data, bytes);
      });
    case PacketKind::sent:
      return with(std::type_identity<SentHead>{},
                  [&](const SentHead& sent) { return mail_.piece(sent, data, bytes); });
    case PacketKind::settle:
    case PacketKind::settled:
    case PacketKind::greet:
    case PacketKind::alive:
    case PacketKind::lost:
    case PacketKind::leave:
    case PacketKind::farewell:
      return with(std::type_identity<NumberHead>{},
                  [&](const NumberHead& number) { return take_number(peer, number, data, bytes); });
  }
  return false;
}

bool Engine::take_number(Peer& peer, const NumberHead& head, const std::byte* data,
                         std::size_t bytes) {
  constexpr std::size_t kMostWords = 256;
  switch (head.head.kind) {
    case PacketKind::settle:
      peer.owed = head.number;
      answer_settle(peer);
      return true;
    case PacketKind::settled:
      if (head.number > peer.asked) return false;
      peer.confirmed = std::max(peer.confirmed, head.number);
      return true;
    case PacketKind::lost:
      if (head.number >= static_cast<std::uint64_t>(setup_.cells) || bytes > kMostWords ||
          head.number == static_cast<std::uint64_t>(setup_.cell)) {
        return false;
      }
      lose(static_cast<int>(head.number), {reinterpret_cast<const char*>(data), bytes});
      return true;
    case PacketKind::leave:
      peer.is_leaving = true;
      peer.leaves_after = head.number;
      return true;
    case PacketKind::farewell:
      peer.has_farewell = true;
      return true;
    default:
      return head.head.kind == PacketKind::alive;
  }
}

bool Engine::answer(Peer& peer, const AskHead& ask) {
  const Strided source = landing_.source(ask.from);
  const std::uint64_t bytes = ask.from.bytes();
  if (source.base == nullptr || bytes == 0) return false;
  if (is_leaving_) return true;
  const GotHead description{.head = head(PacketKind::got), .get = ask.get};
  // One that is not connected to yet is answered when it is: transfers wait for that.
  if (bytes <= kMediumBytes && source.is_contiguous() && peer.link.is_open()) {
    sender_.post(peer, description, source.base, bytes);
    return true;
  }
  auto transfer = std::make_shared<Transfer>();
  transfer->head = description;
  transfer->source = source;
  transfer->total = bytes;
  sender_.begin(peer, std::move(transfer));
  return true;
}

void Engine::answer_settle(Peer& peer) {
  if (peer.owed == 0 || is_leaving_ || landing_.applied(peer.cell) < peer.owed) return;
  if (!peer.link.is_open()) return;  // `connect` comes back to it
  post_number(peer, PacketKind::settled, peer.owed);
  peer.owed = 0;
}

bool Engine::fetch(Peer& peer, const Head& head, const void* header, std::size_t header_bytes,
                   void* announced, std::size_t bytes) {
  // A cell announces chunks alone.
  if (bytes > kMostChunk) return false;
  std::byte* target = nullptr;
  if (head.kind == PacketKind::piece) {
    const auto piece = read_header<PieceHead>(header, header_bytes);
    if (!piece) return false;
    target = landing_.direct(*piece, bytes);
  } else if (head.kind == PacketKind::got) {
    const auto got = read_header<GotHead>(header, header_bytes);
    if (!got) return false;
    target = gets_.direct(*got, bytes);
  } else {
    return false;
  }
  auto arrival = std::make_unique<Arrival>();
  arrival->engine = this;
  arrival->peer = &peer;
  arrival->bytes = bytes;
  arrival->header_bytes = header_bytes;
  std::memcpy(arrival->header.data(), header, header_bytes);
  if (target == nullptr) {
    arrival->detour = std::make_unique_for_overwrite<std::byte[]>(bytes);
    target = arrival->detour.get();
  }
  ucp_request_param_t parameters;
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.recv_am = &Engine::arrived;
  parameters.user_data = arrival.get();
  ++peer.arrivals;
  const ucs_status_ptr_t request =
      worker_->ucp().am_recv_data_nbx(worker_->get(), announced, target, bytes, &parameters);
  if (UCS_PTR_IS_PTR(request)) {
    arrival.release();  // `arrived` has it
  } else {
    finish(std::move(arrival), UCS_PTR_STATUS(request));
  }
  return true;
}

void Engine::arrived(void* request, ucs_status_t status, std::size_t, void* holder) {
  std::unique_ptr<Arrival> arrival(static_cast<Arrival*>(holder));
  Engine& self = *arrival->engine;
  self.finish(std::move(arrival), status);
  self.worker_->ucp().request_free(request);
}

void Engine::finish(std::unique_ptr<Arrival> arrival, ucs_status_t status) {
  --arrival->peer->arrivals;
  // Without its data the put or get never completes; the link's error says why.
  if (status != UCS_OK) return;
  Peer& peer = *arrival->peer;
  peer.has_spoken = true;
  Head head;
  std::memcpy(&head, arrival->header.data(), sizeof(head));
  bool is_right = true;
  if (arrival->detour) {
    is_right = take(peer, head, arrival->header.data(), arrival->header_bytes,
                    arrival->detour.get(), arrival->bytes);
  } else if (head.kind == PacketKind::piece) {
    is_right = landing_.landed(
        *read_header<PieceHead>(arrival->header.data(), arrival->header_bytes), arrival->bytes);
    answer_settle(peer);
  } else {
    gets_.landed(*read_header<GotHead>(arrival->header.data(), arrival->header_bytes),
                 arrival->bytes);
  }
  if (!is_right) ++dropped_;
  if (peer.is_leaving) say_farewell(peer);
}

}  // namespace kinjo::comm::detail
