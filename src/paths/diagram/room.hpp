/// What a pass over a diagram may take of memory.
#pragma once

#include <cstdint>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

class Room {
 public:
  /// `limit` bytes with the diagram's own; 0: what the system has available. `what`, a string
  /// literal, is what the pass does, for messages.
  Room(const DiagramData& diagram, std::uint64_t limit, const char* what)
      : diagram_(diagram.nodes * sizeof(PackedNode)), limit_(limit), what_(what) {}

  /// Before so many bytes more are taken. Throws `Error` (`out_of_memory`).
  void take(std::uint64_t bytes);
  /// Of what was taken.
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

 private:
  std::uint64_t diagram_, limit_, taken_ = 0;
  const char* what_;
};

}  // namespace kinjo::paths::detail
