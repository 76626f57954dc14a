#include "measure/firmware.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace kinjo {

namespace {

namespace fs = std::filesystem;

/// N of `nodeN`.
std::optional<int> node_number(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with("node")) return std::nullopt;
  const auto number = detail::parse_number<int>(std::string_view(name).substr(4));
  return number && *number >= 0 && *number <= detail::kMaxIndex ? number : std::nullopt;
}

/// The nodes that a directory has entries for, ascending.
NodeSet nodes_in(const fs::path& directory) {
  NodeSet nodes;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (const auto number = node_number(at->path())) nodes.insert(*number);
  }
  return nodes;
}

/// Zero is how tables say that they do not know.
std::optional<double> read_figure(const fs::path& path) {
  const auto text = detail::read_small_file(path.string());
  const auto value = text ? detail::parse_number<std::uint64_t>(detail::trim(*text)) : std::nullopt;
  return value && *value > 0 ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

/// CPUs of a node from its mask, words of 32 bits in hexadecimal with the highest first; dumps of
/// old kernels have no list.
CpuSet parse_mask(std::string_view text) {
  CpuSet cpus;
  const auto words = detail::split(text, ',');
  for (std::size_t w = 0; w < words.size() && w < 1024; ++w) {
    std::uint32_t bits = 0;
    const std::string_view word = words[words.size() - 1 - w];
    std::from_chars(word.data(), word.data() + word.size(), bits, 16);
    for (int bit = 0; bit < 32; ++bit) {
      if (bits >> bit & 1) cpus.insert(static_cast<int>(w) * 32 + bit);
    }
  }
  return cpus;
}

CpuSet cpus_of(const fs::path& node) {
  if (const auto list = detail::read_small_file((node / "cpulist").string())) {
    try {
      return CpuSet::parse(detail::trim(*list));
    } catch (const std::exception&) {
      return {};  // no list at all: then the figures hold for no CPU that is known
    }
  }
  const auto mask = detail::read_small_file((node / "cpumap").string());
  return mask ? parse_mask(detail::trim(*mask)) : CpuSet{};
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
