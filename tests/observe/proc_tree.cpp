#include "observe/proc_tree.hpp"

#include <fmt/format.h>

namespace kinjo::test {

std::string root_of(const Scratch& tree) {
  const std::string path = tree.path();
  return path.substr(0, path.find_last_not_of('/') + 1);
}

std::string stat_line(const FakeThread& thread, unsigned flags) {
  return fmt::format(
      "{} ({}) {} 1 7 7 0 -1 {} 104 0 0 0 30 12 0 0 20 0 1 0 4711 3133440 416 "
      "18446744073709551615 94312463101952 94312463121833 140728985024480 0 0 0 0 0 0 0 0 0 17 {} "
      "0 0 0 0 0 94312463137840 94312463139456 94312881221632 140728985025218 140728985025238 "
      "140728985025238 140728985026539 0\n",
      thread.tid, thread.name, thread.state, flags, thread.cpu);
}

void write_process(const Scratch& tree, const FakeProcess& process) {
  const std::string proc = fmt::format("proc/{}", process.pid);
  const auto status = [&](const FakeThread& thread) {
    return fmt::format(
        "Name:\t{}\nState:\t{} (whatever)\nTgid:\t{}\nPid:\t{}\nUid:\t0\t{}\t0\t0\n"
        "Cpus_allowed:\tf\nCpus_allowed_list:\t{}\nMems_allowed_list:\t0-1\n",
        thread.name, thread.state, process.pid, thread.tid, process.uid, thread.cpus);
  };
  const FakeThread& first = process.threads.front();
  tree.write(proc + "/stat", stat_line(first, process.flags));
  tree.write(proc + "/status", status(first));
  for (const FakeThread& thread : process.threads) {
    const std::string task = fmt::format("{}/task/{}", proc, thread.tid);
    tree.write(task + "/stat", stat_line(thread, process.flags));
    tree.write(task + "/status", status(thread));
    tree.write(task + "/schedstat", "250000000 7 3\n");
    if (thread.migrations >= 0) {
      tree.write(task + "/sched",
                 fmt::format("{} ({}, #threads: 1)\n-----\n"
                             "se.nr_migrations                             :  {}\n",
                             thread.name, thread.tid, thread.migrations));
    }
    if (!process.numa_maps.empty()) tree.write(task + "/numa_maps", process.numa_maps);
  }
}

ProcessView view_of(const std::vector<int>& cpus, const NodeBytes& bytes) {
  ProcessView view{.pid = 7, .name = "solve", .start_ticks = 1};
  for (int cpu : cpus) {
    ThreadView thread{.tid = 7 + static_cast<int>(view.threads.size()),
                      .name = "solve",
                      .state = 'R',
                      .running = true,
                      .cpu = cpu,
                      .node = cpu < 0 ? -1 : cpu / 2};
    thread.allowed_cpus = {0, 1, 2, 3};
    view.threads.push_back(thread);
  }
  view.memory = MemoryView{.bytes = bytes};
  if (!bytes.empty()) {
    view.memory->mappings.push_back({.begin = 0x1000, .page_bytes = 4096, .bytes = bytes});
  }
  return view;
}

const Topology& two_nodes() {
  static const Topology machine = Topology::from("synthetic:pack:2 numa:1 core:2 pu:1");
  return machine;
}

}  // namespace kinjo::test
