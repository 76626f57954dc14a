/// Any text as the journal of a product: an `Error` that names the line, or whole lines.
#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "gemm/files/output_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto journal = kinjo::gemm::parse_product_journal(text, "input");
    if (journal.good_bytes > size || text[journal.good_bytes - 1] != '\n') std::abort();
  } catch (const kinjo::Error& error) {
    if (!std::string_view(error.what()).starts_with("line ")) std::abort();
  }
  return 0;
}
