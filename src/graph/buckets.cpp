#include "graph/buckets.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "graph/graph_data.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

namespace {

/// Entries of a bucket: their neighbours fill half of an L2 cache.
constexpr EdgeCount kBucketEntries = EdgeCount{1} << 16;
/// Each has lines of cache in its writers, which shall stay in L2.
constexpr std::size_t kMostBuckets = 2048;
/// What is larger than this does not stay in a last-level cache while it is dealt.
constexpr EdgeCount kCachedEntries = EdgeCount{1} << 19;
/// Edges that are looked at before they are counted.
constexpr std::size_t kChecked = 2048;

std::size_t index_of(const Place& me) { return static_cast<std::size_t>(me.thread); }

[[noreturn]] void refuse_edge(const EdgeList& edges, EdgeCount i) {
  const Edge& e = edges.all()[i];
  const std::uint64_t n = edges.vertices();
  throw Error(Errc::invalid_argument,
              fmt::format("edge {} {} vertex {}: expected a number below {}", i,
                          e.from >= n ? "begins in" : "ends in", e.from >= n ? e.from : e.to, n));
}

/// The first edge of a block that has a vertex ≥ n, or `end`.
std::size_t find_wrong(std::span<const Edge> all, std::size_t begin, std::size_t end,
                       std::uint64_t n) {
  Vertex greatest = 0;
  for (std::size_t i = begin; i < end; ++i) {
    greatest = std::max({greatest, all[i].from, all[i].to});
  }
  if (begin == end || greatest < n) return end;
  while (all[begin].from < n && all[begin].to < n) ++begin;
  return begin;
}

}  // namespace

unsigned bucket_shift(std::uint64_t rows, EdgeCount entries) {
  const EdgeCount wanted = std::clamp<EdgeCount>(entries / kBucketEntries, 1, kMostBuckets);
  const auto bits = static_cast<unsigned>(std::bit_width(rows - 1));
  const auto bucket_bits = static_cast<unsigned>(std::bit_width(std::bit_ceil(wanted)) - 1);
  return bits > bucket_bits ? bits - bucket_bits : 0;
}

Buckets lay_out(Counts& counts, unsigned shift, std::uint64_t rows, std::size_t crews) {
  Buckets buckets{.shift = shift, .rows = rows};
  EdgeCount at = 0;
  for (std::size_t b = 0; b < counts[0].size(); ++b) {
    const EdgeCount begin = at;
    buckets.begins.push_back(begin);
    for (auto& of_thread : counts) at += std::exchange(of_thread[b], at);
    if (at - begin <= ~std::uint32_t{0}) continue;
    const Range r = buckets.rows_of(b);
    throw Error(Errc::invalid_argument,
                fmt::format("{} ends of edges at vertices {} to {}: expected less than 2^32",
                            at - begin, r.begin, r.end - 1));
  }
  buckets.begins.push_back(at);
  std::size_t first = 0;
  for (std::size_t c = 1; c <= crews; ++c) {
    const EdgeCount share = at / crews * c;
    const auto end =
        c == crews ? buckets.count()
                   : static_cast<std::size_t>(std::ranges::lower_bound(buckets.begins, share) -
                                              buckets.begins.begin());
    buckets.of_crews.push_back({first, std::max(first, std::min(end, buckets.count()))});
    first = buckets.of_crews.back().end;
  }
  return buckets;
}

Buffer place_buckets(const Buckets& buckets, std::size_t bytes, const Mapping& mapping,
                     Pages pages) {
  Buffer buffer = place(buckets.entries() * bytes, -1, pages);
  if (mapping.nodes().size() < 2) return buffer;
  const std::size_t page = page_bytes();
  auto* data = static_cast<std::byte*>(buffer.data());
  for (std::size_t c = 0; c < buckets.of_crews.size(); ++c) {
    const std::size_t begin = buckets.begins[buckets.of_crews[c].begin] * bytes / page * page;
    const std::size_t end = buckets.begins[buckets.of_crews[c].end] * bytes / page * page;
    // Refused, they lie where they are written first: it is only a matter of speed.
    if (begin < end && mapping.nodes()[c] >= 0) {
      kinjo::detail::bind_pages(data + begin, end - begin, mapping.nodes()[c]);
    }
  }
  return buffer;
}

Past past_for(EdgeCount entries) { return entries > kCachedEntries ? Past::caches : Past::nothing; }

Counts count_edges(Team& team, const EdgeList& edges, Sense sense, unsigned shift) {
  const std::span<const Edge> all = edges.all();
  const std::uint64_t n = edges.vertices();
  const std::size_t buckets = bucket_count(std::max<std::uint64_t>(n, 1), shift);
  Counts counts(team.size(), std::vector<EdgeCount>(buckets));
  std::vector<EdgeCount> wrong(team.size(), edges.size());
  team.run([&](const Place& me) {
    const Range mine = block_of(team, me, edges.size());
    // Two tables, because edges in order count the same bucket again and again.
    std::vector<EdgeCount> to(buckets), from(buckets);
    for (std::size_t i = mine.begin; i < mine.end;) {
      const std::size_t end = std::min(mine.end, i + kChecked);
      if (const std::size_t first = find_wrong(all, i, end, n); first < end) {
        wrong[index_of(me)] = first;
        return;
      }
      for (; i < end; ++i) {
        ++to[all[i].to >> shift];
        if (sense == Sense::symmetric) ++from[all[i].from >> shift];
      }
    }
    for (std::size_t b = 0; b < buckets; ++b) counts[index_of(me)][b] = to[b] + from[b];
  });
  const EdgeCount first = std::ranges::min(wrong);
  if (first < edges.size()) refuse_edge(edges, first);
  return counts;
}

void deal_edges(Team& team, const EdgeList& edges, Sense sense, unsigned shift,
                const Counts& begins, Edge* out) {
  const std::span<const Edge> all = edges.all();
  const Past past = past_for(sense == Sense::symmetric ? 2 * edges.size() : edges.size());
  team.run([&](const Place& me) {
    BucketWriter writer(out, begins[index_of(me)], past);
    const Range mine = block_of(team, me, edges.size());
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
      const Edge e = all[i];
      if (sense == Sense::symmetric) writer.put(e.from >> shift, e);
      writer.put(e.to >> shift, {e.to, e.from});
    }
    writer.finish();
  });
}

}  // namespace kinjo::graph::detail
