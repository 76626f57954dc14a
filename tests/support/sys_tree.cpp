#include "support/sys_tree.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <kinjo/index_set.hpp>

namespace kinjo::test {

namespace {

/// A mask as the kernel writes it, 32 bits a word, the highest first.
std::string mask_of(const CpuSet& cpus) {
  std::string text;
  for (int word = std::max(cpus.last(), 0) / 32; word >= 0; --word) {
    std::uint32_t bits = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if (cpus.contains(word * 32 + bit)) bits |= std::uint32_t{1} << bit;
    }
    text += fmt::format("{}{:08x}", text.empty() ? "" : ",", bits);
  }
  return text;
}

CpuSet set_of(const std::vector<int>& cpus) {
  CpuSet set;
  for (int cpu : cpus) set.insert(cpu);
  return set;
}

}  // namespace

void write_sys_tree(const Scratch& tree, const SysMachine& machine) {
  const auto write = [&](const std::string& name, const std::string& text) {
    tree.write("sys/devices/system/" + name, text + machine.end);
  };
  CpuSet online;
  for (const SysCpu& cpu : machine.cpus) online.insert(cpu.cpu);
  for (const char* name : {"online", "possible", "present"}) {
    write(fmt::format("cpu/{}", name), online.to_string());
  }
  for (const SysCpu& cpu : machine.cpus) {
    CpuSet siblings, package;
    for (const SysCpu& other : machine.cpus) {
      if (other.package != cpu.package) continue;
      package.insert(other.cpu);
      if (other.core == cpu.core) siblings.insert(other.cpu);
    }
    const std::string directory = fmt::format("cpu/cpu{}/topology/", cpu.cpu);
    write(directory + "physical_package_id", std::to_string(cpu.package));
    write(directory + "core_id", std::to_string(cpu.core));
    write(directory + "thread_siblings", mask_of(siblings));
    write(directory + "core_siblings", mask_of(package));
  }
  NodeSet nodes;
  for (const SysNode& node : machine.nodes) {
    if (node.node <= detail::kMaxIndex) nodes.insert(node.node);  // an absurd one stands in no list
    const std::string directory = fmt::format("node/node{}/", node.node);
    write(directory + "cpumap", mask_of(set_of(node.cpus)));
    write(directory + "cpulist", set_of(node.cpus).to_string());
    write(directory + "meminfo",
          fmt::format("Node {} MemTotal: {} kB", node.node, node.memory_kib));
    write(directory + "distance", node.distances);
  }
  if (!machine.nodes.empty()) write("node/online", nodes.to_string());
  tree.write("proc/cpuinfo", "");
}

}  // namespace kinjo::test
