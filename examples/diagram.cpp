// All ways through a grid from corner to corner: counted, listed, drawn by chance, cut down to
// those over a given edge, kept in a file.
#include <cstdio>
#include <kinjo/diagram_files.hpp>
#include <kinjo/diagram_members.hpp>
#include <kinjo/kinjo.hpp>
#include <kinjo/paths.hpp>
#include <vector>

using namespace kinjo;

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "example.kzdd";
  Team team(Mapping(Topology::discover(), Policy::scatter(), 1));
  paths::Problem problem;
  problem.network = paths::network_by_rule("grid:6").network;
  problem.to = problem.network.vertices - 1;
  const paths::Diagram ways = *paths::build(team, paths::Family(problem));
  std::printf("%s ways in %llu nodes\n", ways.count().to_string().c_str(),
              static_cast<unsigned long long>(ways.nodes()));

  std::vector<double> lengths(ways.items(), 1);
  std::printf("from %g to %g edges\n", ways.lightest(lengths)->weight,
              ways.heaviest(lengths)->weight);

  double edges = 0;
  paths::Sampler sampler(ways);
  for (int drawn = 0; drawn < 1000; ++drawn) edges += static_cast<double>(sampler.next().size());
  std::printf("%.0f edges where one is chosen by chance\n", edges / 1000);

  const paths::Set first = {0};
  const paths::Diagram over = ways.including(first), around = ways.excluding(first);
  std::printf("%s of them over the first edge\n", over.count().to_string().c_str());

  write_diagram(ways, path);
  const bool same = paths::read_diagram(path) == (over | around);
  std::remove(path);
  std::printf("%s\n", same ? "the rest goes around it" : "WRONG");
}
