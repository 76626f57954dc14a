/// The machine as a value: packages, NUMA nodes, caches, cores and CPUs, with what this process
/// may use of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kinjo/index_set.hpp>

namespace kinjo {

/// One logical processor.
///
/// `cpu`, `node` and `package` are the operating system's numbers. The other ranks are logical:
/// they count from 0 in hwloc's order inside the thing they are named after, what the process may
/// use first and the rest behind it, so that they are the same whether or not the rest is known.
struct Cpu {
  int cpu = -1;           ///< OS number
  int logical = -1;       ///< index in hwloc's order over the machine
  int node = -1;          ///< OS number of the node it is dealt to, see `Topology`; −1: none
  int package = -1;       ///< OS number of the package
  int core = -1;          ///< rank of the core in its package
  int smt = -1;           ///< rank in the core
  int kind = 0;           ///< index into `core_kinds()`, 0 is the least powerful
  bool allowed = false;   ///< in the affinity mask at program start and in the cpuset
  int package_rank = -1;  ///< in the machine; where nodes span packages, in its node
  int node_rank = -1;     ///< in its package; where nodes span packages, in the machine
  int cache_rank = -1;    ///< of the last-level cache domain in its node
  int core_rank = -1;     ///< of the core in its cache domain
};

/// What kind of memory a node has. CPUs are dealt only to nodes with ordinary memory; the rest is
/// listed, for those who ask for it by number.
enum class MemoryKind { ordinary, high_bandwidth, non_volatile, device, none };
const char* to_string(MemoryKind kind) noexcept;

/// A NUMA node: a memory, with the CPUs that are local to it.
struct Node {
  int node = -1;  ///< OS number; numbers may have gaps
  CpuSet cpus;    ///< local CPUs; for memory without CPUs those that are nearest, as hwloc knows
  std::optional<std::uint64_t> memory_bytes;  ///< absent where a description does not say
  MemoryKind memory_kind = MemoryKind::ordinary;
  bool allowed = false;          ///< the process may have memory there
  std::map<int, int> distances;  ///< OS number of a node → SLIT distance
};

/// One cache and the CPUs that share it.
struct Cache {
  /// What it keeps; `unified` is data and instructions.
  enum class Type { unified, data, instruction };
  int level = 0;
  Type type = Type::unified;
  std::uint64_t size_bytes = 0;
  int line_bytes = 0;  ///< 0 where unknown
  CpuSet cpus;
};

/// One socket.
struct Package {
  int package = -1;   ///< OS number
  std::string model;  ///< the CPU's name, empty where unknown
  CpuSet cpus;
};

/// Cores that are alike, on machines where not all are.
struct CoreKind {
  std::string name;     ///< e.g. `IntelCore`; empty where the system has no name
  int efficiency = -1;  ///< hwloc's order of power, −1 where unknown
  CpuSet cpus;
};

/// What the running system allows, found out once. For a described machine all are false.
struct Support {
  bool this_machine = false;  ///< discovered here, so threads can be bound
  bool bind_threads = false;  ///< `sched_setaffinity` works
  bool bind_memory = false;   ///< `mbind` works
  bool query_pages = false;   ///< `move_pages` answers where pages are
};

/// A machine, complete and immutable once made.
///
/// *Node of a CPU.* Its nearest allowed node with ordinary memory: a local one if there is any,
/// else the one at the smallest distance, then of the lowest OS number; −1 if there is none.
///
/// *Allowed.* A CPU is allowed if it is in the affinity mask that the process had at program start
/// and in its cpuset; a node if it is in the cpuset's memory nodes.
///
/// *Cache domain.* The CPUs of one node that share a last-level cache.
class Topology {
 public:
  /// The running system, through hwloc. Throws `Error` if hwloc fails (`system`), or if a variable
  /// such as HWLOC_XMLFILE makes it describe another machine (`bad_input`).
  ///
  /// hwloc takes some options from the environment alone. This sets HWLOC_PLUGINS_PATH to nothing
  /// and HWLOC_HIDE_ERRORS to 2 for the duration of the call, unless they are so already: no other
  /// thread may read or change the environment meanwhile. Call it before there are such threads, or
  /// start the program with both variables set so.
  static Topology discover();

  /// The running system, discovered at the first call and kept; what functions use that take no
  /// topology, such as `alloc_on`. The first call is one of `discover`, with what is said there
  /// about the environment.
  static const Topology& this_machine();

  /// Another machine: the name of an hwloc XML file, of a directory that holds a `/sys` and `/proc`
  /// tree, or `synthetic:` and hwloc's syntax, e.g. `synthetic:pack:2 numa:1 core:4 pu:2`.
  /// Throws `Error` (`not_found`, `bad_input`) that names the input and the fault.
  /// It sets variables of the environment as `discover` does, HWLOC_LIBXML for a file and
  /// HWLOC_FSROOT for a directory besides.
  static Topology from(const std::string& input);

  std::span<const Cpu> cpus() const { return cpus_; }              ///< in logical order
  std::span<const Node> nodes() const { return nodes_; }           ///< by OS number
  std::span<const Package> packages() const { return packages_; }  ///< in logical order
  std::span<const Cache> caches() const { return caches_; }        ///< by level, then logical order
  std::span<const CoreKind> core_kinds() const { return kinds_; }  ///< never empty

  const CpuSet& all_cpus() const { return all_cpus_; }
  const CpuSet& allowed_cpus() const { return allowed_cpus_; }
  NodeSet all_nodes() const;
  const NodeSet& allowed_nodes() const { return allowed_nodes_; }

  /// The CPU with this OS number, or null. The pointer lives as long as the topology.
  const Cpu* find_cpu(int cpu) const;
  const Node* find_node(int node) const;
  const Package* find_package(int package) const;

  /// SLIT distance between two nodes (10: the same), absent where the machine does not say.
  std::optional<int> distance(int from_node, int to_node) const;

  /// True where some node's CPUs lie in several packages: node and package then exchange their
  /// places in every policy's order.
  bool nodes_span_packages() const { return nodes_span_packages_; }

  /// CPUs' worth of time that the control group allows (`cpu.max` of v2 and its parents, the
  /// quota of v1), e.g. 1.5; absent without a limit.
  std::optional<double> cpu_quota() const { return cpu_quota_; }

  /// Size in bytes of all last-level caches together, 0 where unknown.
  std::uint64_t last_level_cache_bytes() const;

  const Support& support() const { return support_; }

  /// Where it came from: `this machine`, or the input as it was given.
  const std::string& origin() const { return origin_; }

 private:
  friend class TopologyBuilder;
  Topology() = default;

  std::vector<Cpu> cpus_;
  std::vector<int> cpu_index_;  ///< OS number → index into cpus_, −1: no such CPU
  std::vector<Node> nodes_;
  std::vector<Package> packages_;
  std::vector<Cache> caches_;
  std::vector<CoreKind> kinds_;
  CpuSet all_cpus_;
  CpuSet allowed_cpus_;
  NodeSet allowed_nodes_;
  bool nodes_span_packages_ = false;
  std::optional<double> cpu_quota_;
  Support support_;
  std::string origin_;
};

}  // namespace kinjo
