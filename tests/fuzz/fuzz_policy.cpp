/// Any text as a policy: an `Error`, or a policy whose name reads back as the same policy.
#include <cstdlib>

#include <kinjo/error.hpp>
#include <kinjo/policy.hpp>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto policy = kinjo::Policy::parse({reinterpret_cast<const char*>(data), size});
    const auto again = kinjo::Policy::parse(policy.name());
    if (again.kind() != policy.kind() || again.levels() != policy.levels() ||
        again.cpu_list() != policy.cpu_list()) {
      std::abort();
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
