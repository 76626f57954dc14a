#include <span>
#include <string>
#include <utility>

#include <kinjo/bfs.hpp>
#include <kinjo/graph.hpp>
#include <kinjo/graph_files.hpp>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/workers.hpp"
#include "graph/source.hpp"

using namespace kinjo::capi;

struct kinjo_graph {
  kinjo::graph::Graph value;
};

namespace {

using kinjo::Errc;
using kinjo::Error;
using kinjo::graph::Graph;
using kinjo::graph::Order;
using kinjo::graph::Sense;

constexpr unsigned kOrders =
    KINJO_GRAPH_ORDER_CALLER | KINJO_GRAPH_ORDER_DEGREE | KINJO_GRAPH_ORDER_LOCALITY;

Order order_of(unsigned flags) {
  switch (flags & kOrders) {
    case 0:
      return Order::automatic;
    case KINJO_GRAPH_ORDER_CALLER:
      return Order::caller;
    case KINJO_GRAPH_ORDER_DEGREE:
      return Order::degree;
    case KINJO_GRAPH_ORDER_LOCALITY:
      return Order::locality;
    default:
      throw Error(Errc::invalid_argument,
                  "graph: several KINJO_GRAPH_ORDER flags: expected one of them");
  }
}

Sense sense_of(unsigned flags) {
  return flags & KINJO_GRAPH_DIRECTED ? Sense::directed : Sense::symmetric;
}

kinjo::graph::BuildOptions options_of(unsigned flags, unsigned more = 0) {
  need_flags(flags, KINJO_GRAPH_DIRECTED | kOrders | more);
  return {.sense = sense_of(flags), .order = order_of(flags)};
}

/// So many numbers from there on, which may be NULL if there are none.
template <class Number>
std::span<const Number> numbers(const Number* first, std::uint64_t count, const char* what) {
  return {count > 0 ? &need(first, what) : first, static_cast<std::size_t>(count)};
}

/// Of pairs of numbers.
template <class Number>
kinjo_graph* build(kinjo_team* team, std::uint64_t vertices, std::uint64_t edges,
                   const Number* ends, unsigned flags) {
  const auto options = options_of(flags);
  kinjo::graph::BasicEdgeList<Number> list(vertices, edges);
  const auto given = numbers(ends, 2 * edges, "ends");
  std::size_t i = 0;
  for (auto& edge : list.all()) {
    edge = {given[i], given[i + 1]};
    i += 2;
  }
  return new kinjo_graph{Graph::build(Workers(team).team(), list, options)};
}

}  // namespace

kinjo_graph* kinjo_graph_from_edges(kinjo_team* team, uint64_t vertices, uint64_t edges,
                                    const uint32_t* ends, unsigned flags) {
  return guarded([&] { return build(team, vertices, edges, ends, flags); });
}

kinjo_graph* kinjo_graph_from_edges_64(kinjo_team* team, uint64_t edges, const uint64_t* ends,
                                       unsigned flags) {
  return guarded([&] { return build(team, kinjo::graph::kMostIds, edges, ends, flags); });
}

kinjo_graph* kinjo_graph_from_rows(uint64_t vertices, const uint32_t* begins,
                                   const uint32_t* neighbours, unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_GRAPH_DIRECTED);
    if (vertices > kinjo::graph::kMostVertices) {
      throw Error(Errc::invalid_argument, fmt::format("graph: {} vertices: expected at most {}",
                                                      vertices, kinjo::graph::kMostVertices));
    }
    const auto rows = numbers(begins, vertices + 1, "begins");
    return new kinjo_graph{
        Graph::view(rows, numbers(neighbours, rows.back(), "neighbours"), sense_of(flags))};
  });
}

kinjo_graph* kinjo_graph_open(kinjo_team* team, const char* input, unsigned flags) {
  return guarded([&] {
    const auto source = kinjo::graph::detail::parse_source(&need(input, "input"));
    const auto options = options_of(flags, KINJO_GRAPH_LISTED);
    const auto width =
        flags & KINJO_GRAPH_LISTED ? kinjo::graph::Width::wide : kinjo::graph::Width::automatic;
    Workers workers(team);
    if (const auto* const file = std::get_if<kinjo::graph::detail::SourceFile>(&source)) {
      return new kinjo_graph{
          kinjo::graph::read_graph(workers.team(), file->path, options, {.width = width})};
    }
    const auto list = kinjo::graph::detail::generate_source(workers.team(), source, {}, width);
    return new kinjo_graph{Graph::build(workers.team(), list, options)};
  });
}

int kinjo_graph_save(const kinjo_graph* graph, const char* path) {
  return guarded([&] {
    kinjo::graph::write_graph(need(graph, "graph").value, &need(path, "path"));
    return KINJO_OK;
  });
}

void kinjo_graph_free(kinjo_graph* graph) { delete graph; }

int kinjo_graph_get(const kinjo_graph* graph, kinjo_graph_size* out) {
  return guarded([&] {
    const Graph& value = need(graph, "graph").value;
    need(out, "out") = {value.vertices(), value.input_edges(), value.entries(), value.bytes()};
    return KINJO_OK;
  });
}

const uint64_t* kinjo_graph_ids(const kinjo_graph* graph) {
  return guarded([&] {
    const auto ids = need(graph, "graph").value.ids();
    return ids.empty() ? nullptr : ids.data();
  });
}

struct kinjo_bfs {
  Workers workers;
  kinjo::graph::Search search;
  std::size_t vertices;
};

namespace {

template <class Parent>
int run(kinjo_bfs* bfs, std::uint64_t root, Parent* parents, kinjo_bfs_result* out) {
  kinjo_bfs& self = need(bfs, "bfs");
  const auto found =
      self.search.run(root, std::span<Parent>(&need(parents, "parents"), self.vertices));
  if (!out) return KINJO_OK;
  *out = {found.reached, found.levels.empty() ? 0 : found.levels.size() - 1, 0};
  for (const auto& level : found.levels) out->edges_looked_at += level.looked_at;
  return KINJO_OK;
}

}  // namespace

kinjo_bfs* kinjo_bfs_create(const kinjo_graph* graph, kinjo_team* team) {
  return guarded([&] {
    const Graph& value = need(graph, "graph").value;
    Workers workers(team);
    kinjo::graph::Search search(value, workers.team());
    return new kinjo_bfs{std::move(workers), std::move(search), value.vertices()};
  });
}

void kinjo_bfs_free(kinjo_bfs* bfs) { delete bfs; }

int kinjo_bfs_run(kinjo_bfs* bfs, uint64_t root, int32_t* parents, kinjo_bfs_result* out) {
  return guarded([&] { return run(bfs, root, parents, out); });
}

int kinjo_bfs_run_64(kinjo_bfs* bfs, uint64_t root, int64_t* parents, kinjo_bfs_result* out) {
  return guarded([&] { return run(bfs, root, parents, out); });
}
