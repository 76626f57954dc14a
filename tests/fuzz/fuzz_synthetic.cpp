/// Any text as a `synthetic:` description.
#include <string>

#include "fuzz/target.hpp"
#include "support/machine_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kinjo::test::try_machine("synthetic:" + std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
