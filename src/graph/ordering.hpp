/// Orders of vertices.
#pragma once

#include <kinjo/graph.hpp>

#include "graph/slot_rows.hpp"

namespace kinjo::graph::detail {

/// Vertices by falling length of their rows, equal ones by rising number: a counting sort. Writes
/// all of `order`.
void order_by_length(const LooseRows& rows, std::span<Vertex> order);

/// The internal number of each rank, where ranks are dealt in turn to the parts that have room.
void deal_ranks(std::span<const Part> parts, std::span<Vertex> internal);

/// Vertices in blobs: each is what a search of breadth reaches first from a seed, `kBlob` vertices,
/// and the seeds are what blobs found but had no room for, first found first. A search that passes
/// through such a graph, of large diameter, finds the rows of one blob in a few pages, and those of
/// the next ones behind them. Vertices without neighbours come last. Serial, O(vertices + entries).
void order_by_blobs(const LooseRows& rows, std::span<Vertex> order);

/// The same, and the rows in that order, one behind the other, in `memory`, which has room for as
/// many neighbours as there are; `numbers` get every vertex's place. While one thread finds the
/// order the others copy what it has found.
template <class Rows>
LooseRows arrange_by_blobs(Team& team, const Rows& rows, std::span<Vertex> order,
                           std::span<Vertex> numbers, Buffer memory, Pages pages);

/// What suits a graph with these rows, cut into so many parts.
template <class Rows>
Order choose_order(const Rows& rows, std::size_t parts);
/// Whether the ends of most edges are too far from each other for any order but that of locality to
/// be one, in a sample of them.
bool is_scattered(const EdgeList& edges);

/// Columns of first neighbours that rows in falling order of their neighbours' degrees may have,
/// with so many entries in them.
inline constexpr std::size_t kFewColumns = 2, kManyColumns = 4;
constexpr std::size_t most_columns(std::uint64_t vertices, EdgeCount entries) {
  constexpr EdgeCount kMeanDegree = 20;  // from which on they are a small part of the graph
  return entries >= kMeanDegree * vertices ? kManyColumns : kFewColumns;
}

/// How many suit a search of these rows. Where some vertices have far more neighbours than others,
/// nearly all who find a parent find it among the first two; where all have about as many, the
/// third is as likely as the first.
std::size_t choose_columns(const LooseRows& rows, Sense sense);

}  // namespace kinjo::graph::detail
