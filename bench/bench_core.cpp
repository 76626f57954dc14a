/// What asking costs: discovering this machine, reading and mapping a described one, here().
/// Usage: bench_core [MACHINE...]   (default: synthetic descriptions of 256 and 2048 CPUs)
#include <string>
#include <vector>

#include <kinjo/kinjo.hpp>

#include "alternate.hpp"
#include "run_main.hpp"

namespace {

constexpr std::size_t kRounds = 15;

template <class F>
void row(const std::string& what, double scale, const char* unit, F&& f) {
  std::vector<double> samples;
  f();
  for (std::size_t r = 0; r < kRounds; ++r) samples.push_back(scale * kinjo::bench::seconds(f));
  const auto summary = kinjo::summarize(samples);
  std::printf("%-72s %9.3f %s (%.3f to %.3f)\n", what.c_str(), summary.median, unit, summary.low,
              summary.high);
}

void here_row() {
  constexpr int kCalls = 10'000'000;
  int sum = 0;
  row("here().node", 1e9 / kCalls, "ns", [&] {
    for (int i = 0; i < kCalls; ++i) {
      sum += kinjo::here().node;
      asm volatile("" : "+r"(sum)::"memory");  // or the compiler would call it once
    }
  });
}

void machine_rows(const std::string& input) {
  row("read " + input, 1e3, "ms", [&] { kinjo::Topology::from(input); });
  const auto machine = kinjo::Topology::from(input);
  row("map  " + input, 1e3, "ms",
      [&] { kinjo::Mapping(machine, kinjo::Policy::scatter(), machine.allowed_cpus().count()); });
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> inputs(argv + 1, argv + argc);
  if (inputs.empty()) {
    inputs = {"synthetic:pack:4 numa:2 l3:1 core:16 pu:2", "synthetic:pack:8 numa:4 core:32 pu:2"};
  }
  return kinjo::bench::run_main("bench_core", [&] {
    row("discover this machine", 1e3, "ms", [] { kinjo::Topology::discover(); });
    for (const std::string& input : inputs) machine_rows(input);
    here_row();
  });
}
