/// Grids and roads. The edges of a grid are numbered row after row: first those along a row, then
/// those from it to the next.
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/limits.hpp"
#include "graph/random.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph {

namespace {

constexpr std::uint64_t kMainRoad = 8;

template <class Number>
std::uint64_t vertices_of(std::uint64_t rows, std::uint64_t columns) {
  constexpr std::uint64_t kMost = detail::kMostOfRule<Number>;
  if (rows == 0 || columns == 0 || columns > kMost / rows) {
    throw Error(Errc::invalid_argument,
                fmt::format("a grid of {} x {}: expected 1 to {} vertices{}", rows, columns, kMost,
                            sizeof(Number) == 4 ? ", since they are numbered in 32 bits" : ""));
  }
  return rows * columns;
}

template <class Number>
struct Street {
  BasicEdge<Number> edge;
  bool is_main;
};

template <class Number>
struct GridShape {
  std::uint64_t rows, columns;

  EdgeCount edges() const { return rows * (columns - 1) + (rows - 1) * columns; }
  Street<Number> operator()(std::uint64_t i) const {
    const std::uint64_t row = i / (2 * columns - 1), k = i % (2 * columns - 1);
    const bool along = k < columns - 1;
    const std::uint64_t column = along ? k : k - (columns - 1);
    const auto from = static_cast<Number>(row * columns + column);
    return {{from, static_cast<Number>(from + (along ? 1 : columns))},
            (along ? row : column) % kMainRoad == 0};
  }
};

/// What turns a vertex of the plain grid into one of the list.
class Label {
 public:
  Label(std::uint64_t vertices, Labels labels, const Seeds& seeds)
      : permutation_(vertices, seeds), labels_(labels) {}
  template <class Number>
  BasicEdge<Number> operator()(const BasicEdge<Number>& e) const {
    if (labels_ == Labels::plain) return e;
    return {static_cast<Number>(permutation_(e.from)), static_cast<Number>(permutation_(e.to))};
  }

 private:
  detail::Permutation permutation_;
  Labels labels_;
};

template <class Number>
BasicEdgeList<Number> make(Team& team, const Grid& rule, const Seeds& seeds) {
  const std::uint64_t n = vertices_of<Number>(rule.rows, rule.columns);
  const GridShape<Number> grid{rule.rows, rule.columns};
  const Label label(n, rule.labels, seeds);
  return detail::write_list<Number>(team, n, grid.edges(),
                                    [&](std::uint64_t i) { return label(grid(i).edge); });
}

template <class Number>
BasicEdgeList<Number> make(Team& team, const Road& rule, const Seeds& seeds) {
  const std::uint64_t n = vertices_of<Number>(rule.rows, rule.columns);
  const GridShape<Number> grid{rule.rows, rule.columns};
  const Label label(n, rule.labels, seeds);
  const auto is_kept = [&](std::uint64_t i, const Street<Number>& street) {
    return street.is_main || (detail::Stream(seeds, i).next() & 0xffff) < rule.kept;
  };
  // How many streets each thread's block keeps says where the next one's begin.
  std::vector<EdgeCount> begins(team.size() + 1);
  team.run([&](const Place& me) {
    const Range mine = detail::block_of(team, me, grid.edges());
    EdgeCount kept = 0;
    for (std::size_t i = mine.begin; i < mine.end; ++i) kept += is_kept(i, grid(i));
    begins[static_cast<std::size_t>(me.thread) + 1] = kept;
  });
  for (std::size_t t = 1; t < begins.size(); ++t) begins[t] += begins[t - 1];
  BasicEdgeList<Number> list(n, begins.back());
  team.run([&](const Place& me) {
    const Range mine = detail::block_of(team, me, grid.edges());
    auto out = list.all().begin() +
               static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(me.thread)]);
    for (std::size_t i = mine.begin; i < mine.end; ++i) {
      const Street<Number> street = grid(i);
      if (is_kept(i, street)) *out++ = label(street.edge);
    }
  });
  return list;
}

template <class Rule>
AnyEdgeList make_any(Team& team, const Rule& rule, const Seeds& seeds, Width width) {
  std::uint64_t vertices = 0;
  if (__builtin_mul_overflow(rule.columns, rule.rows, &vertices)) vertices = ~std::uint64_t{0};
  if (detail::needs_wide(vertices, width)) return make<VertexId>(team, rule, seeds);
  return make<Vertex>(team, rule, seeds);
}

}  // namespace

EdgeList generate(Team& team, const Grid& rule, const Seeds& seeds) {
  return make<Vertex>(team, rule, seeds);
}
EdgeList generate(Team& team, const Road& rule, const Seeds& seeds) {
  return make<Vertex>(team, rule, seeds);
}
AnyEdgeList generate(Team& team, const Grid& rule, const Seeds& seeds, Width width) {
  return make_any(team, rule, seeds, width);
}
AnyEdgeList generate(Team& team, const Road& rule, const Seeds& seeds, Width width) {
  return make_any(team, rule, seeds, width);
}

}  // namespace kinjo::graph
