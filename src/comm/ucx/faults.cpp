// Who is still there: links that break, cells that fall silent or are said to be lost, and leaving
// in order.
#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comm/ucx/engine.hpp"

namespace kinjo::comm::detail {

namespace {

/// How long a cell that has left is not missed: others may still be on their way out of the same
/// barrier.
constexpr std::chrono::seconds kGrace{2};
/// How long UCX may take to see memory off that it still reads or writes.
constexpr std::chrono::milliseconds kLetGo{200};
constexpr std::chrono::seconds kClose{1};

std::string in_seconds(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

}  // namespace

void Engine::connect(int cell, const std::vector<std::byte>& address) {
  Peer& peer = *peer_of(cell);
  holders_.push_back(std::make_unique<Holder>(Holder{this, &peer}));
  peer.link.open(*worker_, address, &Engine::link_failed, holders_.back().get());
  peer.is_eager = setup_.announce == Announce::where_faster && peer.link.is_tcp(*worker_);
  peer.chunk = peer.is_eager ? kTcpChunk : kMostChunk;
}

void Engine::link_failed(void* holder, ucp_ep_h, ucs_status_t status) {
  const auto [engine, peer] = *static_cast<Holder*>(holder);
  engine->broken_.push_back(peer->cell);
  // Who has said that it goes takes its connection along.
  if (peer->is_leaving) return engine->part_with(*peer);
  engine->lose(peer->cell, fmt::format("its connection broke ({})",
                                       engine->worker_->ucp().status_string(status)));
}

void Engine::lose(int cell, const std::string& reason) {
  Peer* const peer = peer_of(cell);
  if (peer != nullptr && peer->standing != Standing::here) return;
  if (peer != nullptr) {
    peer->standing = Standing::lost;
    peer->reason = reason;
    sender_.abandon(*peer);
    gets_.forget(cell);
    broken_.push_back(cell);
  }
  if (lost_ >= 0 || is_leaving_) return;
  lost_ = cell;
  lost_reason_ = kinjo::detail::printable(reason);
  // Others would notice by themselves; but this cell may end for it before they do, and must not be
  // taken for the first one that was lost.
  for (const int other : setup_.remote) {
    Peer* const told = reach(other);
    if (told == nullptr) continue;
    const NumberHead news{head(PacketKind::lost), static_cast<std::uint64_t>(cell)};
    sender_.post(*told, news, reinterpret_cast<const std::byte*>(lost_reason_.data()),
                 lost_reason_.size());
  }
}

void Engine::beat(Clock::time_point now) {
  heartbeat_.look(now);
  const bool is_due = heartbeat_.is_due(now);
  for (const int cell : setup_.remote) {
    Peer* const peer = reach(cell);
    if (peer == nullptr) continue;
    if (std::exchange(peer->has_spoken, false)) heartbeat_.hear(cell, now);
    if (heartbeat_.is_silent(cell, now)) {
      lose(cell, fmt::format("no sign of life for {}", in_seconds(setup_.patience)));
    } else if (is_due && has_room(cell)) {
      post_number(*peer, PacketKind::alive, 0);
    }
  }
}

int Engine::lost(std::string* reason) {
  if (lost_ < 0) {
    // What was asked of a cell that has left will not be answered.
    for (const int cell : setup_.remote) {
      const Peer& peer = *peer_of(cell);
      const bool is_missed = peer.is_missed || gets_.waits_for(cell) || peer.confirmed < peer.asked;
      if (peer.standing == Standing::left && is_missed) {
        lost_ = cell;
        lost_reason_ = "it has left the world";
      }
    }
  }
  if (lost_ < 0) return -1;
  if (!std::exchange(is_abandoned_, true)) abandon();
  if (reason != nullptr) *reason = lost_reason_;
  return lost_;
}

int Engine::left() const {
  const Clock::time_point now = Clock::now();
  for (const int cell : setup_.remote) {
    const Peer& peer = *peer_of(cell);
    if (peer.standing == Standing::left && now - peer.left_at >= kGrace) return cell;
  }
  return -1;
}

void Engine::abandon() {
  // The caller is going to unwind: sources and targets on its stack, and completions, will go.
  gets_.forget_all();
  std::vector<Peer*> busy;
  for (const int cell : setup_.remote) {
    Peer& peer = *peer_of(cell);
    sender_.abandon(peer);
    if (peer.in_flight != 0) busy.push_back(&peer);
  }
  const auto is_free = [&] {
    return arrivals_ == 0 && std::all_of(busy.begin(), busy.end(),
                                         [](const Peer* peer) { return peer->in_flight == 0; });
  };
  if (wait_until(Clock::now() + kLetGo, is_free)) return;
  for (Peer* const peer : busy) {
    if (peer->in_flight != 0 || arrivals_ != 0) close(*peer);
  }
  wait_until(Clock::now() + kClose, is_free);
}

void Engine::close(Peer& peer) {
  if (const ucs_status_ptr_t closing = peer.link.close(*worker_)) closing_.push_back(closing);
}

bool Engine::close_broken() {
  for (const int cell : std::exchange(broken_, {})) close(*peer_of(cell));
  return std::erase_if(closing_, [this](ucs_status_ptr_t closing) {
           if (worker_->ucp().request_check_status(closing) == UCS_INPROGRESS) return false;
           worker_->ucp().request_free(closing);
           return true;
         }) != 0;
}

bool Engine::wait_until(Clock::time_point deadline, const std::function<bool()>& ready) {
  while (!ready()) {
    if (turn()) continue;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

void Engine::say_farewell(Peer& peer) {
  // The packet that says so is one of them.
  if (peer.packets_in <= peer.leaves_after || peer.standing != Standing::here) return;
  post_number(peer, PacketKind::farewell, 0);
  part_with(peer);
}

void Engine::part_with(Peer& peer) {
  if (peer.standing != Standing::here) return;
  peer.standing = Standing::left;
  peer.left_at = Clock::now();
}

bool Engine::owes_farewell() const {
  return std::any_of(setup_.remote.begin(), setup_.remote.end(), [this](int cell) {
    const Peer* const peer = reach(cell);
    return peer != nullptr && !peer->has_farewell;
  });
}

void Engine::leave(Manner manner) {
  // Where another cell is lost, that is the reason, which all have been told.
  if (manner == Manner::by_failure && lost_ < 0) lose(setup_.cell, "an exception has ended it");
  const Clock::time_point deadline =
      Clock::now() + (lost_ < 0 ? setup_.patience : std::chrono::milliseconds(kLetGo));
  // First everything that is still queued.
  wait_until(deadline, [this] {
    return std::all_of(setup_.remote.begin(), setup_.remote.end(), [this](int cell) {
      const Peer* const peer = reach(cell);
      return peer == nullptr || peer->queue.empty();
    });
  });
  // What follows `leave` is not counted by it, so nothing does but farewells.
  is_leaving_ = true;
  for (const int cell : setup_.remote) {
    Peer* const peer = reach(cell);
    if (peer != nullptr) post_number(*peer, PacketKind::leave, peer->packets_out);
  }
  wait_until(deadline, [this] { return !owes_farewell(); });
}

void Engine::shut() {
  for (const int cell : setup_.remote) {
    if (Peer* const peer = peer_of(cell)) close(*peer);
  }
  wait_until(Clock::now() + kClose, [this] { return closing_.empty() && arrivals_ == 0; });
  // Its callbacks must find what they name.
  worker_.reset();
}

}  // namespace kinjo::comm::detail
