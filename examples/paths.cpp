// Ways through a town: how many there are, how long, and one of them by chance.
#include <cstdio>

#include <kinjo/diagram_members.hpp>
#include <kinjo/kinjo.hpp>
#include <kinjo/paths.hpp>

using namespace kinjo::paths;

int main() {
  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::compact(), 1));

  // Crossings 0 to 15, four a street; the one in the middle, 5, is closed.
  const Network town = network_by_rule("grid:3x3").network;
  const Family ways({.network = town, .from = 0, .to = 15, .avoid = {5}});

  const auto lengths = count_by_size(team, ways).by_size;
  for (std::size_t length = 0; length < lengths.size(); ++length) {
    if (lengths[length] == kinjo::Count()) continue;
    std::printf("%s ways of %zu streets\n", lengths[length].to_string().c_str(), length);
  }

  const Diagram all = *build(team, ways);
  Sampler sampler(all, 7);
  std::printf("one of %s:", all.count().to_string().c_str());
  for (const Item street : sampler.next()) {
    const Edge& edge = ways.edges()[street];
    std::printf(" %u-%u", edge.from, edge.to);
  }
  std::printf("\n");
  return all.count() == count(team, ways).count ? 0 : 1;
}
