/// Everything that happens between this cell and others by UCX; one thread at a time may call it.
/// engine.cpp begins operations, receive.cpp takes what comes, faults.cpp knows who is still there.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/ucx/alarm.hpp"
#include "comm/ucx/connect.hpp"
#include "comm/ucx/gets.hpp"
#include "comm/ucx/handles.hpp"
#include "comm/ucx/heartbeat.hpp"
#include "comm/ucx/landing.hpp"
#include "comm/ucx/mail.hpp"
#include "comm/ucx/peer.hpp"
#include "comm/ucx/sender.hpp"

namespace kinjo::comm::detail {

class Engine {
 public:
  using Clock = std::chrono::steady_clock;

  /// See `connect_remote`.
  explicit Engine(const RemoteSetup& setup);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Operations, as in `Remote`. To a cell that is gone they send nothing.
  void put(int cell, const Region& to, const Strided& from, const Signal* signal,
           Completion* local);
  void get(int cell, const Strided& to, const Region& from, Completion& done);
  void request(int cell, const Outgoing& message, Completion* local);
  void send(int cell, int tag, const void* data, std::size_t bytes);
  void fence();
  void begin_quiet();
  bool settled() const;
  /// Whether another operation to this cell should begin: not while UCX holds many of its packets.
  bool has_room(int cell) const;

  /// Sends and takes what can be; whether there was anything.
  bool turn();
  bool arm() { return worker_->arm(); }
  /// After `arm`: sleeps until something comes or `other` is readable. May be called beside others.
  void sleep(std::chrono::nanoseconds longest, int other = -1) {
    alarm_.sleep(worker_->event_descriptor(), other, longest);
  }
  Mail& mail() { return mail_; }

  /// Heartbeats; to be called a few times within their interval.
  void beat(Clock::time_point now);
  /// Notes that a cell is gone, and tells the others if it is the first.
  void lose(int cell, const std::string& reason);
  /// As in `Remote`. Once there is one, memory of the caller is not touched any more.
  int lost(std::string* reason);
  int left() const;
  enum class Manner { in_order, by_failure };
  /// Tells the others that this cell goes, and waits until they have all it has sent. One that
  /// fails is lost to them, whatever they wait for, or else the one is because of which it fails.
  void leave(Manner manner);

  /// Packets that were wrong and have been dropped.
  std::uint64_t dropped() const { return dropped_; }

 private:
  Peer* peer_of(int cell) const { return peers_[static_cast<std::size_t>(cell)].get(); }
  /// Null for a cell that is gone.
  Peer* reach(int cell) const {
    Peer* const peer = peer_of(cell);
    return peer != nullptr && peer->standing == Standing::here ? peer : nullptr;
  }
  /// The same for an operation of the caller: to a cell that is gone it never completes, and
  /// whoever waits for it learns why.
  Peer* address(int cell, Completion* local);
  Head head(PacketKind kind, Then then = Then::nothing, HandlerId handler = 0) const {
    return {.world = setup_.world,
            .from = static_cast<std::uint32_t>(setup_.cell),
            .kind = kind,
            .then = then,
            .handler = handler};
  }
  void post_number(Peer& peer, PacketKind kind, std::uint64_t number) {
    sender_.post(peer, NumberHead{head(kind), number});
  }
  void meet();
  /// Closes all links, and gives UCX back, or leaves it to the end of the process.
  void shut();
  void connect(int cell, const std::vector<std::byte>& address);
  void greet(Peer& peer, std::uint64_t answers);
  bool take_greeting(Peer& peer, const void* header, std::size_t header_bytes);
  void put(Peer& peer, PieceHead description, const Strided& from, std::uint64_t bytes,
           Completion* local, std::unique_ptr<std::byte[]> owned);

  // What comes.
  static ucs_status_t receive(void* engine, const void* header, std::size_t header_bytes,
                              void* data, std::size_t bytes, const ucp_am_recv_param_t* how);
  bool take(Peer& peer, const Head& head, const void* header, std::size_t header_bytes,
            const std::byte* data, std::size_t bytes);
  bool take_number(Peer& peer, const NumberHead& head, const std::byte* data, std::size_t bytes);
  bool answer(Peer& peer, const AskHead& ask);
  void answer_settle(Peer& peer);
  /// Takes data that UCX has only announced, straight to where it belongs if that is possible.
  bool fetch(Peer& peer, const Head& head, const void* header, std::size_t header_bytes,
             void* announced, std::size_t bytes);
  struct Arrival;
  static void arrived(void* request, ucs_status_t status, std::size_t bytes, void* arrival);
  void finish(std::unique_ptr<Arrival> arrival, ucs_status_t status);

  // Faults.
  static void link_failed(void* peer, ucp_ep_h, ucs_status_t status);
  void tell_loss();
  /// Of the cells that have left in order and that count, the first; null if none has.
  template <class Choose>
  const Peer* first_left(const Choose& counts) const;
  void close(Peer& peer);
  bool close_broken();
  void abandon();
  /// For the first and the last steps, which no caller waits for: makes progress until `ready` or
  /// the deadline, asleep while nothing comes. Whether it is ready.
  bool wait_until(Clock::time_point deadline, const std::function<bool()>& ready);
  bool owes_farewell() const;
  void say_farewell(Peer& peer);
  void part_with(Peer& peer);

  RemoteSetup setup_;
  std::unique_ptr<Worker> worker_;
  Mail mail_;
  Landing landing_;
  Gets gets_;
  Sender sender_;
  Alarm alarm_;
  Heartbeat heartbeat_;
  /// A peer, and whose it is: the argument of `link_failed`.
  struct Holder {
    Engine* engine;
    Peer* peer;
  };
  std::vector<std::unique_ptr<Holder>> holders_;
  std::vector<std::unique_ptr<Peer>> peers_;  ///< by cell; null for those of this host
  std::vector<ucs_status_ptr_t> closing_;
  std::vector<int> broken_;  ///< links to be closed, which `progress` told of
  int lost_ = -1;
  std::string lost_reason_;
  bool is_loss_told_ = false;
  bool is_abandoned_ = false;
  bool is_leaving_ = false;
  std::uint64_t dropped_ = 0;
};

}  // namespace kinjo::comm::detail
