/// Construction of graphs: seconds, bytes and steps, beside a program that builds the same list.
///
///   bench_graph [--graphs kronecker:20,uniform:20,grid:2048,scrambled:2048,road:2048]
///               [--threads 1,2] [--order automatic] [--rounds 5] [--peer COMMAND]
///
/// The peer is called as `COMMAND FILE` with OMP_NUM_THREADS set, where FILE has the list as pairs
/// of 32-bit numbers, and prints a line `build SECONDS both SECONDS` for each time that it built
/// it: without and with removing repetitions. `--clock cpu` takes the time of the process, which
/// tells one thread's speed on a machine that others use as well; the peer gets it in BENCH_CLOCK.
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/topology.hpp>

#include "measure/statistics.hpp"
#include "race.hpp"

namespace {

using kinjo::bench::Options;
using namespace kinjo::graph;

EdgeList list_of(kinjo::Team& team, const std::string& name) {
  const auto parts = kinjo::bench::split(name, ':');
  if (parts.size() != 2) {
    throw kinjo::Error(kinjo::Errc::usage, fmt::format("graph '{}': expected KIND:SIZE", name));
  }
  const auto size = static_cast<unsigned>(kinjo::bench::read_number(parts[1], "size"));
  if (parts[0] == "kronecker") return generate(team, Kronecker{.scale = size});
  if (parts[0] == "uniform") return generate(team, Uniform{.scale = size});
  if (parts[0] == "grid") return generate(team, Grid{size, size});
  if (parts[0] == "scrambled") return generate(team, Grid{size, size, Labels::scrambled});
  if (parts[0] == "road") return generate(team, Road{.rows = size, .columns = size});
  throw kinjo::Error(kinjo::Errc::usage, fmt::format("no graph is called '{}'", name));
}

Order order_of(const std::string& name) {
  for (const Order order : {Order::caller, Order::degree, Order::locality}) {
    if (name == to_string(order)) return order;
  }
  return Order::automatic;
}

/// Seconds of each construction by the peer: first without, then with removing repetitions.
struct PeerTimes {
  std::vector<double> build, both;
};

PeerTimes run_peer(const std::string& command, const std::string& file, std::size_t threads) {
  const std::string call =
      fmt::format("OMP_NUM_THREADS={} BENCH_CLOCK={} {} '{}' 2", threads,
                  kinjo::bench::chosen_clock == CLOCK_MONOTONIC ? "wall" : "cpu", command, file);
  PeerTimes times;
  const kinjo::bench::FreeAffinity free;
  FILE* const out = popen(call.c_str(), "r");
  if (!out) throw kinjo::Error(kinjo::Errc::system, fmt::format("cannot run '{}'", call));
  char line[256];
  double build, both;
  while (std::fgets(line, sizeof line, out)) {
    if (std::sscanf(line, "build %lf both %lf", &build, &both) != 2) continue;
    times.build.push_back(build);
    times.both.push_back(both);
  }
  pclose(out);
  if (times.build.empty()) {
    throw kinjo::Error(kinjo::Errc::bad_input, fmt::format("'{}' printed no times", call));
  }
  return times;
}

double median(std::vector<double> values) {
  return values.empty() ? 0 : kinjo::summarize(values).median;
}

void compare(const Options& options, const std::string& name, std::size_t threads) {
  kinjo::Team team(
      kinjo::Mapping(kinjo::Topology::this_machine(), kinjo::Policy::scatter(), threads),
      {.caller = kinjo::Caller::joins});
  const EdgeList edges = list_of(team, name);
  const BuildOptions build{.order = order_of(options["--order"])};
  const std::string file = (std::filesystem::temp_directory_path() / "bench_graph.b32").string();
  if (!options["--peer"].empty()) write_edges(edges, file);
  std::vector<double> mine;
  PeerTimes peer;
  const char* order = "";
  double bytes = 0;
  for (std::size_t r = 0; r < options.number("--rounds"); ++r) {
    Graph::build(team, edges, build);  // the memory that this one gives back is the next one's
    mine.push_back(kinjo::bench::time_of([&] {
      const Graph graph = Graph::build(team, edges, build);
      order = to_string(graph.order());
      bytes = static_cast<double>(graph.bytes()) / static_cast<double>(graph.entries());
    }));
    if (options["--peer"].empty()) continue;
    const PeerTimes times = run_peer(options["--peer"], file, threads);
    peer.build.push_back(times.build.back());
    peer.both.push_back(times.both.back());
  }
  const double seconds = median(mine);
  std::printf("| %s | %zu | %s | %.3f | %.1f | %.2f | %.3f (%.2f) | %.3f (%.2f) |\n", name.c_str(),
              threads, order, seconds, 1e9 * seconds / static_cast<double>(edges.size()), bytes,
              median(peer.build), median(peer.build) / seconds, median(peer.both),
              median(peer.both) / seconds);
  std::fflush(stdout);
  if (!options["--peer"].empty()) std::filesystem::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  Options options({{"--graphs", "kronecker:20,uniform:20,grid:2048,scrambled:2048,road:2048"},
                   {"--threads", "1,2"},
                   {"--order", "automatic"},
                   {"--rounds", "5"},
                   {"--clock", "wall"},
                   {"--peer", ""}});
  options.read(argc, argv);
  if (options["--clock"] == "cpu") kinjo::bench::chosen_clock = CLOCK_PROCESS_CPUTIME_ID;
  return kinjo::bench::run_main("bench_graph", [&] {
    std::printf(
        "| graph | threads | order | seconds | ns an edge | bytes an entry | peer's build "
        "(times kinjo's) | with repetitions removed |\n"
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (const std::string& name : kinjo::bench::split(options["--graphs"])) {
      for (const std::string& threads : kinjo::bench::split(options["--threads"])) {
        compare(options, name, kinjo::bench::read_number(threads, "--threads"));
      }
    }
  });
}
