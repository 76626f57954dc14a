/// Any bytes as a `.npy` file: an `Error` that names it, or a header that its own text gives again.
#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>

#include "base/npy.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::detail;
  try {
    NpyHeader header =
        parse_npy_header({reinterpret_cast<const char*>(data), size}, "input", NpyElements::any);
    if (header.data_offset > size) std::abort();
    const std::string text = npy_header_text(header);
    header.data_offset = text.size();
    if (text.size() <= size && parse_npy_header(text, "again", NpyElements::any) != header)
      std::abort();
  } catch (const kinjo::Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot read 'input': ")) std::abort();
  }
  return 0;
}
