/// Any text as wisdom and as a cut: an `Error`, or what reads back as the same; a plan takes a cut
/// of a short line, or refuses it.
#include <cstdlib>
#include <vector>

#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>

#include "fuzz/target.hpp"

namespace {

/// A round trip in place: what is not there may neither be read nor written.
void transform(const kinjo::fft::Cut& cut) {
  constexpr std::size_t kMost = 1 << 12;
  std::size_t n = 1;
  for (const std::size_t factor : cut.factors) n *= factor;
  if (cut.factors.empty() || n > kMost) return;
  const kinjo::Fft<float> plan(n, {.cuts = {cut}});
  std::vector<std::complex<float>> x(n, {1, -1});
  plan.forward(x.data(), x.data());
  plan.backward(x.data(), x.data());
  for (const std::complex<float>& v : x) {
    if (std::abs(v - std::complex<float>{1, -1}) > 1e-4) std::abort();
  }
}

}  // namespace

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
    transform(cut);
  } catch (const kinjo::Error&) {
  }
  return 0;
}
