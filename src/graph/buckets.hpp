/// Entries of rows, dealt to buckets of rows that a core's caches hold.
#pragma once

#include <vector>

#include <kinjo/graph.hpp>

#include "graph/bucket_writer.hpp"
#include "graph/crews.hpp"

namespace kinjo::graph::detail {

/// Bucket b has the rows b·2^shift to (b + 1)·2^shift − 1.
struct Buckets {
  unsigned shift = 0;
  std::size_t rows = 0;
  /// Where the entries of each bucket begin, and where the last one's end.
  std::vector<EdgeCount> begins;
  /// Consecutive buckets for each crew, with about as many entries as the next one's.
  std::vector<Range> of_crews;

  std::size_t count() const { return begins.size() - 1; }
  EdgeCount entries() const { return begins.back(); }
  Range rows_of(std::size_t bucket) const {
    const std::size_t begin = bucket << shift;
    return {begin, std::min(rows, begin + (std::size_t{1} << shift))};
  }
};

/// How many rows a bucket has, by its logarithm, for so many rows and entries in all.
unsigned bucket_shift(std::uint64_t rows, EdgeCount entries);
/// How many buckets that makes.
inline std::size_t bucket_count(std::uint64_t rows, unsigned shift) {
  return ((rows - 1) >> shift) + 1;
}

/// How many entries each thread has for each bucket: `by_thread[t][b]`.
using Counts = std::vector<std::vector<EdgeCount>>;

/// Lays the buckets out; `counts` become where each thread's entries of each bucket begin. Throws
/// `Error` (`invalid_argument`) for a bucket of 2³² entries.
Buckets lay_out(Counts& counts, unsigned shift, std::uint64_t rows, std::size_t crews);

/// Memory for `bytes` each of the buckets' entries, on the nodes of the crews. Throws `Error`.
Buffer place_buckets(const Buckets& buckets, std::size_t bytes, const Mapping& mapping,
                     Pages pages);

/// Whether so many entries are better written past the caches.
Past past_for(EdgeCount entries);

/// Counts a list's edges by bucket. Throws `Error` for an end that is no vertex.
Counts count_edges(Team& team, const EdgeList& edges, Sense sense, unsigned shift);

/// Deals {row, neighbour} of every edge, in the order of the list: both senses of it, or in a
/// directed graph {to, from}.
void deal_edges(Team& team, const EdgeList& edges, Sense sense, unsigned shift,
                const Counts& begins, Edge* out);

/// Calls what `make_worker()` returns for every bucket, in threads of the crew that it belongs to.
template <class MakeWorker>
void for_each_bucket(Team& team, const Buckets& buckets, const MakeWorker& make_worker) {
  TaskQueue queue(buckets.of_crews);
  team.run([&](const Place& me) {
    auto work = make_worker();
    const std::size_t crew = crew_of(team.mapping(), me);
    while (const auto bucket = queue.next(crew)) work(*bucket);
  });
}

}  // namespace kinjo::graph::detail
