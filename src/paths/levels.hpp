/// Decision diagrams as they come from an engine, before they are reduced: nodes for each item,
/// whose children are among the next one's or decided.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <kinjo/diagram.hpp>
#include <kinjo/paths.hpp>
#include <kinjo/team.hpp>

#include "paths/raw_level.hpp"

namespace kinjo::paths::detail {

/// An unreduced diagram. Each level may be written by a thread of its own.
struct Levels {
  std::vector<RawLevel> nodes;  ///< by item; the last item's children are decided
  Child root = kDead;           ///< `kFirstChild` + k for node k of item 0, or decided
};

/// Bytes of memory that reducing takes, level by level from the last one up: besides the levels
/// that are not reduced, which become fewer, 10 for each node that remains, and what sorts a level:
/// for each node of the widest so far 82, of which 24 only if all its nodes are of one bin, and 2
/// for each thread. Of levels in a file only the one that is reduced is in memory.
class ReductionNeed {
 public:
  /// Of levels with so many bytes together.
  ReductionNeed(std::uint64_t levels, std::size_t threads, NodesIn nodes_in)
      : levels_(levels), to_sort_(82 + 2 * threads), nodes_in_(nodes_in) {}

  /// At most, while the next level is reduced, which has so many nodes and bytes, behind those that
  /// have become `reduced` nodes.
  std::uint64_t next(std::uint64_t reduced, std::uint64_t nodes, std::uint64_t bytes) {
    levels_ -= std::exchange(here_, bytes);
    held_ = raw() + kNodeBytes * reduced + to_sort_ * widest_;
    widest_ = std::max(widest_, nodes);
    return raw() + kNodeBytes * (reduced + nodes) + to_sort_ * widest_;
  }
  /// Before that, when it was last asked.
  std::uint64_t held() const { return held_; }

 private:
  static constexpr std::uint64_t kNodeBytes = 10;

  std::uint64_t raw() const { return nodes_in_ == NodesIn::file ? here_ : levels_; }

  std::uint64_t levels_;
  std::uint64_t to_sort_;  ///< by node
  NodesIn nodes_in_;
  std::uint64_t here_ = 0, widest_ = 0, held_ = 0;
};

struct ReduceOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  GoOn go_on = {};                 ///< asked by the first thread before each level
  NodesIn nodes_in = NodesIn::memory;
};

/// The reduced diagram of the same family, made by the caller, or by a team, which makes no
/// difference to the diagram; frees each level when it is reduced. Nodes that no branch leads to
/// become nodes as others do, so there must be none (they come of no engine). Throws `Error`
/// (`out_of_memory`), before a level takes more than the limit, and then the team stays usable.
Diagram reduce(Levels&& levels);
/// Likewise by a team; nothing if `go_on` ended it.
std::optional<Diagram> reduce(Levels&& levels, Team& team, const ReduceOptions& options = {});

}  // namespace kinjo::paths::detail
