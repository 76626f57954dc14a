/// Paths between opposite corners of a grid, counted exactly and far faster than those of any graph
/// (paths.hpp): in the plane the ends of the paths that a swept part holds are paired like
/// brackets, words of brackets can be numbered without gaps, and so the counts of all words are
/// plain arrays.
///
///     count_grid_paths(team, 16, 16).count.to_string()
///     // 68745445609149931587631563132489232824587945968099457285419306
///
/// Method: H. Iwashita, Y. Nakazawa, J. Kawahara, T. Uno, S. Minato, "Efficient computation of the
/// number of paths in a grid graph with minimal perfect hash functions", TCS-TR-A-13-64, Hokkaido
/// University, 2013; here swept from both ends and in blocks that stay in the caches.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kinjo/paths.hpp>

namespace kinjo::paths {

/// How the numbers are kept.
enum class GridMethod {
  automatic,  ///< `halves` if they fit the memory, else `residues`
  halves,     ///< exactly: one sweep from each end, and where they meet the sum of products
  residues,   ///< one sweep for each of several primes, one after another: a third of the memory or
              ///< less, and several times the time
};
const char* to_string(GridMethod method) noexcept;

struct GridCountOptions {
  GridMethod method = GridMethod::automatic;
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  /// Of `residues`: one prime more than the number can need. It must make no difference.
  bool spare_prime = false;
  /// Called after each row, and of long rows more often; an item is a row of a sweep, and states
  /// are words of a row.
  GoOn go_on;
};

/// What a count takes.
struct GridNeed {
  GridMethod method = GridMethod::halves;
  std::uint64_t states = 0;  ///< numbers that a sweep keeps
  std::uint64_t steps = 0;   ///< times that it goes over all of them
  unsigned limbs = 0;        ///< of 64 bits: the longest number
  std::size_t primes = 0;    ///< of `GridMethod::residues`
  std::uint64_t bytes = 0;   ///< of memory, at most
};

/// The longest sides of a grid that can be counted, as far as memory goes.
inline constexpr unsigned kMostGridColumns = 27;
inline constexpr unsigned kMostGridRows = 9999;

/// What it takes to count the paths of a grid of `rows` × `columns` squares with so many threads;
/// `automatic` stands for `halves` where it can be. Throws as `count_grid_paths`.
GridNeed grid_paths_need(unsigned rows, unsigned columns, std::size_t threads,
                         GridMethod method = GridMethod::automatic);

/// Bytes of memory that such a count can do with: by the method that takes the least. Throws
/// likewise.
std::uint64_t grid_paths_least_bytes(unsigned rows, unsigned columns, std::size_t threads);

/// What was found, and by what.
struct GridCountResult : CountResult {
  GridNeed took;  ///< of the method that was chosen; without a prime that is spare
};

/// How many paths without cycles lead from one corner of a grid of `rows` × `columns` squares, so
/// of (rows + 1)(columns + 1) vertices, to the opposite one. Of the result `count`, `peak_bytes`,
/// `interrupted` and `took` are used. Throws `Error`: `invalid_argument` for sides that are 0 or
/// too long; `not_supported` where `halves` would need more than four limbs; `out_of_memory` before
/// anything is begun that will not fit. Where rows take less than about 0.1 ms (up to 10 × 10
/// squares) the calling thread counts alone, since the team's would wait for each other more than
/// they work.
GridCountResult count_grid_paths(Team& team, unsigned rows, unsigned columns,
                                 const GridCountOptions& options = {});

}  // namespace kinjo::paths
