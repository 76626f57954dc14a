/// Small /sys and /proc trees, as a kernel would show them, written file by file.
#pragma once

#include <string>
#include <vector>

#include "support/scratch.hpp"

namespace kinjo::test {

struct SysCpu {
  int cpu;
  int package;
  int core;
};

struct SysNode {
  int node;
  std::vector<int> cpus;
  long memory_kib;
  std::string distances;
};

struct SysMachine {
  std::vector<SysCpu> cpus;  ///< those that are online
  std::vector<SysNode> nodes;
  std::string end = "\n";  ///< behind every file: dumps have NUL bytes there
};

/// Writes `machine` under `tree`.
void write_sys_tree(const Scratch& tree, const SysMachine& machine);

}  // namespace kinjo::test
