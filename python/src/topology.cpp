/// kinjo.topology(): the machine as objects that can only be read.
#include <kinjo/topology.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "argument.hpp"
#include "convert.hpp"
#include "parts.hpp"

namespace kinjo::python {
namespace {

std::string counted(std::size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string repr(const Topology& machine) {
  std::set<std::pair<int, int>> cores;
  for (const Cpu& cpu : machine.cpus()) cores.insert({cpu.package, cpu.core});
  return fmt::format("<kinjo.Topology {}: {}, {}, {}, {}>", machine.origin(),
                     counted(machine.packages().size(), "package"),
                     counted(machine.nodes().size(), "node"), counted(cores.size(), "core"),
                     counted(machine.cpus().size(), "CPU"));
}

const char* name_of(Cache::Type type) {
  switch (type) {
    case Cache::Type::unified:
      return "unified";
    case Cache::Type::data:
      return "data";
    case Cache::Type::instruction:
      return "instruction";
  }
  return "unknown";
}

void add_cpu(nb::module_& module) {
  nb::class_<Cpu>(module, "Cpu",
                  "One logical processor; ``cpu``, ``node`` and ``package`` are the\n"
                  "operating system's numbers, the rest are ranks.")
      .def_ro("cpu", &Cpu::cpu)
      .def_ro("node", &Cpu::node, "-1: it has no node with memory")
      .def_ro("package", &Cpu::package)
      .def_ro("core", &Cpu::core, "rank in the package")
      .def_ro("smt", &Cpu::smt, "rank in the core")
      .def_ro("logical", &Cpu::logical, "index in hwloc's order over the machine")
      .def_ro("kind", &Cpu::kind, "0: the least powerful kind of cores")
      .def_ro("allowed", &Cpu::allowed, "this process may use it")
      .def("__repr__", [](const Cpu& c) {
        return fmt::format("Cpu(cpu={}, node={}, package={}, core={}, smt={})", c.cpu, c.node,
                           c.package, c.core, c.smt);
      });
}

void add_node(nb::module_& module) {
  nb::class_<Node>(module, "Node", "A NUMA node: a memory, with the CPUs that are local to it.")
      .def_ro("node", &Node::node, "the operating system's number; numbers may have gaps")
      .def_prop_ro("cpus", [](const Node& n) { return to_list(n.cpus); })
      .def_ro("memory_bytes", &Node::memory_bytes)
      .def_prop_ro("memory_kind", [](const Node& n) { return to_string(n.memory_kind); })
      .def_ro("allowed", &Node::allowed, "this process may have memory there")
      .def_ro("distances", &Node::distances, "node -> SLIT distance; 10: the same")
      .def("__repr__", [](const Node& n) {
        return fmt::format("Node(node={}, cpus='{}')", n.node, n.cpus.to_string());
      });
}

void add_cache_and_package(nb::module_& module) {
  nb::class_<Cache>(module, "Cache", "One cache and the CPUs that share it.")
      .def_ro("level", &Cache::level)
      .def_prop_ro("type", [](const Cache& c) { return name_of(c.type); })
      .def_ro("size_bytes", &Cache::size_bytes)
      .def_ro("line_bytes", &Cache::line_bytes, "0: unknown")
      .def_prop_ro("cpus", [](const Cache& c) { return to_list(c.cpus); })
      .def("__repr__", [](const Cache& c) {
        return fmt::format("Cache(level={}, type='{}', size_bytes={}, cpus='{}')", c.level,
                           name_of(c.type), c.size_bytes, c.cpus.to_string());
      });
  nb::class_<Package>(module, "Package", "One socket.")
      .def_ro("package", &Package::package)
      .def_ro("model", &Package::model, "the CPU's name, empty where unknown")
      .def_prop_ro("cpus", [](const Package& p) { return to_list(p.cpus); })
      .def("__repr__", [](const Package& p) {
        return fmt::format("Package(package={}, model='{}', cpus='{}')", p.package, p.model,
                           p.cpus.to_string());
      });
}

void add_machine(nb::module_& module) {
  nb::class_<Topology>(module, "Topology", "A machine, complete and immutable.")
      .def_prop_ro("packages", [](const Topology& t) { return to_list(t.packages()); })
      .def_prop_ro("nodes", [](const Topology& t) { return to_list(t.nodes()); })
      .def_prop_ro("cpus", [](const Topology& t) { return to_list(t.cpus()); })
      .def_prop_ro("caches", [](const Topology& t) { return to_list(t.caches()); })
      .def_prop_ro("allowed_cpus", [](const Topology& t) { return to_list(t.allowed_cpus()); })
      .def_prop_ro("allowed_nodes", [](const Topology& t) { return to_list(t.allowed_nodes()); })
      .def_prop_ro("cpu_quota", &Topology::cpu_quota,
                   "CPUs' worth of time that the control group allows; None: no limit")
      .def_prop_ro("last_level_cache_bytes", &Topology::last_level_cache_bytes,
                   "all last-level caches together; 0: unknown")
      .def_prop_ro("origin", &Topology::origin, "``this machine``, or the input as it was given")
      .def(
          "distance",
          [](const Topology& t, Given<int> from, Given<int> to) {
            return t.distance(from.read({"distance", "from_node"}),
                              to.read({"distance", "to_node"}));
          },
          nb::arg("from_node"), nb::arg("to_node"),
          "SLIT distance between two nodes; None where the machine does not say.")
      .def("__repr__", repr);
}

}  // namespace

void add_topology(nb::module_& module) {
  add_cpu(module);
  add_node(module);
  add_cache_and_package(module);
  add_machine(module);
  module.def(
      "topology", [] { return &Topology::this_machine(); }, nb::rv_policy::reference,
      "This machine, discovered at the first call and kept.");
  module.def(
      "topology",
      [](const nb::object& input) {
        const nb::object name = nb::module_::import_("kinjo._files").attr("fspath")(input);
        return Topology::from(nb::cast<std::string>(name));
      },
      nb::arg("input"), nb::sig("def topology(input: str | os.PathLike[str]) -> Topology"),
      "Another machine: an hwloc XML file, a directory that holds a /sys and /proc tree, or\n"
      "``synthetic:`` and hwloc's syntax.");
}

}  // namespace kinjo::python
