#include "measure/firmware.hpp"

#include <algorithm>
#include <filesystem>

#include <kinjo/error.hpp>

#include "base/directory.hpp"
#include "base/text.hpp"
#include "topology/sysfs_reader.hpp"

namespace kinjo {

namespace {

namespace fs = std::filesystem;

/// N of `nodeN`.
std::optional<int> node_number(const std::string& name) {
  if (!name.starts_with("node")) return std::nullopt;
  const auto number = detail::parse_number<int>(std::string_view(name).substr(4));
  return number && *number >= 0 && *number <= detail::kMaxIndex ? number : std::nullopt;
}

/// The nodes that a directory has entries for, ascending.
NodeSet nodes_in(const fs::path& directory) {
  NodeSet nodes;
  const auto names = detail::names_in(directory.string());
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    if (const auto number = node_number(name)) nodes.insert(*number);
  }
  return nodes;
}

/// Zero is how tables say that they do not know.
std::optional<double> read_figure(const fs::path& path) {
  const auto text = detail::read_small_file(path.string());
  const auto value = text ? detail::parse_number<std::uint64_t>(detail::trim(*text)) : std::nullopt;
  return value && *value > 0 ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

/// By the node's list; dumps of old kernels have a mask only. Where neither is one the figures hold
/// for no CPU that is known.
CpuSet cpus_of(const fs::path& node) {
  try {
    if (const auto list = detail::read_small_file((node / "cpulist").string())) {
      return CpuSet::parse(detail::trim(*list));
    }
    const std::string mask = (node / "cpumap").string();
    const auto text = detail::read_small_file(mask);
    return text ? detail::parse_mask(detail::trim(*text), mask) : CpuSet{};
  } catch (const Error&) {
    return {};
  }
}

FirmwareMemory read_class(const fs::path& nodes, int node, const char* access) {
  const fs::path at = nodes / ("node" + std::to_string(node)) / access / "initiators";
  FirmwareMemory memory{.node = node,
                        .initiators = nodes_in(at),
                        .cpus = {},
                        .read_latency_ns = read_figure(at / "read_latency"),
                        .write_latency_ns = read_figure(at / "write_latency"),
                        .read_mb_s = read_figure(at / "read_bandwidth"),
                        .write_mb_s = read_figure(at / "write_bandwidth")};
  for (int initiator : memory.initiators) {
    memory.cpus |= cpus_of(nodes / ("node" + std::to_string(initiator)));
  }
  return memory;
}

bool says_nothing(const FirmwareMemory& memory) {
  return !memory.read_latency_ns && !memory.write_latency_ns && !memory.read_mb_s &&
         !memory.write_mb_s;
}

bool holds_for(const FirmwareMemory& memory, const Topology& machine, int cpu_node) {
  return std::ranges::all_of(machine.cpus(), [&](const Cpu& cpu) {
    return cpu.node != cpu_node || !cpu.allowed || memory.cpus.contains(cpu.cpu);
  });
}

}  // namespace

std::vector<FirmwareMemory> read_firmware_memory(const std::string& root) {
  const fs::path nodes = root + "/sys/devices/system/node";
  std::vector<FirmwareMemory> all;
  for (int node : nodes_in(nodes)) {
    FirmwareMemory memory = read_class(nodes, node, "access1");
    if (says_nothing(memory)) memory = read_class(nodes, node, "access0");
    if (!says_nothing(memory)) all.push_back(std::move(memory));
  }
  return all;
}

void add_firmware_view(NodesProfile& nodes, const Topology& machine,
                       const std::vector<FirmwareMemory>& memory) {
  for (NodePairProfile& pair : nodes.pairs) {
    pair.distance = machine.distance(pair.cpu_node, pair.memory_node);
    const auto found = std::ranges::find(memory, pair.memory_node, &FirmwareMemory::node);
    if (found == memory.end() || !holds_for(*found, machine, pair.cpu_node)) continue;
    pair.hmat_latency_ns = found->read_latency_ns;
    pair.hmat_write_latency_ns = found->write_latency_ns;
    pair.hmat_read_mb_s = found->read_mb_s;
    pair.hmat_write_mb_s = found->write_mb_s;
  }
}

}  // namespace kinjo
