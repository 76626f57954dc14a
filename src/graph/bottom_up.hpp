/// Steps from the unreached vertices to a neighbour of theirs in the frontier.
///
/// Words of 64 vertices in blocks of 64: who is unreached asks his first neighbour, which is the
/// likeliest, for all at once (`SearchKernelSet::adopt`); who got no answer asks the second, and so
/// on through the columns; the few that are left go through the rest of their rows, whose lines are
/// fetched meanwhile. Blocks
/// are dealt to a part's threads as they come. A part's threads read a copy of the frontier on
/// their own node, and write their own part's memory alone.
#pragma once

#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// Where a step's frontier is.
enum class Input {
  set,     ///< in `frontier`
  queues,  ///< in the threads' queues
};

/// Inside `Team::run`, with a barrier behind it: the frontier as a set, and a copy of it for each
/// of several parts, made by the part's threads.
void exchange_frontier(SearchState& state, const Place& me, Input input);

/// Inside `Team::run`: one step of the team from the frontier to the set `next`.
void bottom_up(SearchState& state, const Place& me);

/// Inside `Team::run`: the set `frontier` into the threads' queues, each what it owns.
void queue_frontier(SearchState& state, const Place& me);

}  // namespace kinjo::graph::detail
