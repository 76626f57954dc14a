/// Small /proc trees, as a kernel would show them, and views made by hand.
#pragma once

#include <string>
#include <vector>

#include "observe/process_view.hpp"
#include "support/scratch.hpp"

namespace kinjo::test {

struct FakeThread {
  int tid = 7;
  std::string name = "solve";
  char state = 'S';
  int cpu = 0;
  std::string cpus = "0-3";
  int migrations = 2;  ///< −1: the kernel has no file `sched`
};

struct FakeProcess {
  int pid = 7;
  unsigned uid = 1000;
  unsigned flags = 4194304;
  std::vector<FakeThread> threads = {{}};
  std::string numa_maps;  ///< of each thread; empty: no such file
};

/// The tree's directory, to be put before `/proc`.
std::string root_of(const Scratch& tree);

/// A line of `stat`.
std::string stat_line(const FakeThread& thread, unsigned flags = 4194304);

/// Writes /proc/PID under `tree`.
void write_process(const Scratch& tree, const FakeProcess& process);

/// Threads on CPUs (node: CPU / 2, all running) and memory by node, without a kernel.
ProcessView view_of(const std::vector<int>& cpus, const NodeBytes& bytes);

/// Two nodes of two CPUs.
const Topology& two_nodes();

}  // namespace kinjo::test
