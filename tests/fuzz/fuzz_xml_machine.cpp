/// Any bytes as an hwloc XML file: an `Error` that names a fault, or a machine that keeps its
/// promises under every policy.
#include "fuzz/target.hpp"
#include "support/machine_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const kinjo::test::MemoryFile file({reinterpret_cast<const char*>(data), size});
  kinjo::test::try_machine(file.path());
  return 0;
}
