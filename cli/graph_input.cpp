#include "graph_input.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "configurations.hpp"
#include "graph/limits.hpp"
#include "measure/sampling.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

using graph::EdgeCount;
using graph::FileFormat;
using graph::Order;
using graph::Sense;
using graph::Width;
using graph::detail::SourceFile;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

graph::Seeds parse_seeds(const std::string& text) {
  const auto parts = detail::split(text, ',');
  if (parts.size() == 2) {
    const auto first = detail::parse_number<std::uint64_t>(parts[0]),
               second = detail::parse_number<std::uint64_t>(parts[1]);
    if (first && second) return {*first, *second};
  }
  refuse(fmt::format("'{}' as seeds: expected two numbers, such as 2,3", detail::printable(text)));
}

FileFormat parse_file_format(const std::string& name) {
  return choose<FileFormat>("format of a graph", name,
                            {{"automatic", FileFormat::automatic},
                             {"text", FileFormat::text},
                             {"binary32", FileFormat::binary32},
                             {"binary64", FileFormat::binary64},
                             {"matrix-market", FileFormat::matrix_market},
                             {"metis", FileFormat::metis},
                             {"gap", FileFormat::gap},
                             {"kinjo", FileFormat::kinjo}});
}

std::optional<Sense> parse_sense(const std::string& name) {
  using Asked = std::optional<Sense>;
  return choose<Asked>("sense", name,
                       {{"automatic", Asked{}},
                        {"symmetric", Asked{Sense::symmetric}},
                        {"directed", Asked{Sense::directed}}});
}

Order parse_order(const std::string& name) {
  return choose<Order>("order", name,
                       {{"automatic", Order::automatic},
                        {"caller", Order::caller},
                        {"degree", Order::degree},
                        {"locality", Order::locality}});
}

Width width_of(bool listed, int bits) {
  if (listed && bits == 32)
    refuse("--listed: parents that are ids have 64 bits: expected --bits 64");
  if (listed) return Width::wide;
  return bits == 32 ? Width::narrow : Width::automatic;
}

std::uint64_t parse_vertices(const std::string& text) {
  if (text.empty()) return 0;
  const auto number = detail::parse_count(text);
  if (number && *number <= graph::kMostIds) return *number;
  refuse(fmt::format("'{}' vertices: expected a number from 1 to {}", detail::printable(text),
                     graph::kMostIds));
}

/// Whether a file is a list of edges and nothing more.
bool is_list(FileFormat format) {
  return format == FileFormat::text || format == FileFormat::binary32 ||
         format == FileFormat::binary64;
}

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

void GraphOptions::add_to(CLI::App& command) {
  command
      .add_option("GRAPH", name,
                  "a file (docs/graphs.md), or kronecker:SCALE[,EDGEFACTOR], "
                  "uniform:SCALE[,EDGEFACTOR], grid:ROWSxCOLUMNS[,scrambled], "
                  "road:ROWSxCOLUMNS[,scrambled]")
      ->type_name("GRAPH")
      ->required();
  of_file = {command
                 .add_option("--read-as", read_as,
                             "what the file is: automatic (by its name), text, binary32, binary64, "
                             "matrix-market, metis, gap or kinjo")
                 ->capture_default_str()};
  of_list = {
      command
          .add_option(
              "--vertices", vertices,
              "vertices of a list of edges that does not say; default: up to the greatest number")
          ->type_name("N")};
  command
      .add_option(
          "--sense", sense,
          "symmetric (edges are walked both ways), directed, or automatic: as the file says, "
          "else symmetric")
      ->capture_default_str();
  command
      .add_option("--order", order,
                  "how vertices are numbered inside: caller, degree, locality or automatic")
      ->capture_default_str();
  of_rule = {command.add_option("--seeds", seeds, "what a rule's random numbers depend on")
                 ->type_name("A,B")
                 ->capture_default_str()};
  add_listed(command, listed);
  add_pages(command, pages);
}

void add_listed(CLI::App& command, bool& listed, const std::string& condition) {
  command.add_flag("--listed", listed,
                   "keep only vertices that have edges, and list results by these; done unasked "
                   "where a vertex has a number from 4294967295 on" +
                       condition);
}

GraphInput::GraphInput(const GraphOptions& options, int bits)
    : name_(options.name),
      source_(graph::detail::parse_source(options.name)),
      seeds_(parse_seeds(options.seeds)),
      read_{parse_file_format(options.read_as), parse_vertices(options.vertices),
            width_of(options.listed, bits)},
      build_{.order = parse_order(options.order), .pages = parse_pages(options.pages)},
      sense_(parse_sense(options.sense)) {
  const bool is_file = std::holds_alternative<SourceFile>(source_);
  if (is_file && read_.format == FileFormat::automatic) read_.format = graph::format_of(name_);
  const std::string name = detail::printable(name_);
  if (is_file) {
    need_none(options.of_rule, fmt::format("is for what a rule makes: '{}' is a file", name));
  } else {
    need_none(options.of_file, fmt::format("is for a file: '{}' is made by a rule", name));
  }
  if (!is_file || !is_list(read_.format)) {
    need_none(options.of_list, fmt::format("is for a list of edges: '{}' is none", name));
  }
}

Sense GraphInput::sense_of(const std::optional<Sense>& said) const {
  if (said == Sense::symmetric && sense_ == Sense::directed) {
    refuse(fmt::format("'{}' is symmetric: --sense directed is for what is not",
                       detail::printable(name_)));
  }
  return sense_.value_or(said.value_or(Sense::symmetric));
}

LoadedGraph GraphInput::open(Team& team, const std::string& path) const {
  LoadedGraph loaded{.graph = graph::read_graph(team, path, build_, read_)};
  const auto differs = [&](const char* option, const char* asked, const char* built) {
    refuse(
        fmt::format("--{} {}: '{}' was built {}", option, asked, detail::printable(path), built));
  };
  const graph::Graph& graph = loaded.graph;
  if (sense_ && *sense_ != graph.sense()) {
    differs("sense", to_string(*sense_), to_string(graph.sense()));
  }
  if (build_.order != Order::automatic && build_.order != graph.order()) {
    differs("order", to_string(build_.order),
            fmt::format("in the order {}", to_string(graph.order())).c_str());
  }
  return loaded;
}

/// Of a list and its graph; vertices are at least as many as have edges.
struct GraphInput::Needs {
  bool wide = false;
  std::uint64_t universe = 0;
  EdgeCount edges = 0;
  VertexBytes for_each_vertex;
  std::uint64_t beside = 0;

  std::uint64_t bytes(std::uint64_t vertices, const graph::BuildOptions& build) const {
    const std::uint64_t each = for_each_vertex.always + (wide ? for_each_vertex.with_ids : 0);
    return beside + each * vertices +
           (wide ? graph::wide_build_bytes(universe, vertices, edges, build)
                 : graph::build_bytes(vertices, edges, build));
  }
  std::uint64_t most_vertices() const {
    return wide ? std::min({universe, 2 * edges, graph::kMostVertices}) : universe;
  }
};

void GraphInput::announce(const Needs& needs, StageBar& stages) const {
  const std::string what = fmt::format("{}{} vertices, {} edges", needs.wide ? "up to " : "",
                                       needs.most_vertices(), needs.edges);
  const std::uint64_t most = needs.bytes(needs.most_vertices(), build_),
                      // How many of them have edges is not known yet.
      least = needs.wide ? needs.bytes(0, build_) : most, available = available_memory_bytes();
  if (available != 0 && least > available) {
    throw Error(Errc::out_of_memory,
                fmt::format("{}: they take {} {} of memory, of which {} are available", what,
                            needs.wide ? "at least" : "up to", detail::format_bytes(least),
                            detail::format_bytes(available)));
  }
  stages.say(fmt::format("{}: up to {} of memory", what, detail::format_bytes(most)));
}

graph::AnyListedEdges GraphInput::list(Team& team, const VertexBytes& more,
                                       StageBar& stages) const {
  if (const auto* const file = std::get_if<SourceFile>(&source_)) {
    graph::AnyListedEdges listed = graph::read_any_edges(team, file->path, read_);
    announce(std::visit(
                 [&](const auto& edges) {
                   return Needs{.wide = std::is_same_v<decltype(edges), const graph::WideEdgeList&>,
                                .universe = edges.vertices(),
                                .edges = edges.size(),
                                .for_each_vertex = more};
                 },
                 listed.edges),
             stages);
    return listed;
  }
  const auto size = graph::detail::list_size(source_).value();
  if (read_.width == Width::narrow) graph::detail::check_vertices<graph::Vertex>(size.vertices);
  const bool wide = graph::detail::needs_wide(size.vertices, read_.width);
  announce({.wide = wide,
            .universe = size.vertices,
            .edges = size.edges,
            .for_each_vertex = more,
            .beside = size.edges * (wide ? sizeof(graph::WideEdge) : sizeof(graph::Edge))},
           stages);
  return {graph::detail::generate_source(team, source_, seeds_, read_.width), std::nullopt};
}

LoadedGraph GraphInput::load(Team& team, KeepList keep, const VertexBytes& more,
                             StageBar& stages) const {
  const auto* const file = std::get_if<SourceFile>(&source_);
  stages.begin(file ? "reading" : "generating");
  const double start = now_seconds();
  if (file && read_.format == FileFormat::kinjo) {
    LoadedGraph loaded = open(team, file->path);
    loaded.read_seconds = now_seconds() - start;
    return loaded;
  }
  graph::AnyListedEdges listed = list(team, more, stages);
  graph::BuildOptions build = build_;
  build.sense = sense_of(listed.sense);
  const double read = now_seconds();
  stages.begin("building");
  LoadedGraph loaded{.graph = graph::Graph::build(team, listed.edges, build),
                     .read_seconds = read - start};
  loaded.build_seconds = now_seconds() - read;
  if (keep == KeepList::yes) loaded.list = std::move(listed.edges);
  return loaded;
}

void check_save(const std::string& path) {
  if (!ends_with_any(path, {".kgraph", ".sg"})) {
    refuse(fmt::format("'{}' for the graph: expected a name that ends in .kgraph or .sg",
                       detail::printable(path)));
  }
  detail::check_writable(path);
}

void save_graph(const graph::Graph& graph, const std::string& path) {
  path.ends_with(".sg") ? graph::write_gap(graph, path) : graph::write_graph(graph, path);
}

}  // namespace kinjo::cli
