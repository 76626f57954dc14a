/// Any text as /proc/cpuinfo: an `Error`, or groups of CPUs that it lists, each CPU in one of each.
#include <cstdlib>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "topology/cpuinfo_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto reading =
        kinjo::detail::read_cpuinfo({reinterpret_cast<const char*>(data), size}, "cpuinfo");
    if (reading.cpus.empty() == reading.obstacle.empty()) std::abort();
    for (const auto& [name, groups] : reading.groups) {
      kinjo::CpuSet seen;
      for (const kinjo::CpuSet& group : groups) {
        if (group.empty() || !(seen & group).empty()) std::abort();
        seen |= group;
      }
      if ((seen & reading.cpus) != seen) std::abort();
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
