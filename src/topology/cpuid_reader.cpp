#include "topology/cpuid_reader.hpp"

#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/directory.hpp"
#include "base/kernel.hpp"
#include "base/text.hpp"

namespace kinjo::detail {

Reading read_cpuid(const std::map<int, CpuidFacts>& facts, const std::string& source) {
  Reading reading{"cpuid", source, {}, {}, false, {}};
  std::map<std::string, Grouping> found;
  for (const auto& [cpu, fact] : facts) {
    reading.cpus.insert(cpu);
    found[kSharePackage].add({fact.package}, cpu);
    // A core lies in one package, whatever the borders say.
    found[kShareCore].add({fact.package, fact.core}, cpu);
    for (const CpuidFacts::Cache& cache : fact.caches) {
      found[cache.name].add({fact.package, cache.number}, cpu);
    }
  }
  for (const auto& [name, grouping] : found) reading.groups[name] = grouping.groups();
  if (facts.empty()) reading.obstacle = "there is no CPU to ask";
  return reading;
}

#if defined(__x86_64__)

namespace {
CpuidRegisters execute(std::uint32_t leaf, std::uint32_t subleaf) {
  CpuidRegisters r;
  __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
  return r;
}
}  // namespace

Reading read_cpuid_here(const CpuSet& cpus) {
  constexpr const char* kSource = "CPUID on each CPU that may be used";
  std::map<int, CpuidFacts> facts;
  std::string obstacle;
  // A thread of its own, so that the caller's mask stays as it is.
  std::thread([&] {
    for (const int cpu : cpus) {
      if (const int error = set_affinity({cpu})) {
        obstacle = fmt::format("cannot run on CPU {}: sched_setaffinity returned {}", cpu,
                               errno_name(error));
        return;
      }
      facts[cpu] = decode_cpuid(execute);
    }
  }).join();
  if (!obstacle.empty()) return {"cpuid", kSource, obstacle, {}, false, {}};
  return read_cpuid(facts, kSource);
}

#else

Reading read_cpuid_here(const CpuSet&) {
  return {"cpuid", "CPUID", "this architecture has no CPUID", {}, false, {}};
}

#endif

Reading read_cpuid_of(const std::string& root) {
  const std::string folder = root + "/cpuid";
  std::map<int, CpuidFacts> facts;
  for (const std::string& name : names_in(folder).value_or(std::vector<std::string>())) {
    if (!name.starts_with("pu")) continue;
    const auto cpu = parse_number<int>(std::string_view(name).substr(2));
    if (!cpu || *cpu < 0 || *cpu > kMaxIndex) continue;
    const std::string path = folder + "/" + name;
    const auto text = read_small_file(path);
    if (!text) continue;
    facts[*cpu] = decode_cpuid(CpuidRecording(*text, path));
  }
  if (facts.empty()) {
    return {"cpuid", folder, "there is no " + folder + "/pu0 or other", {}, false, {}};
  }
  return read_cpuid(facts, folder);
}

}  // namespace kinjo::detail
