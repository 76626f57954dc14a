/// What one way of learning the topology says: which CPUs lie together.
///
/// The numbers that sources give to packages and cores are arbitrary and differ between them; what
/// can be compared is which CPUs share one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

/// CPUs that share something, one set for each such thing.
using Groups = std::vector<CpuSet>;

/// The names of relations: `package`, `core` (SMT siblings), `node`, and caches as `cache_name`
/// names them.
inline constexpr const char* kSharePackage = "package";
inline constexpr const char* kShareCore = "core";
inline constexpr const char* kShareNode = "node";

enum class CacheKind { data, instruction, unified };
/// `L1d`, `L1i`, `L2`: a unified cache has no letter.
std::string cache_name(int level, CacheKind kind);

/// What a reader found. A relation that its source does not tell is not in `groups`.
struct Reading {
  std::string reader;    ///< `cpuinfo`, `sysfs` or `cpuid`
  std::string source;    ///< what was read, e.g. `/proc/cpuinfo`
  std::string obstacle;  ///< why nothing was read; empty if something was
  CpuSet cpus;
  bool all_cpus = true;  ///< `cpus` are those of the machine, not only those that could be asked
  std::map<std::string, Groups> groups;
};

/// Puts CPUs with the same key into one group.
class Grouping {
 public:
  void add(const std::vector<long>& key, int cpu) { sets_[key].insert(cpu); }
  Groups groups() const;

 private:
  std::map<std::vector<long>, CpuSet> sets_;
};

}  // namespace kinjo::detail
