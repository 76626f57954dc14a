/// One level of a count that waits by parts of all states: packed in memory as far as there is
/// room, and behind that on a disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "paths/packed_level.hpp"
#include "paths/spilled_level.hpp"

namespace kinjo::paths::detail {

template <std::size_t Words>
class WaitingLevel {
 public:
  using Scratch = PartScratch<Words>;

  /// Of so many threads, in chunks of a pool, if there is one, and in a file in a directory, if
  /// that is named. Throws as `SpillFile`.
  WaitingLevel(ChunkPool* pool, const std::string& directory, std::size_t threads) {
    if (pool != nullptr) packed_.emplace(*pool, threads);
    if (!directory.empty()) spilled_.emplace(directory);
  }

  /// Forgets what is there. There will be so many parts, and rows of this shape.
  void begin(std::uint64_t parts, const RowShape& shape) {
    parts_ = parts;
    shape_ = shape;
    if (packed_) packed_->begin(parts, shape);
    if (spilled_) spilled_->begin(parts, shape);
    records_ = 0;
  }
  std::uint64_t parts() const { return parts_; }
  const RowShape& shape() const { return shape_; }
  /// That were written so far; as many as there are states, or more.
  std::uint64_t records() const { return records_.load(std::memory_order_relaxed); }

  /// Takes over states, which the scratch has by parts, and their rows; whose states come in which
  /// order makes no difference to what is read. Threads may at the same time. Whether there is
  /// room.
  bool write(const Writer& writer, std::span<const State<Words>> states, const Sums& sums,
             Scratch& scratch) {
    if (states.empty()) return true;
    if (!packed_ || !packed_->put(writer, states, sums, scratch)) {
      if (!spilled_) return false;
      spilled_->put(writer, states, sums, scratch);
    }
    records_.fetch_add(states.size(), std::memory_order_relaxed);
    return true;
  }
  /// After all was written, and before anything is read.
  void finish() {
    if (spilled_) spilled_->finish();
  }
  /// Adds what was written of a part, or of a part's part, to a table. `fits()` says now and then
  /// whether it still may; if not, the rest is left out. Whether all is there.
  template <class Fits>
  bool read(const Part& part, StateTable<Words>& table, Sums& sums, Scratch& scratch,
            Fits&& fits) const {
    return (!packed_ || packed_->read(part, table, sums, scratch, fits)) &&
           (!spilled_ || spilled_->read(part, table, sums, scratch, fits));
  }
  /// Nobody reads the part with this index again.
  void drop(std::uint64_t part) {
    if (packed_) packed_->drop(part);
  }

 private:
  std::optional<PackedLevel<Words>> packed_;
  std::optional<SpilledLevel<Words>> spilled_;
  std::uint64_t parts_ = 0;
  RowShape shape_;
  std::atomic<std::uint64_t> records_{0};
};

}  // namespace kinjo::paths::detail
