#include "topology/builder.hpp"

#include <algorithm>
#include <climits>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

template <class Tag>
IndexSet<Tag> to_set(hwloc_const_bitmap_t bitmap) {
  IndexSet<Tag> set;
  if (bitmap == nullptr) return set;
  for (int i = hwloc_bitmap_first(bitmap); i >= 0 && i <= detail::kMaxIndex;
       i = hwloc_bitmap_next(bitmap, i)) {
    set.insert(i);
  }
  return set;
}
CpuSet to_cpus(hwloc_const_bitmap_t bitmap) { return to_set<CpuTag>(bitmap); }

std::string info(hwloc_obj_t object, const char* name) {
  const char* value = hwloc_obj_get_info_by_name(object, name);
  return value ? std::string(detail::trim(value)) : "";
}

/// OS number of a package: hwloc's, or the logical index where the system gives none.
int package_number(hwloc_obj_t package) {
  return static_cast<int>(package->os_index == HWLOC_UNKNOWN_INDEX ? package->logical_index
                                                                   : package->os_index);
}

/// Numbers of CPUs and nodes index tables and sets.
void check_number(const char* what, hwloc_obj_t object, const std::string& origin) {
  if (object->os_index <= static_cast<unsigned>(detail::kMaxIndex)) return;
  throw Error(Errc::bad_input,
              fmt::format("the machine '{}' has a {} numbered {}: expected numbers up to {}",
                          origin, what, object->os_index, detail::kMaxIndex));
}

/// hwloc marks memory that is not ordinary by a subtype, or by the driver that gave it.
MemoryKind memory_kind(hwloc_obj_t node) {
  const std::string subtype = node->subtype ? node->subtype : "";
  const std::string dax = info(node, "DAXType");
  if (subtype == "MCDRAM" || subtype.starts_with("HBM")) return MemoryKind::high_bandwidth;
  if (subtype == "NVM" || dax == "NVM") return MemoryKind::non_volatile;
  if (subtype.empty() || subtype == "DRAM") {
    return dax.empty() ? MemoryKind::ordinary : MemoryKind::device;
  }
  return MemoryKind::device;
}

template <class F>
void for_each_object(hwloc_topology_t hwloc, hwloc_obj_type_t type, F&& f) {
  const auto visit = [&](int depth) {
    for (hwloc_obj_t o = hwloc_get_obj_by_depth(hwloc, depth, 0); o; o = o->next_cousin) f(o);
  };
  const int depth = hwloc_get_type_depth(hwloc, type);
  if (depth == HWLOC_TYPE_DEPTH_UNKNOWN) return;
  if (depth != HWLOC_TYPE_DEPTH_MULTIPLE) return visit(depth);
  // Where branches of the tree differ, a type may occur at several depths.
  for (int d = 0; d < hwloc_topology_get_depth(hwloc); ++d) {
    if (hwloc_get_depth_type(hwloc, d) == type) visit(d);
  }
}

/// Tells objects of the CPU tree apart: logical indexes count at each depth anew.
int number_of(hwloc_obj_t object) {
  constexpr int kDepths = 256;
  return static_cast<int>(object->logical_index) * kDepths + object->depth;
}

constexpr hwloc_obj_type_t kDataCaches[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                            HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
constexpr hwloc_obj_type_t kInstructionCaches[] = {HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2ICACHE,
                                                   HWLOC_OBJ_L3ICACHE};

/// The highest data cache above a CPU, or null.
hwloc_obj_t last_level_cache(hwloc_obj_t pu) {
  hwloc_obj_t found = nullptr;
  for (hwloc_obj_t o = pu->parent; o; o = o->parent) {
    if (hwloc_obj_type_is_dcache(o->type)) found = o;
  }
  return found;
}

}  // namespace

TopologyBuilder::TopologyBuilder(const detail::HwlocHandle& hwloc, const std::string& origin,
                                 const CpuSet* may_use)
    : hwloc_(hwloc.get()) {
  topology_.origin_ = origin;
  read_packages();
  read_nodes();
  read_distances();
  read_caches();
  read_kinds();
  read_cpus(may_use);
  deal_nodes();
}

Topology TopologyBuilder::build() {
  topology_.nodes_span_packages_ = detail::rank_cpus(topology_.cpus_, cache_of_, core_of_);
  return std::move(topology_);
}

void TopologyBuilder::read_packages() {
  for_each_object(hwloc_, HWLOC_OBJ_PACKAGE, [&](hwloc_obj_t o) {
    topology_.packages_.push_back(
        {.package = package_number(o), .model = info(o, "CPUModel"), .cpus = to_cpus(o->cpuset)});
  });
  if (topology_.packages_.empty()) {
    const hwloc_obj_t root = hwloc_get_root_obj(hwloc_);
    topology_.packages_.push_back(
        {.package = 0, .model = info(root, "CPUModel"), .cpus = to_cpus(root->cpuset)});
  }
}

void TopologyBuilder::read_nodes() {
  topology_.allowed_nodes_ = to_set<NodeTag>(hwloc_topology_get_allowed_nodeset(hwloc_));
  bool sizes_known = false;
  for_each_object(hwloc_, HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t o) {
    check_number("node", o, topology_.origin_);
    Node node{.node = static_cast<int>(o->os_index),
              .cpus = to_cpus(o->cpuset),
              .memory_bytes = o->attr->numanode.local_memory,
              .memory_kind = memory_kind(o),
              .allowed = topology_.allowed_nodes_.contains(static_cast<int>(o->os_index)),
              .distances = {}};
    sizes_known |= *node.memory_bytes > 0;
    topology_.nodes_.push_back(std::move(node));
  });
  std::sort(topology_.nodes_.begin(), topology_.nodes_.end(),
            [](const Node& a, const Node& b) { return a.node < b.node; });
  // A description without any size says nothing; where others have one, 0 means no memory.
  for (Node& node : topology_.nodes_) {
    if (!sizes_known) {
      node.memory_bytes.reset();
    } else if (*node.memory_bytes == 0) {
      node.memory_kind = MemoryKind::none;
    }
  }
}

void TopologyBuilder::read_distances() {
  unsigned count = 1;
  hwloc_distances_s* found = nullptr;
  if (hwloc_distances_get_by_type(hwloc_, HWLOC_OBJ_NUMANODE, &count, &found,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0) {
    return;
  }
  const auto release = [this](hwloc_distances_s* m) { hwloc_distances_release(hwloc_, m); };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> matrix(found, release);
  for (unsigned i = 0; i < matrix->nbobjs; ++i) {
    for (unsigned j = 0; j < matrix->nbobjs; ++j) {
      const hwloc_uint64_t value = matrix->values[i * matrix->nbobjs + j];
      const int from = static_cast<int>(matrix->objs[i]->os_index);
      const auto node = std::find_if(topology_.nodes_.begin(), topology_.nodes_.end(),
                                     [&](const Node& n) { return n.node == from; });
      if (node == topology_.nodes_.end() || value > INT_MAX) continue;
      node->distances[static_cast<int>(matrix->objs[j]->os_index)] = static_cast<int>(value);
    }
  }
}

void TopologyBuilder::read_caches() {
  const auto read = [&](hwloc_obj_t o) {
    const auto& cache = o->attr->cache;
    topology_.caches_.push_back({.level = static_cast<int>(cache.depth),
                                 .type = cache.type == HWLOC_OBJ_CACHE_DATA ? Cache::Type::data
                                         : cache.type == HWLOC_OBJ_CACHE_INSTRUCTION
                                             ? Cache::Type::instruction
                                             : Cache::Type::unified,
                                 .size_bytes = cache.size,
                                 .line_bytes = static_cast<int>(cache.linesize),
                                 .cpus = to_cpus(o->cpuset)});
  };
  for (auto type : kDataCaches) for_each_object(hwloc_, type, read);
  for (auto type : kInstructionCaches) for_each_object(hwloc_, type, read);
  std::stable_sort(topology_.caches_.begin(), topology_.caches_.end(),
                   [](const Cache& a, const Cache& b) { return a.level < b.level; });
}

void TopologyBuilder::read_kinds() {
  const int count = hwloc_cpukinds_get_nr(hwloc_, 0);
  const detail::HwlocBitmap bitmap(hwloc_bitmap_alloc());
  if (!bitmap) throw std::bad_alloc();
  for (int k = 0; k < count; ++k) {
    CoreKind kind;
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(hwloc_, static_cast<unsigned>(k), bitmap.get(), &kind.efficiency,
                                &infos, &info, 0) != 0) {
      continue;
    }
    kind.cpus = to_cpus(bitmap.get());
    for (unsigned i = 0; i < infos; ++i) {
      if (std::string_view(info[i].name) == "CoreType") kind.name = info[i].value;
    }
    topology_.kinds_.push_back(std::move(kind));
  }
  if (topology_.kinds_.empty()) {
    const hwloc_obj_t root = hwloc_get_root_obj(hwloc_);
    topology_.kinds_.push_back({.name = "", .efficiency = -1, .cpus = to_cpus(root->cpuset)});
  }
}

void TopologyBuilder::read_cpus(const CpuSet* may_use) {
  CpuSet allowed = to_cpus(hwloc_topology_get_allowed_cpuset(hwloc_));
  if (may_use) allowed &= *may_use;
  for_each_object(hwloc_, HWLOC_OBJ_PU, [&](hwloc_obj_t pu) {
    check_number("CPU", pu, topology_.origin_);
    Cpu cpu{.cpu = static_cast<int>(pu->os_index), .logical = static_cast<int>(pu->logical_index)};
    const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(hwloc_, HWLOC_OBJ_PACKAGE, pu);
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(hwloc_, HWLOC_OBJ_CORE, pu);
    const hwloc_obj_t cache = last_level_cache(pu);
    cpu.package = package ? package_number(package) : topology_.packages_[0].package;
    cpu.allowed = allowed.contains(cpu.cpu);
    for (std::size_t k = 0; k < topology_.kinds_.size(); ++k) {
      if (topology_.kinds_[k].cpus.contains(cpu.cpu)) cpu.kind = static_cast<int>(k);
    }
    core_of_.push_back(core ? number_of(core) : -1 - cpu.logical);
    cache_of_.push_back(cache ? number_of(cache) : -1);
    topology_.all_cpus_.insert(cpu.cpu);
    if (cpu.allowed) topology_.allowed_cpus_.insert(cpu.cpu);
    topology_.cpus_.push_back(cpu);
  });
  if (topology_.allowed_cpus_.empty()) {
    throw Error(Errc::bad_input,
                fmt::format("the machine '{}' has no CPU that may be used: expected "
                            "at least one",
                            topology_.origin_));
  }
  topology_.cpu_index_.assign(static_cast<std::size_t>(topology_.all_cpus_.last()) + 1, -1);
  for (std::size_t i = 0; i < topology_.cpus_.size(); ++i) {
    topology_.cpu_index_[static_cast<std::size_t>(topology_.cpus_[i].cpu)] = static_cast<int>(i);
  }
}

void TopologyBuilder::deal_nodes() {
  for (Cpu& cpu : topology_.cpus_) cpu.node = nearest_node(cpu);
}

int TopologyBuilder::nearest_node(const Cpu& cpu) const {
  // The home is the local node with the fewest CPUs: memory of a wider reach is shared.
  const Node* home = nullptr;
  for (const Node& node : topology_.nodes_) {
    if (!node.cpus.contains(cpu.cpu)) continue;
    if (!home || node.cpus.count() < home->cpus.count()) home = &node;
  }
  const auto distance_to = [&](const Node& node) {
    if (!home) return INT_MAX;
    const auto found = home->distances.find(node.node);
    return found == home->distances.end() ? INT_MAX : found->second;
  };
  const Node* best = nullptr;
  const auto better = [&](const Node& node) {
    const bool local = node.cpus.contains(cpu.cpu);
    const bool best_local = best->cpus.contains(cpu.cpu);
    if (local != best_local) return local;
    return distance_to(node) < distance_to(*best);
  };
  for (const Node& node : topology_.nodes_) {
    if (!node.allowed || node.memory_kind != MemoryKind::ordinary) continue;
    if (!best || better(node)) best = &node;
  }
  return best ? best->node : -1;
}

}  // namespace kinjo
