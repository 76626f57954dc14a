/// Any text as an expectation: an `Error`, or one that its own words read back.
#include <cstdlib>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "observe/expectation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto read = kinjo::parse_expectation({reinterpret_cast<const char*>(data), size});
    const auto again = kinjo::parse_expectation(read.to_string());
    if (again.nodes != read.nodes || again.subject != read.subject ||
        again.comparison != read.comparison || again.percent != read.percent) {
      std::abort();
    }
  } catch (const kinjo::Error& error) {
    if (error.code() != kinjo::Errc::invalid_argument) std::abort();
  }
  return 0;
}
