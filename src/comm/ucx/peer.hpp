/// What one cell knows of another one that it reaches by UCX.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "comm/ucx/handles.hpp"

namespace kinjo::comm::detail {

struct Transfer;

enum class Standing {
  here,
  left,  ///< in good order: it has said so
  lost,
};

struct Peer {
  int cell = -1;
  Link link;
  Standing standing = Standing::here;
  std::string reason;  ///< why it is lost
  std::chrono::steady_clock::time_point left_at;
  /// The connection stands, both ways: greetings have travelled it there and back.
  bool is_met = false;
  bool has_greeted = false;  ///< it has connected to this cell
  bool is_broken = false;    ///< UCX has given the connection up
  bool is_missed = false;    ///< something was asked of it after it had gone
  bool has_spoken = false;   ///< since the last look at heartbeats

  // This cell's puts there: begun, begun before the last fence, asked about, known to be complete.
  std::uint64_t puts = 0, fenced = 0, asked = 0, confirmed = 0;
  /// The count of its own puts that it wants to hear about; 0: none.
  std::uint64_t owed = 0;

  std::uint64_t packets_out = 0, packets_in = 0;
  std::uint64_t pieces_sent = 0;   ///< of two-sided messages
  std::uint64_t leaves_after = 0;  ///< packets, said by its `leave`
  bool is_leaving = false;
  bool has_farewell = false;  ///< it has all that this cell has ever sent

  std::deque<std::shared_ptr<Transfer>> queue;  ///< long ones of which parts are still here
  std::size_t queued_messages = 0;              ///< two-sided ones among them
  std::size_t in_flight = 0;                    ///< packets that UCX still holds
  std::size_t arrivals = 0;                     ///< that UCX writes to memory at this time
  std::size_t chunk = 0;
  bool is_eager = true;
};

}  // namespace kinjo::comm::detail
