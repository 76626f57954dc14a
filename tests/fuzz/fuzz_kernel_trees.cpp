/// Any text in the small files of /proc and /sys: an `Error`, or values that can be.
///
/// The input is a sequence of pieces that a zero byte ends; each is one file's content, whose name
/// the piece's first byte chooses: `a` the first of the names below, and so on.
#include <filesystem>
#include <string>
#include <string_view>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "measure/firmware.hpp"
#include "measure/load.hpp"
#include "measure/trust.hpp"
#include "memory/available.hpp"
#include "support/scratch.hpp"
#include "topology/builder.hpp"
#include "topology/sysfs_reader.hpp"

namespace {

constexpr std::string_view kNode = "sys/devices/system/node/node0/";
const std::string kNames[] = {
    "proc/self/mounts",
    "proc/self/cgroup",
    "proc/meminfo",
    "proc/stat",
    "proc/cpuinfo",
    "proc/loadavg",
    "cg/cpu.max",
    "cg/memory.max",
    "cg/memory.current",
    "cg/memory.stat",
    "cg/cpu.cfs_quota_us",
    "cg/cpu.cfs_period_us",
    "sys/devices/system/cpu/online",
    "sys/devices/system/cpu/cpu0/topology/core_cpus_list",
    "sys/devices/system/cpu/cpu0/topology/package_cpus",
    "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_map",
    std::string(kNode) + "cpumap",
    std::string(kNode) + "cpulist",
    std::string(kNode) + "distance",
    std::string(kNode) + "access0/initiators/read_latency",
    std::string(kNode) + "access0/initiators/node0/x",
};

void read_all(const std::string& root) {
  using namespace kinjo;
  const auto quota = detail::read_cpu_quota(root);
  if (quota && !(*quota > 0)) std::abort();
  detail::read_available_memory(root);
  read_system_facts(root, {0, 1});
  read_load(root, {0, 1});
  for (const FirmwareMemory& memory : read_firmware_memory(root)) {
    if (memory.read_latency_ns && !(*memory.read_latency_ns > 0)) std::abort();
  }
  detail::read_sysfs(root);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kinjo::test::Scratch tree;
  const std::string root = std::filesystem::path(tree.path()).parent_path().string();
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    std::filesystem::remove_all(entry.path());
  }
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (int pieces = 0; pieces < 8 && !rest.empty(); ++pieces) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const auto name = static_cast<std::size_t>(static_cast<unsigned char>(rest[0]) - 'a');
    if (end > 0 && name < std::size(kNames)) tree.write(kNames[name], rest.substr(1, end - 1));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  try {
    read_all(root);
  } catch (const kinjo::Error&) {
  }
  return 0;
}
