/// Any bytes as what the kernel writes about a thread: an `Error`, or values that keep their
/// bounds.
#include <cstdlib>

#include "fuzz/target.hpp"
#include "observe/proc_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::detail;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const StatText stat = parse_stat(text);
    if (stat.id < 1 || stat.cpu < 0 || stat.cpu > kMaxIndex) std::abort();
  });
  attempt([&] {
    const StatusText status = parse_status(text);
    if (status.process < 1 || status.allowed_cpus.empty()) std::abort();
  });
  attempt([&] { parse_sched(text); });
  attempt([&] { parse_schedstat_ns(text); });
  return 0;
}
