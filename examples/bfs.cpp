// How far everybody in a network is from one of its members, over a team of pinned threads; then
// the way through a city.
#include <cstdint>
#include <cstdio>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/kinjo.hpp>
#include <vector>

using namespace kinjo;

int main() {
  const auto machine = Topology::discover();
  Team team(Mapping(machine, Policy::scatter(), machine.allowed_cpus().count()));

  // 2^14 members, 2^18 acquaintances: few know many, many know few.
  const graph::EdgeList list = graph::generate(team, graph::Kronecker{.scale = 14});
  const graph::Graph network = graph::Graph::build(team, list);
  graph::Search search(network, team);
  std::vector<std::int32_t> parents(network.vertices());
  const std::uint64_t member = list.all()[0].from;
  const graph::SearchResult found = search.run(member, parents);
  std::printf("%llu of %llu are at most %zu steps away\n",
              static_cast<unsigned long long>(found.reached),
              static_cast<unsigned long long>(network.vertices()), found.levels.size() - 1);

  const graph::Graph city =
      graph::Graph::build(team, graph::generate(team, graph::Grid{.rows = 30, .columns = 40}));
  std::vector<std::int32_t> way(city.vertices());
  graph::Search(city, team).run(0, way);
  int streets = 0;
  for (std::int32_t corner = 30 * 40 - 1; corner != 0;
       corner = way[static_cast<std::size_t>(corner)]) {
    ++streets;
  }
  std::printf("from corner to corner by %d streets\n", streets);
}
