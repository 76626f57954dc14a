/// Any text as a recording of CPUID: an `Error`, or a place that is decoded in the end.
#include <cstdlib>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "topology/cpuid.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const kinjo::detail::CpuidRecording recording({reinterpret_cast<const char*>(data), size},
                                                  "pu0");
    const auto facts = kinjo::detail::decode_cpuid(recording);
    if (facts.package < 0 || facts.core < 0) std::abort();
    for (const auto& cache : facts.caches) {
      if (cache.number < 0 || cache.name.empty()) std::abort();
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
