/// What leaves: packets of up to a chunk, and transfers that are cut into chunks, a few of which
/// are on their way at a time, so that short packets and heartbeats come through between them.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <variant>
#include <vector>

#include <kinjo/comm.hpp>

#include "comm/ucx/packet.hpp"
#include "comm/ucx/peer.hpp"

namespace kinjo::comm::detail {

/// A stretch of memory on its way to one cell.
struct Transfer {
  std::variant<PieceHead, GotHead, SentHead> head;  ///< all but position and number
  Strided source;
  std::uint64_t total = 0;
  Completion* local = nullptr;         ///< raised when the source may be changed
  std::unique_ptr<std::byte[]> owned;  ///< the source, where it is a copy
  std::uint64_t sent = 0;
  std::size_t in_flight = 0;
  bool is_abandoned = false;
};

class Sender {
 public:
  explicit Sender(Worker& worker) : ucp_(worker.ucp()) {}
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Sends a packet at once. The data is copied where UCX does not take it right away.
  template <class T>
  void post(Peer& peer, const T& head, const std::byte* data, std::size_t bytes) {
    post(peer, &head, sizeof(T), data, bytes);
  }
  template <class T>
  void post(Peer& peer, const T& head) {
    post(peer, &head, sizeof(T), nullptr, 0);
  }
  /// Begins a transfer of at least one byte.
  void begin(Peer& peer, std::shared_ptr<Transfer> transfer);
  /// Sends chunks as far as the window allows; whether there were any.
  bool pump(Peer& peer);
  /// Forgets transfers to this cell. Their completions are not touched any more; of their memory,
  /// only what is `in_flight` is.
  void abandon(Peer& peer);
  /// Whether UCX still holds memory of the caller for this cell.
  bool borrows(const Peer& peer) const;

  /// Packets that UCX has not taken yet, beyond which a cell should wait before it sends more.
  static constexpr std::size_t kMostInFlight = 512;
  /// Chunks of one transfer among them.
  static constexpr std::size_t kWindow = 8;

 private:
  /// What must not move until UCX is done with a packet.
  struct Parcel {
    Sender* sender = nullptr;
    Peer* peer = nullptr;
    std::shared_ptr<Transfer> transfer;
    std::unique_ptr<std::byte[]> owned;
    alignas(8) std::array<std::byte, kMostHeader> header;
    std::array<std::byte, kReusableBytes> data;
  };

  void post(Peer& peer, const void* head, std::size_t head_bytes, const std::byte* data,
            std::size_t bytes);
  void send_chunk(Peer& peer, const std::shared_ptr<Transfer>& transfer, std::size_t bytes);
  void send(Parcel& parcel, std::size_t head_bytes, const std::byte* data, std::size_t bytes,
            std::uint32_t flags);
  static void sent(void* request, ucs_status_t status, void* parcel);
  void finish(Parcel& parcel);
  Parcel& take_parcel(Peer& peer);

  const Ucp& ucp_;
  std::deque<Parcel> parcels_;
  std::vector<Parcel*> free_;
};

}  // namespace kinjo::comm::detail
