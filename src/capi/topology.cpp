#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace kinjo::capi;

namespace {

const kinjo::Topology& value_of(const kinjo_topology* topology) {
  return need(topology, "topology").value;
}

kinjo_cpu to_c(const kinjo::Cpu& cpu) {
  return {.cpu = cpu.cpu,
          .node = cpu.node,
          .package = cpu.package,
          .core = cpu.core,
          .smt = cpu.smt,
          .allowed = cpu.allowed};
}

kinjo_node to_c(const kinjo::Node& node) {
  return {.node = node.node,
          .cpu_count = static_cast<int>(node.cpus.count()),
          .allowed = node.allowed,
          .memory_bytes = node.memory_bytes.value_or(0)};
}

/// Copies what was found by OS number, or throws that there is none.
template <class Found, class Out>
int copy_found(const Found* found, const char* what, int number, Out* out) {
  if (!found) {
    throw kinjo::Error(kinjo::Errc::not_found,
                       fmt::format("there is no {} {} in the topology", what, number));
  }
  need(out, "out") = to_c(*found);
  return KINJO_OK;
}

}  // namespace

kinjo_topology* kinjo_topology_discover(void) {
  return guarded([] { return new kinjo_topology{kinjo::Topology::discover()}; });
}

kinjo_topology* kinjo_topology_from(const char* input) {
  return guarded([&] { return new kinjo_topology{kinjo::Topology::from(&need(input, "input"))}; });
}

void kinjo_topology_free(kinjo_topology* topology) { delete topology; }

int kinjo_topology_cpu_count(const kinjo_topology* topology) {
  return guarded([&] { return static_cast<int>(value_of(topology).cpus().size()); });
}

int kinjo_topology_allowed_cpu_count(const kinjo_topology* topology) {
  return guarded([&] { return static_cast<int>(value_of(topology).allowed_cpus().count()); });
}

int kinjo_topology_node_count(const kinjo_topology* topology) {
  return guarded([&] { return static_cast<int>(value_of(topology).nodes().size()); });
}

int kinjo_topology_package_count(const kinjo_topology* topology) {
  return guarded([&] { return static_cast<int>(value_of(topology).packages().size()); });
}

int kinjo_topology_get_cpu(const kinjo_topology* topology, int index, kinjo_cpu* out) {
  return guarded([&] {
    const auto cpus = value_of(topology).cpus();
    need(out, "out") = to_c(cpus[need_index(index, cpus.size(), "CPU index")]);
    return KINJO_OK;
  });
}

int kinjo_topology_get_node(const kinjo_topology* topology, int index, kinjo_node* out) {
  return guarded([&] {
    const auto nodes = value_of(topology).nodes();
    need(out, "out") = to_c(nodes[need_index(index, nodes.size(), "node index")]);
    return KINJO_OK;
  });
}

int kinjo_topology_find_cpu(const kinjo_topology* topology, int cpu, kinjo_cpu* out) {
  return guarded([&] { return copy_found(value_of(topology).find_cpu(cpu), "CPU", cpu, out); });
}

int kinjo_topology_find_node(const kinjo_topology* topology, int node, kinjo_node* out) {
  return guarded([&] { return copy_found(value_of(topology).find_node(node), "node", node, out); });
}

int kinjo_topology_distance(const kinjo_topology* topology, int from_node, int to_node) {
  return guarded([&] {
    const auto distance = value_of(topology).distance(from_node, to_node);
    if (!distance) {
      throw kinjo::Error(
          kinjo::Errc::not_found,
          fmt::format("the machine gives no distance from node {} to node {}", from_node, to_node));
    }
    return *distance;
  });
}
