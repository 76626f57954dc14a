// team POLICY THREADS BIND: a team under load, and where the kernel has its threads.
//
// One line for each thread: its place's number, CPU and node; the CPU and node that getcpu told
// every time (or `moved`); the CPUs that /proc allows it; how often it changed its CPU meanwhile.

#include <cstdio>
#include <kinjo/kinjo.hpp>
#include <string>
#include <vector>

#include "kernel_says.hpp"

namespace {

constexpr int kRounds = 20, kWork = 20000;

/// A line on the calling thread, which works between the looks and meets the others.
std::string watch(kinjo::Team& team, const kinjo::Place& me) {
  const kernel::Where first = kernel::where();
  const long before = kernel::migrations();
  bool moved = false;
  for (int round = 0; round < kRounds; ++round) {
    for (volatile int work = 0; work < kWork;) work = work + 1;
    const kernel::Where now = kernel::where();
    moved |= now.cpu != first.cpu || now.node != first.node;
    team.barrier(me);
  }
  char line[160];
  std::snprintf(line, sizeof line, "%d %d %d %s %u %s %ld", me.thread, me.cpu, me.node,
                moved ? "moved" : std::to_string(first.cpu).c_str(), first.node,
                kernel::allowed_cpus().c_str(), kernel::migrations() - before);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const kinjo::Topology machine = kinjo::Topology::discover();
  const kinjo::Mapping mapping(machine, kinjo::Policy::parse(argv[1]), std::stoul(argv[2]));
  kinjo::Team team(mapping, {.bind = kinjo::parse_bind_level(argv[3])});
  std::vector<std::string> lines(team.size());
  team.run([&](const kinjo::Place& me) {
    lines[static_cast<std::size_t>(me.thread)] = watch(team, me);
  });
  for (const std::string& line : lines) std::puts(line.c_str());
}
