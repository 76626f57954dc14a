// memory nodes: allocations on every node, and interleaved, with pages of every kind
// memory arrays POLICY: a PartitionedArray of every layout
// memory pool: an array in pages of the system's pool that exceeds what else is available
// memory free: an array under policy `none`, whose threads go where the system sends them
//
// One line for each allocation: a name, `:`, what kinjo says of it, `:`, where the kernel has its
// pages. `wrong` counts the pages that are not on the node that they were asked for.

#include <cstdio>
#include <cstring>
#include <kinjo/kinjo.hpp>
#include <string>
#include <vector>

#include "kernel_says.hpp"

namespace {

using namespace kinjo;

constexpr std::size_t kMiB = 1 << 20;
constexpr Pages kKinds[] = {Pages::normal, Pages::transparent, Pages::huge};

void print(const std::string& name, const Buffer& buffer) {
  std::memset(buffer.data(), 1, buffer.size());
  const bool pool = buffer.pages().pages == Pages::huge;
  const long huge_kib =
      kernel::smaps_kib(buffer.data(), buffer.size(), pool ? "Private_Hugetlb" : "AnonHugePages");
  const std::string remark = buffer.placement().message + buffer.pages().message;
  std::printf("%s : %s %s%s%s : %s : %ld KiB huge\n", name.c_str(),
              to_string(buffer.placement().rung), to_string(buffer.pages().pages),
              remark.empty() ? "" : " | ", remark.c_str(),
              kernel::pages_by_node(buffer.data(), buffer.size()).c_str(), huge_kib);
}

void nodes() {
  NodeSet usable;
  for (const Node& node : Topology::this_machine().nodes()) {
    if (node.allowed && node.memory_kind != MemoryKind::none) usable.insert(node.node);
  }
  for (Pages pages : kKinds) {
    const std::string kind = to_string(pages);
    for (int node : usable) {
      print("node " + std::to_string(node) + " " + kind,
            alloc_on(node, 4 * kMiB, {.pages = pages}));
    }
    print("all " + kind, alloc_interleaved(usable, usable.count() * 2 * kMiB, {.pages = pages}));
    print("ends " + kind,
          alloc_interleaved({usable.first(), usable.last()}, 8 * kMiB, {.pages = pages}));
  }
}

/// Pages of an array that are not on the node of the thread which owns their first element.
template <class T>
std::size_t wrong_pages(const PartitionedArray<T>& array) {
  const std::vector<int> nodes = kernel::nodes_of_pages(array.data(), array.size() * sizeof(T));
  std::size_t wrong = 0;
  for (std::size_t page = 0; page < nodes.size(); ++page) {
    const std::size_t owner = array.partition().owner(page * 4096 / sizeof(T));
    wrong += nodes[page] != array.mapping()[owner].node;
  }
  return wrong;
}

template <class T>
void print_array(const char* element, Team& team, Layout layout, Pages pages) {
  const PartitionedArray<T> array(team, 3 * kMiB / 2 + 1,
                                  {.layout = layout, .chunk = 40000, .pages = pages});
  const ArrayAudit audit = array.audit();
  std::printf("%s %s %s : %s %s %zu of %zu : wrong %zu\n", element, to_string(layout),
              to_string(pages), to_string(array.placement().rung), to_string(array.pages().pages),
              audit.as_asked(), audit.pages(), wrong_pages(array));
}

struct Triple {
  double x, y, z;
};

void arrays(const Policy& policy) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, policy, machine.allowed_cpus().count()));
  for (Layout layout : {Layout::block, Layout::cyclic, Layout::block_cyclic}) {
    for (Pages pages : kKinds) print_array<double>("double", team, layout, pages);
    print_array<Triple>("triple", team, layout, Pages::normal);
  }
}

/// Gives an empty pool 70 % of the memory, and takes 80 % of it: more than is left beside it.
void pool() {
  const std::size_t pages = available_memory_bytes() / (2 * kMiB) * 7 / 10;
  if (std::FILE* const file = std::fopen("/proc/sys/vm/nr_hugepages", "w")) {
    std::fprintf(file, "%zu", pages);
    std::fclose(file);
  }
  const std::size_t bytes = pages * 8 / 10 * 2 * kMiB;
  std::printf("%s than is available : ", bytes > available_memory_bytes() ? "more" : "not more");
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::scatter(), machine.allowed_cpus().count()));
  const PartitionedArray<double> array(team, bytes / sizeof(double), {.pages = Pages::huge});
  std::printf("%s%s\n", to_string(array.pages().pages), array.pages().message.c_str());
}

void free_threads() {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::none(), machine.allowed_cpus().count()));
  PartitionedArray<double> array(team, kMiB);
  std::printf("none : %s : %s\n", to_string(array.placement().rung),
              kernel::pages_by_node(array.data(), kMiB * sizeof(double)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "nodes") {
    nodes();
  } else if (what == "arrays" && argc == 3) {
    arrays(Policy::parse(argv[2]));
  } else if (what == "pool") {
    pool();
  } else if (what == "free") {
    free_threads();
  } else {
    return 2;
  }
}
