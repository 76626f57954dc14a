/// Any text as /proc/stat: nothing, or sums that hold together.
#include <cstdlib>
#include <string_view>

#include "fuzz/target.hpp"
#include "measure/load.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const kinjo::CpuSet& cpus : {kinjo::CpuSet{0}, kinjo::CpuSet{0, 1, 12}}) {
    const auto time = kinjo::parse_cpu_time(text, cpus);
    if (!time) continue;
    // A CPU that is there has a line of its own.
    if (text.find("cpu0") == text.npos) std::abort();
    kinjo::LoadLook none{.time = kinjo::CpuTime{}}, all{.time = time};
    if (kinjo::judge_load(none, all, cpus.count(), 100, "then").size() > 2) std::abort();
  }
  return 0;
}
