// Breadth-first searches in the guest:
//
//   bfs POLICY PARTS SCALE
//
// of a Kronecker graph over a team on all CPUs, from three vertices after one that is not counted.
// The construction is the phase `construction`; each kind of step is a phase of the library's own.
// PARTS: 0 for one on each node, 1 for a graph that is not cut.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/partitioned_array.hpp>

namespace {

using namespace kinjo;

graph::Graph construct(Team& team, const graph::EdgeList& list, std::size_t parts) {
  KINJO_PHASE("construction");
  return graph::Graph::build(team, list, {.parts = parts});
}

int run(const char* policy, std::size_t parts, unsigned scale) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()));
  const graph::EdgeList list = generate(team, graph::Kronecker{.scale = scale});
  const graph::Graph graph = construct(team, list, parts);
  graph::Search search(graph, team, {.team_edges = 1024});
  PartitionedArray<std::int32_t> parents(team, graph.vertices());
  std::uint64_t reached = 0;
  int searches = 0;
  for (std::uint64_t root = 0; searches < 4 && root < graph.vertices(); ++root) {
    if (graph.input_degrees()[root] < 16) continue;
    reached += search.run(root, parents.all()).reached;
    ++searches;
  }
  std::printf("%zu parts, %s, %llu reached\n", graph.parts().size(), to_string(graph.order()),
              static_cast<unsigned long long>(reached));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4) {
      return run(argv[1], std::strtoull(argv[2], nullptr, 10),
                 static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)));
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "bfs: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: bfs POLICY PARTS SCALE\n");
  return 2;
}
