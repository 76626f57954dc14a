#include "graph/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graph/graph_data.hpp"
#include "graph/random.hpp"
#include "graph/vertex_set.hpp"

namespace kinjo::graph::detail {

namespace {

/// Lengths that a counting sort tells apart; the few longer rows are sorted among themselves.
constexpr std::uint32_t kMostCounted = 4095;

}  // namespace

void order_by_length(const LooseRows& rows, std::span<Vertex> order) {
  const auto bin = [](std::uint32_t length) {
    return kMostCounted - std::min(length, kMostCounted);
  };
  std::vector<std::size_t> begins(kMostCounted + 2);
  for (const RowPlace& place : rows.places) ++begins[bin(place.length) + 1];
  const std::size_t long_rows = begins[1];
  for (std::size_t b = 1; b < begins.size(); ++b) begins[b] += begins[b - 1];
  for (std::size_t v = 0; v < rows.size(); ++v) {
    order[begins[bin(rows.length(v))]++] = static_cast<Vertex>(v);
  }
  std::ranges::stable_sort(order.first(long_rows), std::ranges::greater{},
                           [&](Vertex v) { return rows.length(v); });
}

void deal_ranks(std::span<const Part> parts, std::span<Vertex> internal) {
  std::size_t rank = 0;
  for (std::size_t row = 0; rank < internal.size(); ++row) {
    for (const Part& part : parts) {
      if (row >= part.vertices.size()) break;  // nor have those behind it
      internal[rank++] = static_cast<Vertex>(part.vertices.begin + row);
    }
  }
}

namespace {

/// Depth of a search from `root` that ends when it has seen `most` vertices, or is as deep as that.
template <class Rows>
std::size_t depth_of_sample(const Rows& rows, Vertex root, std::size_t most, std::size_t deepest) {
  VertexSet seen(rows.size());
  std::vector<Vertex> queue{root};
  seen.insert(root);
  std::size_t depth = 0;
  for (std::size_t begin = 0; depth < deepest && begin < queue.size() && queue.size() < most;
       ++depth) {
    const std::size_t end = queue.size();
    for (; begin < end; ++begin) {
      for (const Vertex v : rows.row(queue[begin])) {
        if (seen.insert(v)) queue.push_back(v);
      }
    }
  }
  return depth;
}

/// A few vertices that have neighbours, the same in every run.
template <class Rows>
std::vector<Vertex> sample_vertices(const Rows& rows, std::size_t count) {
  std::vector<Vertex> sample;
  Stream random({}, 0);
  const std::size_t n = rows.size();
  for (std::size_t tries = 0; n > 0 && tries < 4 * count && sample.size() < count; ++tries) {
    const auto v = static_cast<Vertex>(random.below(n));
    if (rows.length(v) > 0) sample.push_back(v);
  }
  return sample;
}

template <class Rows>
Spread spread_of(const Rows& rows) {
  if (rows.spread) return *rows.spread;
  Spread spread;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    spread.sum += rows.length(v);
    spread.most = std::max(spread.most, rows.length(v));
  }
  return spread;
}

/// Whether the greatest length is more than so many mean ones.
bool exceeds(const Spread& spread, double factor, std::size_t rows) {
  return spread.most * static_cast<double>(rows) > factor * static_cast<double>(spread.sum);
}

/// How near numbers are in rows of a square.
double nearness(std::size_t vertices) { return 4 * std::sqrt(static_cast<double>(vertices)); }

bool are_near(Vertex u, Vertex v, double near) {
  return std::abs(static_cast<double>(u) - static_cast<double>(v)) <= near;
}

/// Whether most neighbours' numbers are as near to each other as in rows of a square.
template <class Rows>
bool is_local(const Rows& rows, std::span<const Vertex> sample) {
  const double near = nearness(rows.size());
  std::size_t count = 0, all = 0;
  for (const Vertex v : sample) {
    for (const Vertex u : rows.row(v)) {
      ++all;
      count += are_near(u, v, near);
    }
  }
  return 4 * count >= 3 * all;
}

/// From so many vertices on bitmaps of them are more than a first cache, and an order matters.
constexpr std::size_t kSmall = std::size_t{1} << 16;

}  // namespace

template <class Rows>
Order choose_order(const Rows& rows, std::size_t parts) {
  constexpr std::size_t kInCache = std::size_t{1} << 23;  // three bitmaps of it are 3 MiB
  constexpr double kLowDegree = 8, kSkewed = 16;
  constexpr std::size_t kSeen = 16384, kDeep = 40;
  const std::size_t n = rows.size();
  if (n < kSmall) return Order::caller;
  const Spread spread = spread_of(rows);
  if (exceeds(spread, kSkewed, n)) {
    return parts > 1 || n > kInCache ? Order::degree : Order::caller;
  }
  if (static_cast<double>(spread.sum) > kLowDegree * static_cast<double>(n)) return Order::caller;
  const auto sample = sample_vertices(rows, 256);
  std::size_t depth = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, sample.size()) && depth < kDeep; ++i) {
    depth = depth_of_sample(rows, sample[i], kSeen, kDeep);
  }
  return depth == kDeep && !is_local(rows, sample) ? Order::locality : Order::caller;
}

template Order choose_order(const LooseRows&, std::size_t);
template Order choose_order(const SlotRows&, std::size_t);

bool is_scattered(const EdgeList& edges) {
  constexpr std::size_t kSample = 256;
  if (edges.vertices() < kSmall || edges.size() == 0) return false;
  const double near = nearness(edges.vertices());
  Stream random({}, 0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < kSample; ++i) {
    const Edge& edge = edges.all()[random.below(edges.size())];
    count += are_near(edge.from, edge.to, near);
  }
  return 4 * count < 3 * kSample;
}

std::size_t choose_columns(const LooseRows& rows, Sense sense) {
  constexpr double kEven = 4;
  if (sense == Sense::directed) return kFewColumns;
  const Spread spread = spread_of(rows);
  return exceeds(spread, kEven, rows.size()) ? kFewColumns : most_columns(rows.size(), spread.sum);
}

}  // namespace kinjo::graph::detail
