/// The machine as boxes within boxes, before anybody says where they lie on paper.
#pragma once

#include <string>
#include <vector>

#include <kinjo/index_set.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// From the outside in: of boxes with the same CPUs, the earlier kind holds the later one.
enum class BoxKind { machine, package, group, cache, core, cpu, memory };

/// One line of a box's label. What must fit makes the box as wide as it is; the rest is cut.
struct BoxLine {
  std::string text;
  bool must_fit = true;
};

struct MachineBox {
  BoxKind kind = BoxKind::machine;
  std::vector<BoxLine> lines;
  std::string tip;  ///< what is known about it, for those who point at it
  CpuSet cpus;
  int number = -1;                   ///< OS number of a CPU or node
  int level = 0;                     ///< of a cache
  bool allowed = true;               ///< of a CPU or node
  std::vector<MachineBox> memory;    ///< the nodes that are local to exactly these CPUs
  std::vector<MachineBox> children;  ///< in logical order
  // Set by `arrange`.
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// How much is drawn of the inside of a core.
enum class MachineDetail {
  full,    ///< every cache is a box
  compact  ///< what belongs to one core alone is named once for all, see `private_caches`
};

/// `machine`'s packages, caches, cores and CPUs as boxes that contain each other as their CPUs do.
/// A node is a box in the innermost machine or package, else the outermost cache or core, that has
/// its CPUs; where nothing has them, they get a group of their own. Nodes without any CPU lie in
/// the machine.
MachineBox machine_boxes(const Topology& machine, MachineDetail detail);

/// What `compact` leaves out, a sentence for each kind of core, e.g.
/// `each core: L2 512 KiB, L1d 32 KiB, L1i 32 KiB`; empty if there is none.
std::vector<std::string> private_caches(const Topology& machine);

/// `L3 32 MiB`, `L1d 48 KiB`; without a size where it is not known.
std::string cache_name(const Cache& cache);

}  // namespace kinjo
