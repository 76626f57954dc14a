/// Breadth-first search beside other programs, in turn, on the same graphs from the same roots.
///
/// Usage: bench_bfs [--graph kronecker|uniform|grid|permuted-grid|road] [--scale S] [--threads N]
///                  [--order automatic|caller|degree|locality] [--roots N] [--rounds N]
///                  [--bits 32|64] [--save FILE.sg] [--peer COMMAND] [--peer-roots COMMAND]
///                  [--alpha A] [--levels yes] [--clock wall|cpu] [--checked N]
///
/// A peer is any program that searches a graph from --roots vertices in turn and prints a line
/// `Trial Time: SECONDS` for each; {graph}, {roots} and {threads} in its command are replaced, the
/// graph being the file that --save wrote in GAP's format. So that both start from the same
/// vertices, --peer-roots names a command that prints `Source: VERTEX` lines: with GAP
///
///     --peer 'OMP_NUM_THREADS={threads} OMP_PROC_BIND=true bfs -f {graph} -n {roots}'
///     --peer-roots 'bfs -l -f {graph} -n {roots}'
///
/// The searches from the first --checked roots are validated. Prints GTEPS of all roots together,
/// from each root's median time (and its best) over the rounds, and the ratio of the rounds' times,
/// a pair for each round.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/simd.hpp>

#include "graph/validate.hpp"
#include "measure/statistics.hpp"
#include "race.hpp"
#include "workload/graph500.hpp"

namespace {

using namespace kinjo::bench;
using namespace kinjo::graph;
using kinjo::graph::detail::component_edges;
using kinjo::graph::detail::validate;

Options default_options() {
  return Options({{"--graph", "kronecker"},
                  {"--scale", "20"},
                  {"--threads", "1"},
                  {"--order", "automatic"},
                  {"--roots", "64"},
                  {"--rounds", "5"},
                  {"--bits", "32"},
                  {"--save", ""},
                  {"--peer", ""},
                  {"--peer-roots", ""},
                  {"--alpha", "1"},
                  {"--clock", "wall"},
                  {"--checked", "4"},
                  {"--levels", ""}});
}

EdgeList make_list(kinjo::Team& team, const std::string& kind, unsigned scale) {
  const std::uint64_t rows = std::uint64_t{1} << (scale + 1) / 2;
  const std::uint64_t columns = std::uint64_t{1} << scale / 2;
  if (kind == "kronecker") return generate(team, Kronecker{.scale = scale});
  if (kind == "uniform") return generate(team, Uniform{.scale = scale});
  if (kind == "road") return generate(team, Road{.rows = rows, .columns = columns});
  const Labels labels = kind == "grid" ? Labels::plain : Labels::scrambled;
  return generate(team, Grid{.rows = rows, .columns = columns, .labels = labels});
}

/// A command with its placeholders filled in.
std::string filled(std::string command, const Options& options) {
  const std::pair<const char*, std::string> values[] = {{"{graph}", options["--save"]},
                                                        {"{roots}", options["--roots"]},
                                                        {"{threads}", options["--threads"]}};
  for (const auto& [name, value] : values) {
    for (std::size_t at; (at = command.find(name)) != std::string::npos;) {
      command.replace(at, std::strlen(name), value);
    }
  }
  return command;
}

/// The numbers behind a word at the beginning of lines that a command prints.
std::vector<double> numbers_of(const std::string& command, const char* word) {
  std::vector<double> numbers;
  const FreeAffinity free;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  char line[4096];
  while (pipe && std::fgets(line, sizeof line, pipe.get())) {
    const char* const at = std::strstr(line, word);
    if (at != nullptr) numbers.push_back(std::strtod(at + std::strlen(word) + 1, nullptr));
  }
  if (numbers.empty())
    std::fprintf(stderr, "bench_bfs: '%s' printed no %s\n", command.c_str(), word);
  return numbers;
}

/// Times by root and round.
struct Times {
  std::vector<std::vector<double>> by_root;
  std::vector<double> of_rounds;

  explicit Times(std::size_t roots) : by_root(roots) {}
  void add(const std::vector<double>& round) {
    double sum = 0;
    for (std::size_t r = 0; r < std::min(round.size(), by_root.size()); ++r) {
      by_root[r].push_back(round[r]);
      sum += round[r];
    }
    of_rounds.push_back(sum);
  }
  /// Of all roots together, each at its best or by its median.
  double best() const {
    double sum = 0;
    for (const auto& times : by_root) sum += *std::ranges::min_element(times);
    return sum;
  }
  double median() const {
    double sum = 0;
    for (const auto& times : by_root) sum += kinjo::summarize(times).median;
    return sum;
  }
};

template <class Parent>
class Bench {
 public:
  Bench(const Options& options, kinjo::Team& team)
      : options_(options),
        team_(team),
        list_(
            make_list(team, options["--graph"], static_cast<unsigned>(options.number("--scale")))),
        graph_(build()),
        search_(graph_, team, {.alpha = std::strtod(options["--alpha"].c_str(), nullptr)}),
        parents_(team, graph_.vertices(), {.pages = kinjo::Pages::transparent}),
        roots_(choose_roots()) {}

  void run() {
    EdgeCount edges = 0;
    const std::size_t checked = options_.number("--checked");
    for (std::size_t r = 0; r < roots_.size(); ++r) edges += component(roots_[r], r < checked);
    const double giga = static_cast<double>(edges) / 1e9;
    Times ours(roots_.size()), theirs(roots_.size());
    const std::string peer = filled(options_["--peer"], options_);
    for (std::size_t round = 0; round < options_.number("--rounds"); ++round) {
      ours.add(search_all());
      if (!peer.empty()) theirs.add(numbers_of(peer, "Trial Time"));
    }
    std::printf("%-14s %2s  %zu thread%s  %-9s  kinjo %6.3f (%6.3f) GTEPS",
                options_["--graph"].c_str(), options_["--scale"].c_str(), team_.size(),
                team_.size() == 1 ? " " : "s", to_string(graph_.order()), giga / ours.median(),
                giga / ours.best());
    if (!peer.empty()) {
      const auto c = kinjo::compare_paired(theirs.of_rounds, ours.of_rounds);
      std::printf("  peer %6.3f (%6.3f)  ratio %.2f (%.2f to %.2f), of the best %.2f",
                  giga / theirs.median(), giga / theirs.best(), c.ratio.median, c.ratio.low,
                  c.ratio.high, theirs.best() / ours.best());
    }
    std::printf("  built in %.2f s, %.2f bytes an entry\n", build_seconds_,
                static_cast<double>(graph_.bytes()) / static_cast<double>(graph_.entries()));
    if (!options_["--levels"].empty()) show_levels();
  }

 private:
  Graph build() {
    std::unique_ptr<Graph> graph;
    kinjo::Graph500Settings settings;
    kinjo::set_graph500(settings, "order", options_["--order"]);
    build_seconds_ = time_of([&] {
      graph = std::make_unique<Graph>(Graph::build(team_, list_, {.order = settings.order}));
    });
    if (!options_["--save"].empty()) write_gap(*graph, options_["--save"]);
    return std::move(*graph);
  }

  std::vector<std::uint64_t> choose_roots() {
    const std::string command = filled(options_["--peer-roots"], options_);
    if (command.empty()) return kinjo::graph500_roots(graph_, options_.number("--roots"), {});
    std::vector<std::uint64_t> roots;
    for (const double root : numbers_of(command, "Source")) {
      roots.push_back(static_cast<std::uint64_t>(root));
    }
    return roots;
  }

  /// Edges in a root's component, by a search that the five checks accept if it is to be checked.
  EdgeCount component(std::uint64_t root, bool checked) {
    search_.run(root, parents_.all());
    const std::vector<std::int64_t> claimed(parents_.all().begin(), parents_.all().end());
    const auto fault = checked ? validate(team_, list_, {root, claimed}) : std::nullopt;
    if (fault) {
      throw kinjo::Error(kinjo::Errc::system, *fault);
    }
    return component_edges(graph_, claimed);
  }

  std::vector<double> search_all() {
    std::vector<double> times;
    for (const std::uint64_t root : roots_) {
      times.push_back(time_of([&] { search_.run(root, parents_.all()); }));
    }
    return times;
  }

  void show_levels() {
    const SearchResult result = search_.run(roots_.front(), parents_.all());
    std::size_t shown = 0;
    for (const Level& level : result.levels) {
      if (++shown > 12) break;
      std::printf("  %-9s %s %10llu vertices, looked at %llu\n", to_string(level.direction),
                  level.crew == Crew::team ? "team  " : "caller",
                  static_cast<unsigned long long>(level.frontier),
                  static_cast<unsigned long long>(level.looked_at));
    }
    std::printf("  %zu levels, %llu reached\n", result.levels.size(),
                static_cast<unsigned long long>(result.reached));
  }

  const Options& options_;
  kinjo::Team& team_;
  EdgeList list_;
  double build_seconds_ = 0;
  Graph graph_;
  Search search_;
  kinjo::PartitionedArray<Parent> parents_;
  std::vector<std::uint64_t> roots_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options = default_options();
  options.read(argc, argv);
  if (options["--clock"] == "cpu") chosen_clock = CLOCK_PROCESS_CPUTIME_ID;
  return run_main("bench_bfs", [&] {
    kinjo::Team team(kinjo::Mapping(kinjo::Topology::this_machine(), kinjo::Policy::scatter(),
                                    options.number("--threads")),
                     {.caller = kinjo::Caller::joins});
    if (options["--bits"] == "64") {
      Bench<std::int64_t>(options, team).run();
    } else {
      Bench<std::int32_t>(options, team).run();
    }
  });
}
