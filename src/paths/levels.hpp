/// Decision diagrams as they come from an engine, before they are reduced: nodes for each item,
/// whose children are among the next one's or decided.
#pragma once

#include <optional>
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

/// The reduced diagram of the same family, made by the caller, or by a team, which makes no
/// difference to the diagram; frees each level when it is reduced. Nodes that no branch leads to
/// become nodes as others do, so there must be none (they come of no engine).
///
/// Besides `levels`, which becomes less, it takes 10 bytes for each node that remains, and 61 for
/// each node of the widest level, or some 85 and 5 for each thread where a team reduces it. Throws
/// `Error` (`out_of_memory`), and then the team stays usable.
Diagram reduce(Levels&& levels);
/// Likewise by a team; `go_on` is asked by its first thread before each level, and may end it: then
/// nothing is returned.
std::optional<Diagram> reduce(Levels&& levels, Team& team, const GoOn& go_on = {});

}  // namespace kinjo::paths::detail
