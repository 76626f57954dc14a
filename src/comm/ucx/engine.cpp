#include "comm/ucx/engine.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace kinjo::comm::detail {

namespace {

/// Up to here data is copied rather than kept track of.
constexpr std::size_t kCopied = kMediumBytes;

Then then_of(const Signal* signal) {
  if (signal == nullptr) return Then::nothing;
  return signal->op == SignalOp::set ? Then::set : Then::add;
}

std::unique_ptr<std::byte[]> copy_of(const void* data, std::size_t bytes) {
  auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  if (bytes != 0) std::memcpy(copy.get(), data, bytes);
  return copy;
}

std::unique_ptr<std::byte[]> copy_of(const Strided& rows, std::size_t bytes) {
  auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  rows.read(0, copy.get(), bytes);
  return copy;
}

/// UCX reads through it only.
Strided stretch(const void* data, std::size_t bytes) {
  return {static_cast<std::byte*>(const_cast<void*>(data)), bytes, bytes};
}

}  // namespace

Engine::Engine(const RemoteSetup& setup)
    : setup_(setup),
      worker_(std::make_unique<Worker>()),
      mail_(setup.cells, setup.handlers),
      landing_(setup.memory, setup.cells, mail_),
      sender_(*worker_),
      heartbeat_(setup.cells, setup.patience, Clock::now()),
      peers_(static_cast<std::size_t>(setup.cells)) {
  for (const int cell : setup.remote) {
    auto& peer = peers_[static_cast<std::size_t>(cell)];
    peer = std::make_unique<Peer>();
    peer->cell = cell;
  }
  try {
    meet();
  } catch (...) {
    shut();
    throw;
  }
}

Engine::~Engine() { shut(); }

void Engine::meet() {
  const Clock::time_point deadline = Clock::now() + setup_.patience;
  // From now on others may send, before this cell has found them all.
  worker_->receive_with(&Engine::receive, this);
  setup_.exchange->publish("kinjo.ucx", worker_->address());
  setup_.exchange->share(deadline);
  // UCX 1.13 may end a process or lose a connection where two cells connect to each other at the
  // same time. So the lower one connects, and the other one answers by the connection that it
  // finds.
  std::vector<std::pair<int, std::vector<std::byte>>> callers;
  for (const int cell : setup_.remote) {
    std::vector<std::byte> address = setup_.exchange->fetch(cell, "kinjo.ucx", deadline);
    if (cell > setup_.cell) {
      connect(cell, address);
    } else {
      callers.emplace_back(cell, std::move(address));
    }
  }
  const auto has_called = [this](const auto& caller) {
    if (!peer_of(caller.first)->has_greeted) return false;
    connect(caller.first, caller.second);
    return true;
  };
  const auto have_all_called = [&] {
    std::erase_if(callers, has_called);
    return callers.empty();
  };
  if (!wait_until(deadline, have_all_called)) throw not_come(callers.front().first);
  for (const int cell : setup_.remote) heartbeat_.hear(cell, Clock::now());
}

Peer* Engine::address(int cell, Completion* local) {
  Peer* const peer = peer_of(cell);
  if (peer->standing == Standing::here) return peer;
  peer->is_missed = true;
  if (local != nullptr) local->begin();
  return nullptr;
}

void Engine::put(int cell, const Region& to, const Strided& from, const Signal* signal,
                 Completion* local) {
  Peer* const peer = address(cell, local);
  if (peer == nullptr) return;
  PieceHead description{.head = head(PacketKind::piece, then_of(signal)), .to = to};
  if (signal != nullptr) description.flag = {signal->flag, signal->value};
  const std::uint64_t bytes = to.bytes();
  // Rows are read when their turn comes, and so few bytes may be changed as soon as this returns.
  if (bytes <= kReusableBytes && !(to.is_contiguous() && from.is_contiguous())) {
    auto copy = copy_of(from, bytes);
    const Strided gathered = stretch(copy.get(), bytes);
    return put(*peer, description, gathered, bytes, local, std::move(copy));
  }
  put(*peer, description, from, bytes, local, nullptr);
}

void Engine::put(Peer& peer, PieceHead description, const Strided& from, std::uint64_t bytes,
                 Completion* local, std::unique_ptr<std::byte[]> owned) {
  description.after = peer.fenced;
  description.put = ++peer.puts;
  if (bytes <= kCopied && description.to.is_contiguous() && from.is_contiguous()) {
    const PutHead whole{
        .head = head(PacketKind::put, description.head.then, description.head.handler),
        .to = description.to.at,
        .flag = description.flag,
        .after = description.after};
    return sender_.post(peer, whole, from.base, bytes);
  }
  auto transfer = std::make_shared<Transfer>();
  transfer->head = description;
  transfer->source = from;
  transfer->total = bytes;
  transfer->local = local;
  transfer->owned = std::move(owned);
  sender_.begin(peer, std::move(transfer));
}

void Engine::get(int cell, const Strided& to, const Region& from, Completion& done) {
  if (from.bytes() == 0) return;
  Peer* const peer = address(cell, nullptr);
  // Of a cell that is gone nothing comes: the wait for it ends by `lost`.
  const std::uint64_t get = gets_.open(cell, to, from.bytes(), done);
  if (peer != nullptr) sender_.post(*peer, AskHead{head(PacketKind::ask), get, from});
}

void Engine::request(int cell, const Outgoing& message, Completion* local) {
  Peer* const peer = address(cell, local);
  if (peer == nullptr) return;
  const Then then = message.is_reply ? Then::reply : Then::message;
  if (message.payload == Payload::medium) {
    const MessageHead description{head(PacketKind::message, then, message.handler)};
    return sender_.post(*peer, description, static_cast<const std::byte*>(message.data),
                        message.bytes);
  }
  const PieceHead description{
      .head = head(PacketKind::piece, then, message.handler),
      .to = {.at = message.to, .rows = 1, .row_bytes = message.bytes, .stride = message.bytes}};
  std::unique_ptr<std::byte[]> owned;
  if (local == nullptr && message.bytes > kCopied) owned = copy_of(message.data, message.bytes);
  const void* const data = owned ? owned.get() : message.data;
  put(*peer, description, stretch(data, message.bytes), message.bytes, local, std::move(owned));
}

void Engine::send(int cell, int tag, const void* data, std::size_t bytes) {
  Peer* const peer = address(cell, nullptr);
  if (peer == nullptr) return;
  SentHead description{.head = head(PacketKind::sent), .total = bytes, .tag = tag};
  // Pieces are numbered as they leave, so a short message must not pass a long one.
  if (bytes <= kCopied && peer->queued_messages == 0) {
    description.number = peer->pieces_sent++;
    return sender_.post(*peer, description, static_cast<const std::byte*>(data), bytes);
  }
  auto transfer = std::make_shared<Transfer>();
  transfer->head = description;
  transfer->owned = copy_of(data, bytes);
  transfer->source = stretch(transfer->owned.get(), bytes);
  transfer->total = bytes;
  sender_.begin(*peer, std::move(transfer));
}

void Engine::fence() {
  for (const int cell : setup_.remote) peer_of(cell)->fenced = peer_of(cell)->puts;
}

void Engine::begin_quiet() {
  for (const int cell : setup_.remote) {
    Peer* const peer = reach(cell);
    if (peer == nullptr || peer->asked == peer->puts) continue;
    peer->asked = peer->puts;
    post_number(*peer, PacketKind::settle, peer->asked);
  }
}

bool Engine::settled() const {
  return std::all_of(setup_.remote.begin(), setup_.remote.end(), [this](int cell) {
    const Peer* const peer = reach(cell);
    return peer == nullptr || peer->confirmed >= peer->asked;
  });
}

bool Engine::has_room(int cell) const {
  constexpr std::size_t kMostMessages = 64;
  const Peer* const peer = reach(cell);
  return peer == nullptr ||
         (peer->in_flight < Sender::kMostInFlight && peer->queued_messages < kMostMessages);
}

bool Engine::turn() {
  bool moved = worker_->progress();
  for (const int cell : setup_.remote) {
    Peer* const peer = peer_of(cell);
    if (!peer->queue.empty()) moved |= sender_.pump(*peer);
  }
  if (!broken_.empty() || !closing_.empty()) moved |= close_broken();
  if (moved) alarm_.note_move();
  return moved;
}

}  // namespace kinjo::comm::detail
