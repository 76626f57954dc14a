#include <kinjo/kinjo.hpp>
int main() {
  auto machine = kinjo::Topology::discover();
  auto mapping = kinjo::Mapping(machine, kinjo::Policy::scatter(), machine.allowed_cpus().count());
  kinjo::Team team(mapping);
  kinjo::PartitionedArray<double> x(team, 1 << 20);
  team.run([&](const kinjo::Place& me) {
    for (double& v : x.local(me)) v = me.node;
  });
}
