/// What a launcher offers to the cells that it has started: their numbers, and a board on which
/// each pins values that the others read. It is slow and used for addresses alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <kinjo/comm.hpp>

namespace kinjo::comm::detail {

class Exchange {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Exchange() = default;
  virtual int cell() const = 0;
  virtual int cells() const = 0;
  /// Shows `value` under `key` to every cell. Once for each key.
  virtual void publish(const std::string& key, std::span<const std::byte> value) = 0;
  /// Collective, in the same order on all cells: what all have published before, each can `fetch`
  /// at once from then on. Returns before `deadline` where one does not come; `fetch` then asks
  /// cell by cell, and names it.
  virtual void share(Clock::time_point /*deadline*/) {}
  /// What `cell` has published under `key`, once it has. Throws `CellLost` when it has not by
  /// `deadline`: a cell that has not come.
  virtual std::vector<std::byte> fetch(int cell, const std::string& key,
                                       Clock::time_point deadline) = 0;
};

/// What `fetch` throws.
inline CellLost not_come(int cell) {
  return {cell, "cell " + std::to_string(cell) + " is lost: it has not come in time"};
}

}  // namespace kinjo::comm::detail
