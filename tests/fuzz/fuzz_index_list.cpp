/// Any text as a list of numbers: an `Error`, or a set that its own text reads back.
#include <cstdlib>

#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto set = kinjo::CpuSet::parse({reinterpret_cast<const char*>(data), size});
    if (kinjo::CpuSet::parse(set.to_string()) != set) std::abort();
    if (set.last() > kinjo::detail::kMaxIndex) std::abort();
    std::size_t members = 0;
    for (int member : set) members += set.contains(member);
    if (members != set.count()) std::abort();
  } catch (const kinjo::Error&) {
  }
  return 0;
}
