/// Any text as a count: nothing, or a number that is read again from what is written of it.
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto count = kinjo::detail::parse_count(text);
  if (!count) return 0;
  if (*count == 0 || kinjo::detail::parse_count(kinjo::detail::format_count(*count)) != count) {
    std::abort();
  }
  return 0;
}
