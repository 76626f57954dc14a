/// The machine as a picture, in the manner of hwloc's `lstopo`.
#pragma once

#include <optional>
#include <span>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "report/machine_boxes.hpp"
#include "report/svg.hpp"
#include "report/table.hpp"

namespace kinjo {

/// Boxes within boxes, each with its label: packages, nodes, caches, cores, CPUs by their OS
/// numbers. What may not be used is crossed out; kinds of cores have their colours; a legend says
/// so. Without `detail`, machines of more than 32 cores are drawn in the compact form.
/// In the SVG each box is a group whose class is its kind (`machine`, `package`, `group`, `memory`,
/// `cache`, `core`, `cpu`), and groups contain each other as the boxes do.
Svg machine_svg(const Topology& machine, std::optional<MachineDetail> detail = {});

/// What the colour of a thread's CPU says.
enum class ThreadColour {
  order,  ///< dark for the first thread, light for the last: how the policy fills the machine
  node    ///< one colour for each node
};

/// The machine once for each mapping, in the compact form, side by side or below each other: the
/// CPUs that have threads are coloured and show the threads' numbers above their own. The mappings
/// are of that machine, at least one, and bind. A group of class `mapping` holds each picture.
Svg mappings_svg(const Topology& machine, std::span<const Mapping> mappings,
                 ThreadColour colour = ThreadColour::order);

/// The same as rows: a thread in each, its CPU and node under each mapping.
Table mappings_table(std::span<const Mapping> mappings);

}  // namespace kinjo
