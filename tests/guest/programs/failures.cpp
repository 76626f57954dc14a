// What kinjo does when the system refuses or changes; each line is a name and what came of it.
//
//   failures full NODE MIB       more memory on a node than it has
//   failures absent NODE         memory on a node that is not there or has none
//   failures refused NODE        a kernel that refuses mbind
//   failures cpuset FILE LIST    the cpuset (cpuset.cpus in FILE) becomes LIST under a living team
//   failures offline CPU         a CPU goes off under its pinned thread, and comes back

#include <sys/syscall.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <kinjo/kinjo.hpp>
#include <string>
#include <vector>

#include "kernel_says.hpp"
#include "support/error_of.hpp"
#include "support/seccomp.hpp"

namespace {

using namespace kinjo;

constexpr std::size_t kMiB = 1 << 20;

void print(const char* name, const std::string& text) {
  std::printf("%s: %s\n", name, text.c_str());
}

using test::error_of;

std::string describe(const Buffer& buffer) {
  std::memset(buffer.data(), 1, buffer.size());
  const PlacementReport& report = buffer.placement();
  return std::string(to_string(report.rung)) + " " +
         kernel::pages_by_node(buffer.data(), buffer.size()) +
         (report.message.empty() ? "" : " | " + report.message);
}

void fill_up(int node, std::size_t mib) {
  const Buffer buffer = alloc_on(node, mib * kMiB);
  print("full", describe(buffer));
  print("audit", buffer.audit().to_string());
}

Mapping everywhere(const Topology& machine) {
  return Mapping(machine, Policy::scatter(), machine.allowed_cpus().count());
}

void refuse(int node) {
  if (!test::refuse_system_call(SYS_mbind, EPERM)) std::_Exit(1);
  print("alloc_on", describe(alloc_on(node, 4 * kMiB)));
  const NodeSet nodes = Topology::this_machine().allowed_nodes();
  print("interleaved", describe(alloc_interleaved(nodes, 4 * kMiB)));
  Team team(everywhere(Topology::this_machine()));
  const PartitionedArray<double> array(team, kMiB);
  std::size_t wrong = 0;
  const auto pages = kernel::nodes_of_pages(array.data(), kMiB * sizeof(double));
  for (std::size_t page = 0; page < pages.size(); ++page) {
    wrong += pages[page] != array.mapping()[array.partition().owner(page * 512)].node;
  }
  print("array", std::string(to_string(array.placement().rung)) + ", wrong " +
                     std::to_string(wrong) + " | " + array.placement().message);
}

/// A team at work: every thread adds up its part of an array, with barriers between.
class Work {
 public:
  explicit Work(const Topology& machine) : team_(everywhere(machine)), array_(team_, kSize) {
    team_.run([&](const Place& me) {
      for (double& value : array_.local(me)) value = 1;
    });
  }

  /// Whether the sum is right, how many threads are on their CPUs, and what the kernel lets the
  /// thread use that was given the CPU `watched`.
  void report(const char* name, int watched) {
    std::vector<double> sums(team_.size());
    std::vector<int> in_place(team_.size());
    std::string allowed;
    team_.run([&](const Place& me) {
      const auto t = static_cast<std::size_t>(me.thread);
      for (int round = 0; round < 10; ++round) team_.barrier(me);
      for (double value : array_.local(me)) sums[t] += value;
      in_place[t] = static_cast<int>(kernel::where().cpu) == me.cpu;
      if (me.cpu == watched) allowed = kernel::allowed_cpus();
    });
    double sum = 0;
    int right = 0;
    for (std::size_t t = 0; t < team_.size(); ++t) sum += sums[t], right += in_place[t];
    const ArrayAudit audit = array_.audit();
    print(name, std::string("sum ") + (sum == double{kSize} ? "right" : "WRONG") + ", pages " +
                    std::to_string(audit.as_asked()) + " of " + std::to_string(audit.pages()) +
                    ", threads in place " + std::to_string(right) + " of " +
                    std::to_string(team_.size()) + ", CPU " + std::to_string(watched) +
                    "'s may use " + (allowed.empty() ? "nothing" : allowed));
  }

  const Mapping& mapping() const { return team_.mapping(); }

 private:
  static constexpr std::size_t kSize = 1 << 20;
  Team team_;
  PartitionedArray<double> array_;
};

void write_to(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) print("cannot write", path);
}

/// A team before and after `change`, what its table is good for then, and a team made anew; then
/// the same team after `undo`. One thread, that of the CPU `watched`, is looked at more closely.
template <class Change, class Undo>
void live_through(int watched, Change&& change, Undo&& undo) {
  Work work(Topology::discover());
  work.report("before", watched);
  change();
  work.report("after", watched);
  print("a team by the old table", error_of([&] { Team again(work.mapping()); }));
  Work(Topology::discover()).report("anew", watched);
  undo();
  work.report("undone", watched);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "full" && argc == 4) {
    fill_up(std::stoi(argv[2]), std::stoul(argv[3]));
  } else if (what == "absent") {
    print("alloc_on", error_of([&] { alloc_on(std::stoi(argv[2]), kMiB); }));
    print("interleaved", error_of([&] { alloc_interleaved({0, std::stoi(argv[2])}, kMiB); }));
  } else if (what == "refused") {
    refuse(std::stoi(argv[2]));
  } else if (what == "cpuset" && argc == 4) {
    const CpuSet all = Topology::discover().allowed_cpus();
    live_through(
        all.last(), [&] { write_to(argv[2], argv[3]); },
        [&] { write_to(argv[2], all.to_string()); });
  } else if (what == "offline") {
    const std::string online = "/sys/devices/system/cpu/cpu" + std::string(argv[2]) + "/online";
    live_through(
        std::stoi(argv[2]), [&] { write_to(online, "0"); }, [&] { write_to(online, "1"); });
  } else {
    return 2;
  }
}
