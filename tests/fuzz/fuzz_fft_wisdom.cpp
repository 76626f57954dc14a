/// Any text as wisdom and as a cut: an `Error`, or what reads back as the same.
#include <cstdlib>

#include <kinjo/error.hpp>
#include <kinjo/fft_plan.hpp>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto wisdom = kinjo::fft::Wisdom::parse(text);
    const auto again = kinjo::fft::Wisdom::parse(wisdom.to_string());
    if (again.to_string() != wisdom.to_string() || again.size() != wisdom.size()) std::abort();
  } catch (const kinjo::Error&) {
  }
  try {
    const auto cut = kinjo::fft::Cut::parse(text);
    if (kinjo::fft::Cut::parse(cut.to_string()) != cut) std::abort();
  } catch (const kinjo::Error&) {
  }
  return 0;
}
