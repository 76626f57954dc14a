// Who is still there: links that break, cells that fall silent or are said to be lost, and leaving
// in order.
#include <algorithm>
#include <functional>
#include <mutex>
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

/// How long a cell sleeps while it waits for others' connections, farewells and the like.
constexpr std::chrono::milliseconds kLongestRest{10};
constexpr std::chrono::milliseconds kShortRest{1};
/// So many turns without a rest.
constexpr int kTurns = 256;

/// Workers that must not be destroyed any more: reachable to the end, and never used again.
void keep_for_good(std::unique_ptr<Worker> worker) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<std::unique_ptr<Worker>>;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(worker));
}

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
  greet(peer, 0);
  if (peer.has_greeted) greet(peer, 1);
  // Others may be done with their first puts before this cell has found them all.
  answer_settle(peer);
}

void Engine::greet(Peer& peer, std::uint64_t answers) {
  post_number(peer, PacketKind::greet, answers);
  // An answer may come after `leave`, which says how many packets there are.
  --peer.packets_out;
}

bool Engine::take_greeting(Peer& peer, const void* header, std::size_t header_bytes) {
  const auto greeting = read_header<NumberHead>(header, header_bytes);
  if (!greeting || greeting->number > 1) return false;
  peer.has_spoken = true;
  if (greeting->number == 1) {
    peer.is_met = true;
  } else {
    peer.has_greeted = true;
    if (peer.link.is_open()) greet(peer, 1);  // else when it is opened
  }
  return true;
}

void Engine::link_failed(void* holder, ucp_ep_h, ucs_status_t status) {
  const auto [engine, peer] = *static_cast<Holder*>(holder);
  engine->broken_.push_back(peer->cell);
  peer->is_broken = true;
  // Who has said that it goes takes its connection along.
  if (peer->is_leaving) return engine->part_with(*peer);
  engine->lose(peer->cell, fmt::format("its connection broke ({})",
                                       engine->worker_->ucp().status_string(status)));
}

void Engine::lose(int cell, const std::string& reason) {
  Peer* const peer = peer_of(cell);
  if (peer != nullptr && peer->standing == Standing::lost) return;
  // Who has left is missed by another cell.
  if (peer != nullptr && peer->standing == Standing::here) {
    peer->standing = Standing::lost;
    peer->reason = reason;
    sender_.abandon(*peer);
    gets_.forget(cell);
    if (peer->is_met) broken_.push_back(cell);  // else see `shut`
  }
  if (lost_ >= 0 || is_leaving_) return;
  lost_ = cell;
  lost_reason_ = kinjo::detail::printable(reason);
  tell_loss();
}

void Engine::tell_loss() {
  is_loss_told_ = true;
  // Others would notice by themselves; but this cell may end for it before they do, and must not be
  // taken for the first one that was lost.
  for (const int other : setup_.remote) {
    Peer* const told = reach(other);
    if (told == nullptr) continue;
    const NumberHead news{head(PacketKind::lost), static_cast<std::uint64_t>(lost_)};
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

template <class Choose>
const Peer* Engine::first_left(const Choose& counts) const {
  const Peer* first = nullptr;
  for (const int cell : setup_.remote) {
    const Peer& peer = *peer_of(cell);
    if (peer.standing != Standing::left || !counts(peer)) continue;
    if (first == nullptr || peer.left_at < first->left_at) first = &peer;
  }
  return first;
}

int Engine::lost(std::string* reason) {
  if (lost_ < 0) {
    // What was asked of a cell that has left will not be answered.
    const Peer* const missed = first_left([this](const Peer& peer) {
      return peer.is_missed || gets_.waits_for(peer.cell) || peer.confirmed < peer.asked;
    });
    if (missed != nullptr) {
      lost_ = missed->cell;
      lost_reason_ = "it has left the world";
    }
  }
  if (lost_ < 0) return -1;
  if (!std::exchange(is_abandoned_, true)) abandon();
  if (reason != nullptr) *reason = lost_reason_;
  return lost_;
}

int Engine::left() const {
  const Peer* const first = first_left([](const Peer&) { return true; });
  return first != nullptr && Clock::now() - first->left_at >= kGrace ? first->cell : -1;
}

void Engine::abandon() {
  // The caller is going to unwind: sources and targets on its stack, and completions, will go.
  gets_.forget_all();
  for (const int cell : setup_.remote) sender_.abandon(*peer_of(cell));
  const auto is_busy = [this](int cell) {
    const Peer& peer = *peer_of(cell);
    return peer.arrivals != 0 || sender_.borrows(peer);
  };
  const auto is_free = [&] {
    return std::none_of(setup_.remote.begin(), setup_.remote.end(), is_busy);
  };
  if (wait_until(Clock::now() + kLetGo, is_free)) return;
  for (const int cell : setup_.remote) {
    if (is_busy(cell)) close(*peer_of(cell));
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
  for (int turns = 1; !ready(); ++turns) {
    // UCX may say turn after turn that something has moved, or is there, of a connection whose
    // other side has not run: that is no reason to stay, nor to keep a CPU that the other side may
    // need.
    const bool moved = turn();
    if (Clock::now() >= deadline) return ready();
    if (!moved && arm()) {
      sleep(kLongestRest);
    } else if (turns % kTurns == 0) {
      std::this_thread::sleep_for(kShortRest);
    }
  }
  return true;
}

void Engine::say_farewell(Peer& peer) {
  // The packet that says so is one of them. What is announced has come, but not yet arrived.
  if (peer.packets_in <= peer.leaves_after || peer.arrivals != 0) return;
  if (peer.standing != Standing::here) return;
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
  // Where another cell is lost, that is the reason.
  if (manner == Manner::by_failure && lost_ < 0) lose(setup_.cell, "an exception has ended it");
  if (manner == Manner::by_failure && !is_loss_told_) tell_loss();
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
  // UCX 1.13 aborts where a connection goes while its own messages about it are still to be sent,
  // here or over there; and one that is asked for after it has been closed comes into being anew.
  // So those that do not stand yet are waited for, and if they do not come, nothing is torn down.
  const auto is_settled = [this](int cell) {
    const Peer& peer = *peer_of(cell);
    return peer.is_met || peer.is_broken;
  };
  const auto& all = setup_.remote;
  wait_until(Clock::now() + kClose, [&] {
    return std::all_of(all.begin(), all.end(), [&](int cell) {
      return is_settled(cell) || !peer_of(cell)->link.is_open();
    });
  });
  for (const int cell : all) {
    if (is_settled(cell)) close(*peer_of(cell));
  }
  wait_until(Clock::now() + kClose, [&] {
    return closing_.empty() && std::none_of(all.begin(), all.end(), [this](int cell) {
             return peer_of(cell)->arrivals != 0;
           });
  });
  // Its callbacks must find what they name.
  if (std::all_of(all.begin(), all.end(), is_settled)) {
    worker_.reset();
  } else {
    turn();  // what has just been closed goes
    keep_for_good(std::move(worker_));
  }
}

}  // namespace kinjo::comm::detail
