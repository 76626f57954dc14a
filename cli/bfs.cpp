/// kinjo bfs: breadth-first search of a graph from a file, or of one made by rule.
#include <kinjo/bfs.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "bfs_result.hpp"
#include "command.hpp"
#include "graph/validate.hpp"
#include "graph_input.hpp"
#include "measure/sampling.hpp"
#include "number_file.hpp"
#include "progress.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

using detail::NpyType;

struct Options {
  GraphOptions graph;
  std::string root, parents, depths, save;
  std::string bits = "automatic";
  std::size_t repeat = 5;
  bool verify = false;
  std::vector<const CLI::Option*> of_search;  ///< what a graph that is only saved has no use for
  PlacementOptions placement;
  std::string bind = "cpu";
  OutputOption output;
  Format format = Format::text;
};

std::uint64_t parse_root(const std::string& text) {
  const auto number = detail::parse_number<std::uint64_t>(text);
  if (number) return *number;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' as the root: expected a vertex's number", detail::printable(text)));
}

/// 0 for as many as it takes.
int parse_bits(const Options& options) {
  return choose<int>("number of bits", options.bits, {{"automatic", 0}, {"32", 32}, {"64", 64}});
}

/// 32 bits where they number all vertices, unless asked otherwise.
NpyType parent_type(const Options& options, const graph::Graph& graph) {
  const int bits = parse_bits(options);
  const bool fits = graph.ids().empty() && graph.vertices() <= std::uint64_t{1} << 31;
  return bits == 64 || (bits == 0 && !fits) ? NpyType::int64 : NpyType::int32;
}

/// Listed edges in what was reached: both ends of each, or where rows are all that is known, their
/// entries.
graph::EdgeCount edges_reached(const graph::Graph& graph, std::span<const std::int32_t> depths) {
  const auto degrees = graph.input_degrees();
  const auto internal = graph.to_internal();
  graph::EdgeCount ends = 0;
  for (std::size_t v = 0; v < depths.size(); ++v) {
    if (depths[v] < 0) continue;
    const auto inner = static_cast<graph::Vertex>(internal.empty() ? v : internal[v]);
    ends += degrees.empty() ? graph.neighbours(inner).size() : degrees[v];
  }
  return graph.sense() == graph::Sense::symmetric ? ends / 2 : ends;
}

/// A graph, its searches from one root, and the numbers that they found.
class Searches {
 public:
  Searches(const Options& options, Team& team, LoadedGraph loaded, NpyType type)
      : options_(options),
        team_(team),
        loaded_(std::move(loaded)),
        parents_(type, loaded_.graph.vertices()),
        depths_(NpyType::int32, loaded_.graph.vertices()) {}

  /// Throws `Error` for a root that is no vertex.
  BfsResult::Search run(std::uint64_t root, StageBar& stages) {
    return parents_.type() == NpyType::int32 ? run_as<std::int32_t>(root, stages)
                                             : run_as<std::int64_t>(root, stages);
  }
  /// What the verifier said, if it was not content.
  const std::string& fault() const { return fault_; }

  void write() const {
    const auto ids = loaded_.graph.ids();
    for (const auto& [path, numbers] :
         {std::pair{&options_.parents, &parents_}, std::pair{&options_.depths, &depths_}}) {
      if (path->empty()) continue;
      ids.empty() ? numbers->write(*path) : numbers->write(*path, ids);
    }
  }

 private:
  template <class Parent>
  BfsResult::Search run_as(std::uint64_t root, StageBar& stages) {
    const auto parents = parents_.numbers<Parent>();
    const auto depths = depths_.numbers<std::int32_t>();
    BfsResult::Search result{.root = root};
    graph::Search search(loaded_.graph, team_);
    for (std::size_t i = 0; i < options_.repeat; ++i) {
      stages.begin("searching");
      const double start = now_seconds();
      result.found = search.run(root, parents);
      result.seconds.push_back(now_seconds() - start);
    }
    find_depths<Parent>(parents, depths);
    result.edges = edges_reached(loaded_.graph, depths);
    if (options_.verify) {
      stages.begin("verifying");
      result.verified = verify(root, {parents.begin(), parents.end()});
    }
    return result;
  }

  template <class Parent>
  void find_depths(std::span<const Parent> parents, std::span<std::int32_t> depths) const {
    const auto ids = loaded_.graph.ids();
    if constexpr (sizeof(Parent) == sizeof(graph::VertexId)) {
      if (!ids.empty()) return graph::depths_of(ids, parents, depths);
    }
    graph::depths_of(parents, depths);
  }

  bool verify(std::uint64_t root, const std::vector<std::int64_t>& parents) {
    const graph::Graph& graph = loaded_.graph;
    const graph::detail::Claim claim{root, parents, depths_.numbers<std::int32_t>(), graph.ids()};
    const auto against = [&](const auto& edges) {
      return graph::detail::validate(team_, edges, claim);
    };
    const auto fault = loaded_.list && graph.sense() == graph::Sense::symmetric
                           ? std::visit(against, *loaded_.list)
                           : against(graph);
    fault_ = fault.value_or("");
    return !fault;
  }

  const Options& options_;
  Team& team_;
  LoadedGraph loaded_;
  NumberFile parents_, depths_;
  std::string fault_;
};

BfsResult describe(const Options& options, const LoadedGraph& loaded, const Mapping& mapping) {
  const graph::Graph& graph = loaded.graph;
  return {.graph = options.graph.name,
          .vertices = graph.vertices(),
          .ids_below = graph.ids().empty() ? 0 : graph.universe(),
          .edges = graph.input_edges(),
          .entries = graph.entries(),
          .sense = graph.sense(),
          .order = graph.order(),
          .graph_bytes = graph.bytes(),
          .policy = mapping.policy().name(),
          .threads = mapping.size(),
          .read_seconds = loaded.read_seconds,
          .build_seconds = loaded.build_seconds};
}

void check(const Options& options) {
  if (options.root.empty() && options.save.empty()) {
    throw Error(Errc::invalid_argument,
                "nothing to do: expected --root R for a search, or --save FILE for the graph");
  }
  if (options.root.empty()) need_none(options.of_search, "is for a search: expected --root R");
  if (!options.parents.empty()) check_number_file(options.parents, "parents");
  if (!options.depths.empty()) check_number_file(options.depths, "depths");
  if (!options.root.empty()) parse_root(options.root);
  parse_bits(options);
  if (!options.save.empty()) check_save(options.save);
  if (!options.output.file.empty()) detail::check_writable(options.output.file);
  check_apart({{"--parents", options.parents},
               {"--depths", options.depths},
               {"--save", options.save},
               {"--output", options.output.file}});
}

void print_result(const Options& options, const BfsResult& result) {
  const auto render = options.format == Format::json  ? bfs_json
                      : options.format == Format::csv ? bfs_csv
                                                      : bfs_text;
  options.output.write(render(result));
}

/// Bytes for each vertex beside the graph: parents and depths, the search's own (kinjo/bfs.hpp),
/// and parents once more for the verifier; with ids both as they are written.
VertexBytes bytes_for_each_vertex(const Options& options) {
  constexpr std::uint64_t kParents = 8, kDepths = 4, kSearch = 10, kVerifier = 16, kListed = 16;
  const bool written = !options.parents.empty() || !options.depths.empty();
  return {.always = kParents + kDepths + kSearch + (options.verify ? kVerifier : 0),
          .with_ids = written ? kListed : 0};
}

/// Searches, verifies and writes; what the verifier said, if it was not content.
std::string search(const Options& options, Team& team, LoadedGraph loaded, BfsResult& result,
                   StageBar& stages) {
  if (loaded.graph.vertices() == 0) {
    throw Error(Errc::bad_input, fmt::format("'{}' has no vertices: expected one to search from",
                                             detail::printable(options.graph.name)));
  }
  const NpyType type = parent_type(options, loaded.graph);
  Searches searches(options, team, std::move(loaded), type);
  result.search = searches.run(parse_root(options.root), stages);
  if (searches.fault().empty()) searches.write();
  return searches.fault();
}

int run(const Options& options) {
  check(options);
  const bool searched = !options.root.empty();
  const GraphInput input(options.graph, parse_bits(options));
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = options.placement.mapping(machine);
  Team team(mapping, {.bind = parse_bind_level(options.bind), .caller = Caller::joins});
  StageBar stages(3 + options.repeat + (options.verify ? 1 : 0));
  LoadedGraph loaded =
      input.load(team, options.verify ? KeepList::yes : KeepList::no,
                 searched ? bytes_for_each_vertex(options) : VertexBytes{}, stages);
  BfsResult result = describe(options, loaded, mapping);
  if (!options.save.empty()) {
    stages.begin("saving");
    save_graph(loaded.graph, options.save);
  }
  const std::string fault =
      searched ? search(options, team, std::move(loaded), result, stages) : "";
  stages.wipe();
  if (!fault.empty()) {
    note(fmt::format("verification failed: {}; no parents are written", fault));
    return kBadResult;
  }
  print_result(options, result);
  return kDone;
}

void add_search_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "--parents", options.parents,
          "where each vertex' parent goes, -1 where unreached: .npy, or .txt with a line for "
          "each; of a graph with ids behind these")
      ->type_name("FILE");
  command.add_option("--depths", options.depths, "where each vertex' depth goes, likewise")
      ->type_name("FILE");
  command
      .add_option("--bits", options.bits,
                  "of a parent in .npy: 32, 64, or automatic: 32 if they do; numbers of a list "
                  "that need 64 are refused with 32")
      ->capture_default_str();
  add_repeat(command, options.repeat, "searches, of which the median is shown");
  command.add_flag("--verify", options.verify, "check the result as Graph500 does");
}

}  // namespace

void add_bfs(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bfs", "Search a graph breadth-first from a vertex");
  options->graph.add_to(*command);
  command
      ->add_option("--root", options->root, "the vertex to begin with, counted from 0, or its id")
      ->type_name("R");
  options->of_search = added(*command, [&] { add_search_options(*command, *options); });
  command
      ->add_option(
          "--save", options->save,
          "where the built graph goes: .kgraph (kinjo's own, which is mapped), or .sg (GAP's)")
      ->type_name("FILE");
  options->output.add_to(*command);
  options->placement.add_to(*command);
  add_bind(*command, options->bind);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  command->footer(
      "Example: kinjo bfs roads.mtx --root 0 --parents parents.npy --depths depths.npy\n"
      "Example: kinjo bfs kronecker:20 --root 1 --threads 1 --verify\n"
      "Example: kinjo bfs roads.mtx --save roads.kgraph");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
