/// Steps from the frontier to its unreached neighbours.
///
/// One thread walks through the rows of its queue (graph/walk.hpp), and what it finds is written
/// behind it.
///
/// A team first measures: each thread cuts its frontier into chunks of about as many edges. Then
/// they scan the chunks of their part as they come, and put what may be new into bins for its
/// owner, likewise without a branch; behind a barrier every owner takes what it was given. So every
/// bitmap word, parent and queue has one writer, there are no atomic read-modify-writes, and while
/// they scan nobody writes what others read. Bins that are full are emptied in between.
#pragma once

#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// Edges of a frontier, counted until they exceed `enough`.
EdgeCount count_edges(const SearchState& state, std::span<const Vertex> frontier, EdgeCount enough);

/// One thread's step: the queue's frontier is replaced by what was found. Returns how many
/// neighbours were looked at.
EdgeCount top_down_alone(SearchState& state, VertexQueue& queue);

/// For a thread of the team, with a barrier behind it: counts its frontier's edges and cuts it into
/// chunks, unless all threads together find that there are more than `enough`.
void measure_frontier(SearchState& state, Worker& mine, EdgeCount enough);

/// Inside `Team::run`: one step of the team over the chunks of all. Each thread's queue then has
/// what it owns of the next frontier.
void top_down_together(SearchState& state, const Place& me);

}  // namespace kinjo::graph::detail
