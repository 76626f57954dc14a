/// Spanning trees of any graph, counted exactly without a look at a single one: their number is any
/// cofactor of the Laplacian matrix L = D − A (G. Kirchhoff, 1847), D being the degrees and A the
/// edges between two vertices.
///
///     count_spanning_trees(team, network_by_rule("complete:20").network).count
///     // 20^18: A. Cayley's formula
///
/// L is eliminated modulo primes below 2⁶³, in an order of vertices of which each has the fewest
/// neighbours left (minimum degree), so that what is sparse stays so; as many primes as the product
/// of the degrees of all vertices but one can need. Residues are joined by the Chinese remainder
/// theorem.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kinjo/network.hpp>
#include <kinjo/paths.hpp>

namespace kinjo::paths {

struct TreeCountOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  /// By other primes, and by the cofactor of another vertex. It must make no difference.
  bool otherwise = false;
  /// Called while vertices are eliminated; an item is a prime, and states are the entries that
  /// elimination leaves: before the first prime those that are known so far.
  GoOn go_on;
};

/// What a count takes.
struct TreesNeed {
  std::uint64_t entries = 0;  ///< of the triangle that elimination leaves
  double products = 0;        ///< modulo each prime
  std::size_t primes = 0;
  std::uint64_t bytes = 0;  ///< of memory, at most, with so many threads
};

/// What was found, and what it took.
struct TreesResult : CountResult {
  TreesNeed took;
};

/// How many spanning trees a network has; one without vertices has none, as has one that falls
/// apart. Parallel edges make trees of their own, loops none. Primes are shared by the team. Of the
/// result `count`, `peak_bytes`, `interrupted` and `took` are used. Throws `Error`
/// (`out_of_memory`) as soon as it is known that it will not fit.
TreesResult count_spanning_trees(Team& team, const Network& network,
                                 const TreeCountOptions& options = {});

}  // namespace kinjo::paths
