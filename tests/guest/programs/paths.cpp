// Paths in the guest:
//
//   paths POLICY WAY RULE
//
// from the first vertex to the last, over a team on all CPUs. WAY: `count` level by level, `parts`
// with levels that wait packed in memory, `spill` in a file, or `build` by a chain of threads. The
// phases `count`, `build` and `reduce` are the library's own; the program's constants, which are
// one node's, are the region `program`.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/paths.hpp>

// By the linker: where the program's constants are.
extern "C" const char __executable_start, edata;

namespace {

using namespace kinjo;
using namespace kinjo::paths;

/// So little that all levels but the smallest go to a file; or that large ones go by parts.
constexpr std::uint64_t kLittle = std::uint64_t{1} << 20, kMore = std::uint64_t{16} << 20;

int run(const char* policy, const std::string& way, const std::string& rule) {
  const Topology& machine = Topology::this_machine();
  KINJO_REGION("program", &__executable_start,
               static_cast<std::size_t>(&edata - &__executable_start));
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()),
            {.caller = Caller::joins});
  Network network = network_by_rule(rule).network;
  const Vertex last = network.vertices - 1;
  const Family family({.network = std::move(network), .to = last, .order = EdgeOrder::given});
  CountOptions options;
  if (way == "parts") options.memory_limit = kMore;
  if (way == "spill") options = {.memory_limit = kLittle, .spill = "/tmp"};
  const Count counted =
      way == "build" ? build(team, family)->count() : count(team, family, options).count;
  std::printf("%s\n", counted.to_string().c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4) return run(argv[1], argv[2], argv[3]);
  } catch (const Error& error) {
    std::fprintf(stderr, "paths: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: paths POLICY WAY RULE\n");
  return 2;
}
