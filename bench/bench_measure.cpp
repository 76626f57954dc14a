/// The probes of `kinjo measure` beside what they must agree with, in turn.
///
/// Bandwidth: copying by the probes' kernels beside the project's STREAM, both on the same arrays
/// with the same stores. Latency: the probes' chase beside another program's, which prints
/// nanoseconds as the last number of its output; `{bytes}` in its command stands for the size.
///
/// Usage: bench_measure [--rounds N] [--elements N] [--sizes BYTES,…] [--peer COMMAND]
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/stream.hpp>

#include "alternate.hpp"
#include "base/text.hpp"
#include "measure/chase.hpp"
#include "measure/together.hpp"
#include "measure/traffic.hpp"
#include "run_main.hpp"

namespace {

struct Options {
  std::size_t rounds = 15;
  std::size_t elements = 0;
  std::vector<std::uint64_t> sizes = {16 << 10, 512 << 10, 8 << 20, 256 << 20};
  std::string peer;
};

/// Medians of both, and the peer's over kinjo's with its bounds of 95 %.
void print_figures(const std::string& what, const kinjo::bench::Pair& pair, const char* unit) {
  const kinjo::Summary ratio = kinjo::compare_paired(pair.peer, pair.kinjo).ratio;
  std::printf("%-44s kinjo %8.2f %-4s peer %8.2f %-4s  peer over kinjo %.3f (%.3f to %.3f)\n",
              what.c_str(), kinjo::summarize(pair.kinjo).median, unit,
              kinjo::summarize(pair.peer).median, unit, ratio.median, ratio.low, ratio.high);
}

void compare_copy(std::size_t threads, std::size_t elements, std::size_t rounds) {
  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::scatter(), threads));
  kinjo::Stream stream(team, elements);
  kinjo::TrafficPlan plan{
      .traffic = kinjo::Traffic::copy,
      .store = stream.streams() ? kinjo::detail::Store::streaming : kinjo::detail::Store::cached};
  for (const kinjo::Place& place : team.mapping()) {
    const auto from = stream.a().local(place);
    plan.parts.push_back({from.data(), stream.c().local(place).data(), from.size_bytes()});
  }
  kinjo::bench::Pair pair;
  const auto gigabytes = static_cast<double>(plan.bytes()) / 1e9;
  for (std::size_t r = 0; r <= rounds; ++r) {
    const double ours = kinjo::run_traffic(team, plan, 1);
    const double peer = kinjo::bench::seconds([&] { stream.run(kinjo::StreamOperation::copy); });
    if (r == 0) continue;  // warm-up
    pair.kinjo.push_back(gigabytes / ours);
    pair.peer.push_back(gigabytes / peer);
  }
  print_figures("copy against STREAM's, threads: " + std::to_string(threads), pair, "GB/s");
}

std::string replace_bytes(std::string command, std::uint64_t bytes) {
  const std::string mark = "{bytes}";
  for (std::size_t at; (at = command.find(mark)) != command.npos;) {
    command.replace(at, mark.size(), std::to_string(bytes));
  }
  return command;
}

/// The last number of what a command prints, or nothing.
std::optional<double> run_peer(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return std::nullopt;
  std::optional<double> last;
  char word[128];
  while (std::fscanf(pipe, "%127s", word) == 1) {
    if (const auto number = kinjo::detail::parse_number<double>(word)) last = number;
  }
  return pclose(pipe) == 0 ? last : std::nullopt;
}

bool compare_latency(std::uint64_t bytes, const Options& options) {
  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team one(kinjo::threads_on(machine, {machine.allowed_cpus().first()}));
  const std::string command = replace_bytes(options.peer, bytes);
  kinjo::bench::Pair pair;
  for (std::size_t r = 0; r < options.rounds; ++r) {
    // Memory anew each time, as the peer has it.
    kinjo::Buffer buffer = kinjo::alloc(bytes, {.pages = kinjo::Pages::transparent});
    const std::size_t lines = kinjo::link_chase(buffer.data(), bytes);
    const kinjo::Figure ours = measure_latency(one, buffer.data(), lines, {.budget_seconds = 0.5});
    const auto peer = run_peer(command);
    if (!peer) {
      std::fprintf(stderr, "bench_measure: no number from: %s\n", command.c_str());
      return false;
    }
    pair.kinjo.push_back(ours.summary.median);
    pair.peer.push_back(*peer);
  }
  print_figures("latency in " + kinjo::detail::format_bytes(bytes), pair, "ns");
  return true;
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--rounds") {
      options.rounds = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--elements") {
      options.elements = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--peer") {
      options.peer = value;
    } else if (name == "--sizes") {
      options.sizes.clear();
      for (auto size : kinjo::detail::split(value, ',')) {
        const auto bytes = kinjo::detail::parse_bytes(size);
        if (!bytes || *bytes < 4096) return std::nullopt;
        options.sizes.push_back(*bytes);
      }
    } else {
      return std::nullopt;
    }
  }
  if (argc % 2 == 0 || options.rounds == 0) return std::nullopt;
  return options;
}

int run(const Options& options) {
  const auto& machine = kinjo::Topology::this_machine();
  const std::size_t elements =
      options.elements ? options.elements : kinjo::stream_elements(machine);
  const std::size_t cpus = machine.allowed_cpus().count();
  compare_copy(1, elements, options.rounds);
  if (cpus > 1) compare_copy(cpus, elements, options.rounds);
  if (options.peer.empty()) return 0;
  for (std::uint64_t bytes : options.sizes) {
    if (!compare_latency(bytes, options)) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr,
                 "usage: bench_measure [--rounds N] [--elements N] [--sizes BYTES,…] [--peer "
                 "COMMAND]\n");
    return 2;
  }
  int status = 0;
  const int failed = kinjo::bench::run_main("bench_measure", [&] { status = run(*options); });
  return failed != 0 ? failed : status;
}
