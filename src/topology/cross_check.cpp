#include "topology/cross_check.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "topology/cpuid_reader.hpp"
#include "topology/cpuinfo_reader.hpp"
#include "topology/sysfs_reader.hpp"

namespace kinjo::detail {

namespace {

constexpr const char* kWhichCpus = "cpus";

CpuSet covered(const Groups& groups) {
  CpuSet all;
  for (const CpuSet& group : groups) all |= group;
  return all;
}

/// The groups as far as they lie in `common`, each once, by their list.
std::map<std::string, CpuSet> within(const Groups& groups, const CpuSet& common) {
  std::map<std::string, CpuSet> found;
  for (const CpuSet& group : groups) {
    const CpuSet part = group & common;
    if (!part.empty()) found.emplace(part.to_string(), part);
  }
  return found;
}

Groups missing_in(const std::map<std::string, CpuSet>& other,
                  const std::map<std::string, CpuSet>& groups) {
  Groups missing;
  for (const auto& [text, group] : groups) {
    if (!other.contains(text)) missing.push_back(group);
  }
  std::sort(missing.begin(), missing.end(), [](const CpuSet& a, const CpuSet& b) {
    return a.first() != b.first() ? a.first() < b.first() : a.count() < b.count();
  });
  return missing;
}

RelationCheck compare_groups(const std::string& relation, const Groups& reader, const Groups& hwloc,
                             const CpuSet& common) {
  const auto ours = within(reader, common);
  const auto theirs = within(hwloc, common);
  RelationCheck check{relation, true, missing_in(theirs, ours), missing_in(ours, theirs)};
  // hwloc gives memory without CPUs those that are near it.
  if (relation == kShareNode && check.reader.empty()) check.hwloc.clear();
  check.agrees = check.reader.empty() && check.hwloc.empty();
  return check;
}

/// `cpus` first, then from the whole to the part, caches behind.
bool before(const std::string& a, const std::string& b) {
  static const std::vector<std::string> kFirst = {kWhichCpus, kSharePackage, kShareCore,
                                                  kShareNode};
  const auto a_at = std::find(kFirst.begin(), kFirst.end(), a);
  const auto b_at = std::find(kFirst.begin(), kFirst.end(), b);
  return a_at != b_at ? a_at < b_at : a < b;
}

CacheKind kind_of(Cache::Type type) {
  return type == Cache::Type::data          ? CacheKind::data
         : type == Cache::Type::instruction ? CacheKind::instruction
                                            : CacheKind::unified;
}

}  // namespace

bool ReaderCheck::agrees() const {
  return std::all_of(relations.begin(), relations.end(),
                     [](const RelationCheck& check) { return check.agrees; });
}

bool CrossCheck::agrees() const {
  return std::all_of(readers.begin(), readers.end(),
                     [](const ReaderCheck& check) { return check.agrees(); });
}

std::vector<std::string> relation_names(const CrossCheck& check) {
  std::set<std::string> names;
  for (const ReaderCheck& reader : check.readers) {
    for (const RelationCheck& relation : reader.relations) names.insert(relation.relation);
  }
  std::vector<std::string> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end(), before);
  return sorted;
}

Reading read_hwloc(const Topology& machine) {
  Reading reading{"hwloc", machine.origin(), {}, machine.all_cpus(), true, {}};
  Grouping cores;
  for (const Package& package : machine.packages()) {
    reading.groups[kSharePackage].push_back(package.cpus);
  }
  for (const Cpu& cpu : machine.cpus()) cores.add({cpu.package, cpu.core}, cpu.cpu);
  reading.groups[kShareCore] = cores.groups();
  for (const Node& node : machine.nodes()) {
    if (!node.cpus.empty()) reading.groups[kShareNode].push_back(node.cpus);
  }
  for (const Cache& cache : machine.caches()) {
    reading.groups[cache_name(cache.level, kind_of(cache.type))].push_back(cache.cpus);
  }
  return reading;
}

ReaderCheck compare(const Reading& reading, const Reading& hwloc) {
  ReaderCheck check{reading, {}};
  if (!reading.obstacle.empty()) return check;
  if (reading.all_cpus) {
    check.relations.push_back(
        compare_groups(kWhichCpus, {reading.cpus}, {hwloc.cpus}, reading.cpus | hwloc.cpus));
  }
  for (const auto& [relation, groups] : reading.groups) {
    const auto known = hwloc.groups.find(relation);
    if (known == hwloc.groups.end()) continue;
    const CpuSet common = covered(groups) & covered(known->second);
    if (common.empty()) continue;
    check.relations.push_back(compare_groups(relation, groups, known->second, common));
  }
  std::sort(check.relations.begin(), check.relations.end(),
            [](const RelationCheck& a, const RelationCheck& b) {
              return before(a.relation, b.relation);
            });
  return check;
}

CrossCheck cross_check(const std::string& input) {
  const Topology machine = input.empty() ? Topology::discover() : Topology::from(input);
  std::error_code none;
  if (!input.empty() && !std::filesystem::is_directory(input, none)) {
    throw Error(Errc::invalid_argument,
                fmt::format("nothing to compare '{}' with: --check needs this machine, or a "
                            "directory that holds sys and proc",
                            input));
  }
  std::string root = input;
  while (root.ends_with('/')) root.pop_back();
  const Reading hwloc = read_hwloc(machine);
  CrossCheck check{machine.origin(), {}};
  check.readers.push_back(compare(read_cpuinfo_of(root), hwloc));
  check.readers.push_back(compare(read_sysfs(root), hwloc));
  check.readers.push_back(compare(
      input.empty() ? read_cpuid_here(machine.allowed_cpus()) : read_cpuid_of(root), hwloc));
  return check;
}

}  // namespace kinjo::detail
