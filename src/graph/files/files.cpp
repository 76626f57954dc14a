/// Reading and writing by format.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_files.hpp>

#include "base/file_format.hpp"
#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "graph/files/binary.hpp"
#include "graph/files/kgraph.hpp"
#include "graph/files/mapped_file.hpp"
#include "graph/files/matrix_market.hpp"
#include "graph/files/metis.hpp"
#include "graph/files/text_list.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph {

namespace {

using kinjo::detail::refuse_writing;

constexpr kinjo::detail::Ending<FileFormat> kEndings[] = {
    {".el", FileFormat::text},           {".wel", FileFormat::text},
    {".txt", FileFormat::text},          {".tsv", FileFormat::text},
    {".csv", FileFormat::text},          {".edges", FileFormat::text},
    {".b32", FileFormat::binary32},      {".b64", FileFormat::binary64},
    {".mtx", FileFormat::matrix_market}, {".graph", FileFormat::metis},
    {".metis", FileFormat::metis},       {".sg", FileFormat::gap},
    {".kgraph", FileFormat::kinjo},
};

FileFormat resolve(FileFormat format, const std::string& path) {
  return format == FileFormat::automatic ? format_of(path) : format;
}

/// Begins of rows and neighbours as `.sg` has them.
struct GapArrays {
  std::vector<std::uint64_t> begins;
  std::vector<Vertex> neighbours;
};

GapArrays gap_arrays(const Graph& graph) {
  GapArrays arrays{{0}, {}};
  const auto to_caller = graph.to_caller(), to_internal = graph.to_internal();
  arrays.neighbours.reserve(graph.entries());
  for (std::uint64_t v = 0; v < graph.vertices(); ++v) {
    const auto row =
        graph.neighbours(to_internal.empty() ? static_cast<Vertex>(v) : to_internal[v]);
    const auto begin = static_cast<std::ptrdiff_t>(arrays.neighbours.size());
    for (const Vertex u : row) arrays.neighbours.push_back(to_caller.empty() ? u : to_caller[u]);
    std::sort(arrays.neighbours.begin() + begin, arrays.neighbours.end());
    arrays.begins.push_back(arrays.neighbours.size());
  }
  return arrays;
}

template <class T>
std::string_view bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const char*>(data), count * sizeof(T)};
}

template <class Number>
using Listed = BasicListedEdges<BasicEdgeList<Number>>;

/// What is a list of 32 bits, in as many as asked for.
template <class Number>
Listed<Number> widened(ListedEdges listed) {
  if constexpr (sizeof(Number) == sizeof(Vertex)) {
    return listed;
  } else {
    const std::span<const Edge> from = std::as_const(listed.edges).all();
    WideEdgeList wide(listed.edges.vertices(), from.size());
    for (std::size_t i = 0; i < from.size(); ++i) wide.all()[i] = {from[i].from, from[i].to};
    return {std::move(wide), listed.sense};
  }
}

template <class Number>
Listed<Number> read_as(Team& team, const std::string& path, const ReadOptions& options) {
  const FileFormat format = resolve(options.format, path);
  const detail::MappedFile file(path);
  switch (format) {
    case FileFormat::text: {
      detail::LineRule rule;
      if (options.vertices != 0) rule.vertices = options.vertices;
      return {detail::parse_lines<Number>(team, file.text(), path, rule), {}};
    }
    case FileFormat::binary32:
      return {detail::parse_pairs<Number>(team, file.bytes(), path, 32, options.vertices), {}};
    case FileFormat::binary64:
      return {detail::parse_pairs<Number>(team, file.bytes(), path, 64, options.vertices), {}};
    case FileFormat::matrix_market:
      return detail::parse_matrix_market<Number>(team, file.text(), path);
    case FileFormat::metis:
      return widened<Number>(detail::parse_metis(file.text(), path));
    case FileFormat::gap:
      return widened<Number>(detail::parse_gap(file.bytes(), path));
    default:
      throw Error(Errc::invalid_argument,
                  fmt::format("'{}' holds a built graph and no list of edges: read it as a graph",
                              kinjo::detail::printable(path)));
  }
}

/// A graph that was saved, if its vertices are called as they are asked to be.
Graph open_as(const std::string& path, Width width) {
  Graph graph = open_graph(path);
  const bool has_ids = !graph.ids().empty();
  const auto refuse = [&](const char* built) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' was built {}", kinjo::detail::printable(path), built));
  };
  if (width == Width::wide && !has_ids && graph.vertices() > 0) {
    refuse("without ids, which were asked for: expected a list of edges, or a graph with ids");
  }
  if (width == Width::narrow && has_ids) {
    refuse("with ids: expected 64 bits, or a graph without ids");
  }
  return graph;
}

template <class Number>
void write_as(const BasicEdgeList<Number>& edges, const std::string& path, FileFormat format) {
  const auto all = edges.all();
  const auto write_pairs = [&]<class T>(T) {
    if constexpr (sizeof(T) == sizeof(Number)) {
      kinjo::detail::write_whole_file(path, bytes_of(all.data(), all.size()));
    } else {
      std::vector<BasicEdge<T>> pairs(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        pairs[i] = {static_cast<T>(all[i].from), static_cast<T>(all[i].to)};
      }
      kinjo::detail::write_whole_file(path, bytes_of(pairs.data(), pairs.size()));
    }
  };
  switch (resolve(format, path)) {
    case FileFormat::text:
      return kinjo::detail::write_whole_file(path, detail::list_text(edges));
    case FileFormat::binary32:
      if (edges.vertices() > kMostVertices) {
        refuse_writing(path,
                       fmt::format("{} vertices: expected at most {} in pairs of 32-bit numbers",
                                   edges.vertices(), kMostVertices));
      }
      return write_pairs(Vertex{});
    case FileFormat::binary64:
      return write_pairs(VertexId{});
    default:
      refuse_writing(path, "a list of edges is written as text or as pairs of numbers");
  }
}

}  // namespace

const char* to_string(FileFormat format) noexcept {
  constexpr const char* kNames[] = {"automatic",     "text",  "binary32", "binary64",
                                    "matrix_market", "metis", "gap",      "kinjo"};
  return kNames[static_cast<int>(format)];
}

FileFormat format_of(const std::string& path) {
  if (const auto format = kinjo::detail::find_format<FileFormat>(path, kEndings)) return *format;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' does not end as a graph's file: expected one of {}",
                          kinjo::detail::printable(path),
                          kinjo::detail::list_endings<FileFormat>(kEndings)));
}

ListedEdges read_edges(Team& team, const std::string& path, const ReadOptions& options) {
  return read_as<Vertex>(team, path, options);
}

AnyListedEdges read_any_edges(Team& team, const std::string& path, const ReadOptions& options) {
  const auto any = [](auto listed) {
    return AnyListedEdges{std::move(listed.edges), listed.sense};
  };
  if (!detail::needs_wide(options.vertices, options.width)) {
    try {
      return any(read_as<Vertex>(team, path, options));
    } catch (const detail::TooWide&) {
      if (options.width == Width::narrow) throw;
    }
  }
  return any(read_as<VertexId>(team, path, options));
}

Graph read_graph(Team& team, const std::string& path, const BuildOptions& build,
                 const ReadOptions& options) {
  if (resolve(options.format, path) == FileFormat::kinjo) {
    return open_as(path, options.width);
  }
  const AnyListedEdges listed = read_any_edges(team, path, options);
  BuildOptions with_sense = build;
  with_sense.sense = listed.sense.value_or(build.sense);
  return Graph::build(team, listed.edges, with_sense);
}

void write_edges(const EdgeList& edges, const std::string& path, FileFormat format) {
  write_as(edges, path, format);
}
void write_edges(const WideEdgeList& edges, const std::string& path, FileFormat format) {
  write_as(edges, path, format);
}

void write_gap(const Graph& graph, const std::string& path) {
  constexpr std::uint64_t kMost = 0x7fffffff;
  if (graph.vertices() > kMost) {
    refuse_writing(path, fmt::format("{} vertices: expected at most {} in GAP's format",
                                     graph.vertices(), kMost));
  }
  if (!graph.ids().empty()) {
    refuse_writing(path, "the graph's vertices have ids: GAP's format numbers them from 0 on");
  }
  if (graph.sense() == Sense::directed) {
    refuse_writing(path, "GAP's format wants a directed graph's edges in both senses");
  }
  const GapArrays arrays = gap_arrays(graph);
  std::string head(1, '\0');
  for (const std::uint64_t number : {graph.entries(), graph.vertices()}) {
    head += bytes_of(&number, 1);
  }
  const std::string_view pieces[] = {head, bytes_of(arrays.begins.data(), arrays.begins.size()),
                                     bytes_of(arrays.neighbours.data(), arrays.neighbours.size())};
  kinjo::detail::write_whole_file(path, pieces);
}

void write_graph(const Graph& graph, const std::string& path) {
  std::string head;
  kinjo::detail::write_whole_file(path, detail::kgraph_pieces(graph, head));
}

Graph open_graph(const std::string& path, Trust trust) {
  const detail::MappedFile file(path);
  auto data = detail::parse_kgraph(file.bytes(), path, trust);
  data->keeper = file.keeper();
  return Graph(std::move(data));
}

}  // namespace kinjo::graph
