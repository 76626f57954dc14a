#include "workload/fft_size.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "fft/plan_bytes.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

double FftSize::points() const {
  return std::accumulate(shape.begin(), shape.end(), 1.0, [](double product, std::size_t n) {
    return product * static_cast<double>(n);
  });
}

double FftSize::flops(bool real) const {
  const double n = points();
  return (real ? 2.5 : 5) * n * std::log2(std::max(n, 2.0));
}

std::string to_string(const FftSize& size) { return fmt::format("{}", fmt::join(size.shape, "x")); }

FftSize parse_fft_size(const std::string& text) {
  FftSize size;
  for (const std::string_view part : detail::split(text, 'x')) {
    size.shape.push_back(detail::parse_count(part).value_or(0));
  }
  if (std::ranges::find(size.shape, std::size_t{0}) == size.shape.end()) return size;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' as the size of a transform: expected N, AxB or AxBxC, each from 1 "
                          "to 2^62, such as 2^24, "
                          "1000003 or 512x512",
                          detail::printable(text)));
}

namespace {

/// As large as the array if that exceeds the address space: it is refused anyway.
double plan_bytes(const FftSize& size, const FftMemory& memory) {
  constexpr double kMost = 1e18;
  const double array = size.points() * static_cast<double>(memory.number_bytes);
  if (array > kMost) return array;
  const fft::Input input = memory.real ? fft::Input::real : fft::Input::complex;
  return fft::detail::plan_bytes(size.shape, {}, {memory.number_bytes, memory.threads, input});
}

}  // namespace

double fft_bytes(const FftSize& size, const FftMemory& memory) {
  const double complex = size.points() * static_cast<double>(memory.number_bytes);
  const double others = memory.in_place ? complex / 2 : memory.real ? 0 : complex;
  return complex + others + (memory.copy ? complex : 0) + plan_bytes(size, memory);
}

void check_fft_size(const FftSize& size, const FftMemory& memory) {
  const auto [most, available] = room_for(1);
  const double bytes = fft_bytes(size, memory);
  if (bytes <= static_cast<double>(most)) return;
  constexpr double kMost = 9e18;
  throw Error(
      Errc::out_of_memory,
      fmt::format(
          "a transform of {} takes {}: expected at most {}, 60 % of the {} that are available",
          to_string(size),
          bytes < kMost ? detail::format_bytes(static_cast<std::uint64_t>(bytes))
                        : fmt::format("{:.2g} bytes", bytes),
          detail::format_bytes(most), detail::format_bytes(available)));
}

}  // namespace kinjo
