/// Cells on other hosts, by UCX.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/exchange.hpp"
#include "comm/remote.hpp"

namespace kinjo::comm::detail {

/// Whether long data is announced to its target, which then fetches it: UCX's rendezvous.
enum class Announce {
  where_faster,  ///< not over TCP, where it costs time and another round
  always,
};

struct RemoteSetup {
  int cell = 0;
  int cells = 0;
  std::vector<int> remote;      ///< the cells to be reached this way; not this one
  std::span<std::byte> memory;  ///< this cell's symmetric memory; outlives the `Remote`
  std::chrono::milliseconds patience{10'000};
  Exchange* exchange = nullptr;  ///< outlives the `Remote`
  /// The same for all cells of a world and for no other world: what comes with another number is
  /// dropped.
  std::uint32_t world = 0;
  /// How many handlers there are; messages for others are dropped.
  std::size_t handlers = std::size_t{1} << 16;
  Announce announce = Announce::where_faster;
};

/// Collective among all cells that are remote to another. Publishes this cell's address as
/// "kinjo.ucx" and fetches the others'. The destructor leaves in order: it waits until the others
/// have what was sent to them, as long as `patience` at most, and not for cells that are lost.
/// Throws `CellLost` for a cell that has not come in time, `Error` (`not_supported`) where
/// libucp.so.0 is missing or this build has no UCX, `system` where UCX refuses.
std::unique_ptr<Remote> connect_remote(const RemoteSetup& setup);

}  // namespace kinjo::comm::detail
