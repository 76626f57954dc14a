/// Counting paths and building their diagrams, beside a program that does the same.
///
///   bench_paths [--graphs grid:10,grid:12,king:6] [--order given] [--threads 1] [--rounds 5]
///               [--peer COMMAND]
///
/// A graph is a rule or a file. Paths lead from its first vertex to its last, and edges are decided
/// in the order in which they stand there, or the one that kinjo chooses (automatic). The peer is
/// called as `COMMAND FILE S T`, where FILE has a line with two names for each edge in that order,
/// and prints a line `count N build SECONDS all SECONDS`: what it took to build and reduce a
/// diagram, and to build, reduce and count it. Counting includes what is made of the problem before
/// (`Family`). Short calls are timed together. A transition is one decision about one state of any
/// level, also where counting leaves that level out.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/paths.hpp>
#include <kinjo/topology.hpp>

#include "measure/statistics.hpp"
#include "race.hpp"

namespace {

using kinjo::bench::Options;
using namespace kinjo::paths;

/// Seconds of one call, or of each of so many in a row that together they take some milliseconds.
template <class F>
double time_of_one(F&& f) {
  constexpr double kLeast = 5e-3;
  const double once = kinjo::bench::time_of(f);
  if (once >= kLeast) return once;
  const auto calls = static_cast<std::size_t>(kLeast / once) + 1;
  const double all = kinjo::bench::time_of([&] {
    for (std::size_t i = 0; i < calls; ++i) f();
  });
  return all / static_cast<double>(calls);
}

struct Times {
  std::vector<double> count, build, peer_build, peer_all;
};

/// Paths between the first and the last vertex, and the file that tells a peer of them.
class Contest {
 public:
  Contest(Network network, EdgeOrder order, std::string peer)
      : problem_{.network = std::move(network), .order = order},
        peer_(std::move(peer)),
        file_(std::filesystem::temp_directory_path() / fmt::format("bench_paths_{}.el", getpid())) {
    tidy(problem_.network, Parallel::merge);
    problem_.to = problem_.network.vertices - 1;
    // What follows is to take no time to choose an order.
    problem_.network.edges = Family(problem_).edges();
    problem_.order = EdgeOrder::given;
    std::ofstream out(file_);
    for (const Edge& edge : problem_.network.edges) out << edge.from << ' ' << edge.to << '\n';
  }
  ~Contest() { std::filesystem::remove(file_); }
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  /// One round; all have to come to the same number.
  void run(kinjo::Team& team, Times& times) {
    const Family family(problem_);
    CountResult found;
    times.count.push_back(time_of_one([&] { found = count(team, Family(problem_)); }));
    times.build.push_back(time_of_one([&] { nodes_ = build(team, family)->nodes(); }));
    count_ = found.count.to_string();
    states_ = survey(team, family).all_states();
    bytes_ = found.peak_bytes;
    if (!peer_.empty()) run_peer(times);
  }

  const std::string& number() const { return count_; }
  std::uint64_t states() const { return states_; }
  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void run_peer(Times& times) {
    const kinjo::bench::FreeAffinity free;
    const std::string call =
        fmt::format("{} '{}' {} {}", peer_, file_.string(), problem_.from, problem_.to);
    FILE* const out = popen(call.c_str(), "r");
    if (!out) throw kinjo::Error(kinjo::Errc::system, fmt::format("cannot run '{}'", call));
    std::array<char, 4096> number{};
    double build = 0, all = 0;
    const int read =
        std::fscanf(out, " count %4095s build %lf all %lf", number.data(), &build, &all);
    pclose(out);
    if (read != 3 || count_ != number.data()) {
      throw kinjo::Error(kinjo::Errc::system, fmt::format("'{}' counted '{}', and kinjo {}", call,
                                                          number.data(), count_));
    }
    times.peer_build.push_back(build);
    times.peer_all.push_back(all);
  }

  Problem problem_;
  std::string peer_;
  std::filesystem::path file_;
  std::string count_;
  std::uint64_t states_ = 0, nodes_ = 0, bytes_ = 0;
};

std::string text_of(const std::vector<double>& samples) {
  if (samples.empty()) return "-";
  const kinjo::Summary s = kinjo::summarize(samples);
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", s.median, s.min, s.max);
}

double median(const std::vector<double>& samples) { return kinjo::summarize(samples).median; }

EdgeOrder order_of(const std::string& name) {
  for (const EdgeOrder order : {EdgeOrder::given, EdgeOrder::automatic}) {
    if (name == to_string(order)) return order;
  }
  throw kinjo::Error(kinjo::Errc::invalid_argument,
                     fmt::format("--order {}: expected given or automatic", name));
}

void run(const std::string& graph, const Options& options) {
  const kinjo::Topology machine = kinjo::Topology::discover();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::scatter(), options.number("--threads")),
                   {.caller = kinjo::Caller::joins});
  Contest contest(read_network(team, graph), order_of(options["--order"]), options["--peer"]);
  Times times;
  for (std::size_t round = 0; round < options.number("--rounds"); ++round) contest.run(team, times);
  fmt::print("{}: {} paths, {} states, {} nodes\n", graph, contest.number(), contest.states(),
             contest.nodes());
  fmt::print("  count {} s, {:.2f} ns a transition, {:.1f} MiB\n", text_of(times.count),
             1e9 * median(times.count) / (2 * static_cast<double>(contest.states())),
             static_cast<double>(contest.bytes()) / (1 << 20));
  fmt::print("  build {} s\n", text_of(times.build));
  if (times.peer_all.empty()) return;
  fmt::print("  peer's build {} s: {:.2f} of kinjo's\n", text_of(times.peer_build),
             median(times.peer_build) / median(times.build));
  fmt::print("  peer's count {} s: {:.2f} of kinjo's\n", text_of(times.peer_all),
             median(times.peer_all) / median(times.count));
}

}  // namespace

int main(int argc, char** argv) {
  Options options({{"--graphs", "grid:10,grid:12,king:6"},
                   {"--order", "given"},
                   {"--threads", "1"},
                   {"--rounds", "5"},
                   {"--peer", ""}});
  options.read(argc, argv);
  return kinjo::bench::run_main("bench_paths", [&] {
    for (const std::string& graph : kinjo::bench::split(options["--graphs"])) run(graph, options);
  });
}
