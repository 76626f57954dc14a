#include "workload/graph500_run.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <unordered_set>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/partitioned_array.hpp>

#include "base/text.hpp"
#include "graph/limits.hpp"
#include "graph/validate.hpp"
#include "measure/sampling.hpp"
#include "workload/memory_use.hpp"
#include "workload/subject.hpp"

namespace kinjo {

namespace {

using graph::AnyEdgeList;
using graph::Graph;
using graph::Width;
using graph::detail::component_edges;
using graph::detail::generate_source;
using graph::detail::list_size;
using graph::detail::validate;

/// Seconds that `f` takes.
template <class F>
double seconds_of(const F& f) {
  const double start = now_seconds();
  f();
  return now_seconds() - start;
}

/// Searches from one root after another, with parents of one width.
template <class Parent>
class Kernel2 {
 public:
  Kernel2(const Graph& graph, const AnyEdgeList* list, Team& team, const Graph500Settings& settings)
      : graph_(graph),
        list_(list),
        team_(team),
        checks_(settings.validate),
        search_(graph, team),
        parents_(team, graph.vertices(), {.pages = settings.pages}) {}

  /// A search that does not count: working memory gets its pages.
  void warm_up(std::uint64_t root) { search_.run(root, parents_.all()); }

  Graph500Search run(std::uint64_t root, std::string& fault) {
    Graph500Search done{.root = root};
    graph::SearchResult found;
    done.seconds = seconds_of([&] { found = search_.run(root, parents_.all()); });
    done.levels = std::move(found.levels);
    const std::vector<std::int64_t> claimed(parents_.all().begin(), parents_.all().end());
    done.edges = component_edges(graph_, claimed);
    if (checks_) {
      const graph::detail::Claim claim{.root = root, .parents = claimed, .ids = graph_.ids()};
      done.validation_seconds = seconds_of([&] { check(claim, fault); });
    }
    return done;
  }

 private:
  void check(const graph::detail::Claim& claim, std::string& fault) {
    const auto against = [&](const auto& edges) { return validate(team_, edges, claim); };
    const auto said = list_ ? std::visit(against, *list_) : against(graph_);
    if (said && fault.empty()) fault = fmt::format("from root {}: {}", claim.root, *said);
  }

  const Graph& graph_;
  const AnyEdgeList* list_;
  Team& team_;
  const bool checks_;
  graph::Search search_;
  PartitionedArray<Parent> parents_;
};

template <class Parent>
void run_kernel_2(const Graph& graph, const AnyEdgeList* list, Team& team,
                  const Graph500Settings& settings, const ProgressSink& progress,
                  Graph500Result& result) {
  const auto roots = graph500_roots(graph, settings.roots, settings.seeds);
  if (roots.empty()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{}: expected edges between different vertices, there is none",
                            settings.graph.empty()
                                ? "the graph"
                                : fmt::format("'{}'", kinjo::detail::printable(settings.graph))));
  }
  Kernel2<Parent> kernel(graph, list, team, settings);
  kernel.warm_up(roots.front());
  for (const std::uint64_t root : roots) {
    if (progress) {
      progress({result.searches.size(), roots.size(), fmt::format("search from {}", root)});
    }
    result.searches.push_back(kernel.run(root, result.fault));
  }
}

Width width_of(const Graph500Settings& settings) {
  if (settings.listed) return Width::wide;
  return settings.parent_bits == 64 ? Width::automatic : Width::narrow;
}

/// Kernel 1, or the graph of a file, of which there is no list.
Graph make_graph(const Graph500Settings& settings, Team& team, std::optional<AnyEdgeList>& list,
                 Graph500Result& result, const ProgressSink& progress) {
  const auto tell = [&](const std::string& what) {
    if (progress) progress({0, settings.roots, what});
  };
  const graph::BuildOptions build{
      .order = settings.order, .pages = settings.pages, .begins = [&](const char* stage) {
        tell(fmt::format("construction: {}", stage));
      }};
  std::optional<Graph> made;
  const Width width = width_of(settings);
  const graph::detail::Source source = graph500_source(settings);
  if (const auto* const file = std::get_if<graph::detail::SourceFile>(&source)) {
    tell("reading the graph");
    result.construction_seconds =
        seconds_of([&] { made.emplace(read_graph(team, file->path, build, {.width = width})); });
    return std::move(*made);
  }
  tell("generation");
  result.generation_seconds =
      seconds_of([&] { list.emplace(generate_source(team, source, settings.seeds, width)); });
  result.construction_seconds = seconds_of([&] { made.emplace(Graph::build(team, *list, build)); });
  return std::move(*made);
}

}  // namespace

graph::detail::Source graph500_source(const Graph500Settings& settings) {
  if (!settings.graph.empty()) return graph::detail::parse_source(settings.graph);
  const std::uint64_t most = graph::detail::most_edge_factor(settings.scale);
  if (settings.edge_factor > most) {
    throw Error(Errc::invalid_argument,
                fmt::format("edge factor {} at scale {}: expected at most {}", settings.edge_factor,
                            settings.scale, most));
  }
  return graph::Kronecker{.scale = settings.scale, .edge_factor = settings.edge_factor};
}

double graph500_bytes(const Graph500Settings& settings) {
  const auto [universe, edges] = list_size(graph500_source(settings)).value();
  const graph::BuildOptions build{.order = settings.order, .pages = settings.pages};
  const bool wide = graph::detail::needs_wide(universe, width_of(settings));
  const std::uint64_t vertices =
      wide ? std::min({universe, 2 * edges, graph::kMostVertices}) : universe;
  const std::uint64_t construction =
      wide ? edges * sizeof(graph::WideEdge) +
                 graph::wide_build_bytes(universe, vertices, edges, build)
           : edges * sizeof(graph::Edge) + graph::build_bytes(vertices, edges, build);
  // Queues, bitmaps and bytes, parents inside and outside; the claim, its depths, and with ids its
  // parents' places and what looks them up.
  const std::uint64_t validation = settings.validate ? (wide ? 25 : 13) : 8;
  const std::uint64_t search = 8 + 2 + 4 + settings.parent_bits / 8 + validation;
  return static_cast<double>(construction) + static_cast<double>(vertices * search);
}

void check_graph500(const Graph500Settings& settings) {
  if (settings.listed && settings.parent_bits != 64) {
    throw Error(Errc::invalid_argument, "parents that are ids have 64 bits: expected bits 64");
  }
  const auto size = list_size(graph500_source(settings));
  if (!size) return;
  if (settings.parent_bits == 32 && size->vertices > graph::kMostVertices) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} vertices: expected at most {} with 32 bits, or 64 bits",
                            size->vertices, graph::kMostVertices));
  }
  const auto [most, available] = room_for(1);
  const double bytes = graph500_bytes(settings);
  if (bytes <= static_cast<double>(most)) return;
  throw Error(Errc::out_of_memory,
              fmt::format("a graph {} takes {}: expected at most {}, 60 % of the {} that are "
                          "available",
                          settings.graph.empty() ? fmt::format("of scale {}", settings.scale)
                                                 : fmt::format("'{}'", settings.graph),
                          detail::format_bytes(static_cast<std::uint64_t>(bytes)),
                          detail::format_bytes(most), detail::format_bytes(available)));
}

double guess_graph500_seconds(const Graph500Settings& settings, std::size_t threads) {
  // Nanoseconds an edge of one thread: generated, built; and of each search, validated.
  constexpr double kGenerate = 60, kBuild = 40, kSearch = 1, kValidate = 8;
  const auto edges = static_cast<double>(list_size(graph500_source(settings)).value().edges);
  const double each = kSearch + (settings.validate ? kValidate : 0);
  return 1e-9 * edges * (kGenerate + kBuild + each * static_cast<double>(settings.roots)) /
         static_cast<double>(threads);
}

std::vector<std::uint64_t> graph500_roots(const Graph& graph, std::size_t count,
                                          const graph::Seeds& seeds) {
  const auto inside = graph.to_internal();
  const auto ids = graph.ids();
  const auto usable = [&](std::uint64_t v) {
    const auto internal = inside.empty() ? static_cast<graph::Vertex>(v) : inside[v];
    return !graph.neighbours(internal).empty();
  };
  std::uint64_t all = 0;
  for (std::uint64_t v = 0; v < graph.vertices(); ++v) all += usable(v);
  std::seed_seq sequence{seeds.first, seeds.second};
  std::mt19937_64 random(sequence);
  std::vector<std::uint64_t> roots;
  std::unordered_set<std::uint64_t> taken;
  while (roots.size() < std::min<std::uint64_t>(count, all)) {
    const std::uint64_t v = random() % graph.vertices();
    if (usable(v) && taken.insert(v).second) roots.push_back(ids.empty() ? v : ids[v]);
  }
  return roots;
}

Graph500Result run_graph500_once(const Graph500Settings& settings, const Mapping& mapping,
                                 const ProgressSink& progress) {
  Team team(mapping, {.bind = settings.bind, .caller = Caller::joins});
  Graph500Result result;
  std::optional<AnyEdgeList> list;
  const Graph graph = make_graph(settings, team, list, result, progress);
  if (!settings.save.empty()) write_graph(graph, settings.save);
  result.vertices = list ? graph.universe() : graph.vertices();
  result.edges = graph.input_edges();
  result.entries = graph.entries();
  result.graph_bytes = graph.bytes();
  result.parts = graph.parts().size();
  result.order = graph.order();
  const AnyEdgeList* const edges = list ? &*list : nullptr;
  if (settings.parent_bits == 64) {
    run_kernel_2<std::int64_t>(graph, edges, team, settings, progress, result);
  } else {
    run_kernel_2<std::int32_t>(graph, edges, team, settings, progress, result);
  }
  return result;
}

}  // namespace kinjo
