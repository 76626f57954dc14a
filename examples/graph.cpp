// Builds a graph of a list of edges, says what its rows are, and maps it again from a file.
#include <algorithm>
#include <cstdio>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/kinjo.hpp>

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "example.kgraph";
  const auto machine = kinjo::Topology::discover();
  kinjo::Team team(
      kinjo::Mapping(machine, kinjo::Policy::scatter(), machine.allowed_cpus().count()));

  const kinjo::graph::Kronecker rule{.scale = 14, .edge_factor = 16};
  const kinjo::graph::EdgeList edges = generate(team, rule);
  std::printf(
      "building takes at most %.1f MiB\n",
      static_cast<double>(kinjo::graph::build_bytes(edges.vertices(), edges.size())) / (1 << 20));
  const auto graph = kinjo::graph::Graph::build(team, edges);

  std::size_t longest = 0, alone = 0;
  for (kinjo::graph::Vertex v = 0; v < graph.vertices(); ++v) {
    longest = std::max(longest, graph.neighbours(v).size());
    alone += graph.neighbours(v).empty();
  }
  std::printf("%zu neighbours at most, %zu vertices without any\n", longest, alone);

  write_graph(graph, path);
  const auto again = kinjo::graph::open_graph(path);
  std::remove(path);
  std::printf("%llu of %llu vertices are back\n", static_cast<unsigned long long>(again.vertices()),
              static_cast<unsigned long long>(graph.vertices()));
}
