/// Any text as a journal of `kinjo tune`: an `Error`, or runs that read back as they were written.
#include <cstdlib>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "tune/journal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto content = kinjo::parse_journal(text, "input");
    if (content.good_bytes > size) std::abort();
    std::string again = "{\"schema\":\"kinjo-tune-journal/1\"}\n";
    for (const auto& done : content.runs) again += kinjo::journal_line(done);
    const auto copy = kinjo::parse_journal(again, "copy");
    if (copy.runs.size() != content.runs.size()) std::abort();
    for (std::size_t r = 0; r < copy.runs.size(); ++r) {
      if (copy.runs[r].run != content.runs[r].run ||
          copy.runs[r].sample.values != content.runs[r].sample.values) {
        std::abort();
      }
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
