#include "graph_input.hpp"

#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "configurations.hpp"
#include "measure/sampling.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

using graph::EdgeCount;
using graph::FileFormat;
using graph::Order;
using graph::Sense;
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

std::uint64_t parse_vertices(const std::string& text) {
  if (text.empty()) return 0;
  const auto number = detail::parse_count(text);
  if (number && *number <= graph::kMostVertices) return *number;
  refuse(fmt::format("'{}' vertices: expected a number from 1 to {}", detail::printable(text),
                     graph::kMostVertices));
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
  command
      .add_option("--read-as", read_as,
                  "what the file is: automatic (by its name), text, binary32, binary64, "
                  "matrix-market, metis, gap or kinjo")
      ->capture_default_str();
  command
      .add_option(
          "--vertices", vertices,
          "vertices of a list of edges that does not say; default: up to the greatest number")
      ->type_name("N");
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
  command.add_option("--seeds", seeds, "what a rule's random numbers depend on")
      ->type_name("A,B")
      ->capture_default_str();
  add_pages(command, pages);
}

GraphInput::GraphInput(const GraphOptions& options)
    : name_(options.name),
      source_(graph::detail::parse_source(options.name)),
      seeds_(parse_seeds(options.seeds)),
      read_{parse_file_format(options.read_as), parse_vertices(options.vertices)},
      build_{.order = parse_order(options.order), .pages = parse_pages(options.pages)},
      sense_(parse_sense(options.sense)) {
  if (!std::holds_alternative<SourceFile>(source_)) return;
  if (read_.format == FileFormat::automatic) read_.format = graph::format_of(name_);
}

Sense GraphInput::sense_of(const std::optional<Sense>& said) const {
  if (said == Sense::symmetric && sense_ == Sense::directed) {
    refuse(fmt::format("'{}' is symmetric: --sense directed is for what is not",
                       detail::printable(name_)));
  }
  return sense_.value_or(said.value_or(Sense::symmetric));
}

LoadedGraph GraphInput::open(const std::string& path) const {
  LoadedGraph loaded{.graph = graph::open_graph(path)};
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

void GraphInput::announce(std::uint64_t vertices, EdgeCount edges, std::uint64_t more,
                          StageBar& stages) const {
  const std::string what = fmt::format("{} vertices, {} edges", vertices, edges);
  const std::uint64_t bytes = graph::build_bytes(vertices, edges, build_) + more,
                      available = available_memory_bytes();
  if (available != 0 && bytes > available) {
    throw Error(Errc::out_of_memory,
                fmt::format("{}: they take up to {} of memory, of which {} are available", what,
                            detail::format_bytes(bytes), detail::format_bytes(available)));
  }
  stages.say(fmt::format("{}: up to {} of memory", what, detail::format_bytes(bytes)));
}

graph::ListedEdges GraphInput::list(Team& team, std::uint64_t more_for_each_vertex,
                                    StageBar& stages) const {
  if (const auto* const file = std::get_if<SourceFile>(&source_)) {
    graph::ListedEdges listed = graph::read_edges(team, file->path, read_);
    const std::uint64_t n = listed.edges.vertices();
    announce(n, listed.edges.size(), more_for_each_vertex * n, stages);
    return listed;
  }
  const auto size = graph::detail::list_size(source_).value();
  announce(size.vertices, size.edges,
           more_for_each_vertex * size.vertices + size.edges * sizeof(graph::Edge), stages);
  return {graph::detail::generate_source(team, source_, seeds_), std::nullopt};
}

LoadedGraph GraphInput::load(Team& team, KeepList keep, std::uint64_t more_for_each_vertex,
                             StageBar& stages) const {
  const auto* const file = std::get_if<SourceFile>(&source_);
  stages.begin(file ? "reading" : "generating");
  const double start = now_seconds();
  if (file && read_.format == FileFormat::kinjo) {
    LoadedGraph loaded = open(file->path);
    loaded.read_seconds = now_seconds() - start;
    return loaded;
  }
  graph::ListedEdges listed = list(team, more_for_each_vertex, stages);
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
