#include "graph/stretches.hpp"

#include <algorithm>

#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

Stretches::Stretches(const EdgeList& edges, Sense sense, unsigned shift)
    : edges_(edges.all()),
      sense_(sense),
      vertices_(edges.vertices()),
      shift_(shift),
      ends_((edges.size() + kStretch - 1) / kStretch),
      begins_(bucket_count(edges.vertices(), shift) + 1) {}

std::optional<Stretches> Stretches::find(Team& team, const EdgeList& edges, Sense sense,
                                         unsigned shift) {
  Stretches found(edges, sense, shift);
  if (found.is_out_of_order()) return std::nullopt;
  team.run([&](const Place& me) {
    const Range mine = block_of(team, me, found.ends_.size());
    for (std::size_t s = mine.begin; s < mine.end; ++s) found.ends_[s] = found.look_at(s);
  });
  if (!found.list_by_bucket()) return std::nullopt;
  return found;
}

Stretches::Ends Stretches::look_at(std::size_t stretch) const {
  Ends ends;
  for (const Edge& e : edges_of(stretch)) {
    ends.least = std::min({ends.least, e.from, e.to});
    ends.greatest = std::max({ends.greatest, e.from, e.to});
  }
  return ends;
}

bool Stretches::is_out_of_order() const {
  const std::size_t step = ends_.size() / kLookedAt + 1;
  std::size_t touched = 0, seen = 0;
  for (std::size_t s = 0; s < ends_.size(); s += step, ++seen) touched += buckets_of(look_at(s));
  return touched > kMostTouched * seen;
}

bool Stretches::list_by_bucket() {
  std::size_t touched = 0;
  for (const Ends& ends : ends_) {
    if (ends.greatest >= vertices_) return false;
    touched += buckets_of(ends);
  }
  if (touched > kMostTouched * ends_.size()) return false;
  const auto for_each_bucket = [&](const auto& f) {
    for (std::size_t s = 0; s < ends_.size(); ++s) {
      const std::size_t first = ends_[s].least >> shift_, last = ends_[s].greatest >> shift_;
      for (std::size_t b = first; b <= last; ++b) f(s, b);
    }
  };
  for_each_bucket([&](std::size_t, std::size_t b) { ++begins_[b + 1]; });
  for (std::size_t b = 1; b < begins_.size(); ++b) begins_[b] += begins_[b - 1];
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  stretches_.resize(touched);
  for_each_bucket(
      [&](std::size_t s, std::size_t b) { stretches_[next[b]++] = static_cast<std::uint32_t>(s); });
  return true;
}

Counts Stretches::count(Team& team) const {
  Counts counts(team.size(), std::vector<EdgeCount>(begins_.size() - 1));
  team.run([&](const Place& me) {
    auto& mine = counts[static_cast<std::size_t>(me.thread)];
    const Range all = block_of(team, me, ends_.size());
    for (std::size_t s = all.begin; s < all.end; ++s) {
      const std::span<const Edge> edges = edges_of(s);
      if (buckets_of(ends_[s]) == 1) {
        mine[ends_[s].least >> shift_] += edges.size() * (sense_ == Sense::symmetric ? 2 : 1);
        continue;
      }
      pass(
          edges, [](Vertex) { return true; }, [&](Vertex row, Vertex) { ++mine[row >> shift_]; });
    }
  });
  return counts;
}

}  // namespace kinjo::graph::detail
