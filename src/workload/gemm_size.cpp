#include "workload/gemm_size.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/gemm.hpp>

#include "base/text.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

double matrix_bytes(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  const auto line = static_cast<double>(gemm::placed_line(columns, element_bytes));
  return static_cast<double>(rows) * line * static_cast<double>(element_bytes);
}

/// As `detail::format_bytes`, also of more than an address space has.
std::string bytes_text(double bytes) {
  constexpr double kMost = 9e18;
  return bytes < kMost ? detail::format_bytes(static_cast<std::uint64_t>(bytes))
                       : fmt::format("{:.2g} bytes", bytes);
}

}  // namespace

std::string to_string(const GemmShape& shape) {
  return shape.is_square() ? std::to_string(shape.m)
                           : fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

GemmShape parse_gemm_shape(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (const std::string_view part : detail::split(text, 'x')) {
    sizes.push_back(detail::parse_count(part).value_or(0));
  }
  const bool known = std::ranges::find(sizes, std::size_t{0}) == sizes.end();
  if (known && sizes.size() == 1) return {sizes[0], sizes[0], sizes[0]};
  if (known && sizes.size() == 3) return {sizes[0], sizes[1], sizes[2]};
  throw Error(Errc::invalid_argument, fmt::format("'{}' as the size of a product: expected N or "
                                                  "MxNxK, each from 1 to 2^62, such as 2048, 2K or "
                                                  "100000x64x64",
                                                  detail::printable(text)));
}

double gemm_bytes(const GemmShape& shape, std::size_t element_bytes) {
  return matrix_bytes(shape.m, shape.k, element_bytes) +
         matrix_bytes(shape.k, shape.n, element_bytes) +
         matrix_bytes(shape.m, shape.n, element_bytes);
}

void check_gemm_shape(const GemmShape& shape, std::size_t element_bytes) {
  const auto [most, available] = room_for(1);
  const double bytes = gemm_bytes(shape, element_bytes);
  if (bytes <= static_cast<double>(most)) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("the matrices of {} {}s take {}: expected at most {}, 60 % of the {} that "
                  "are available; kinjo gemm multiplies larger ones in files",
                  to_string(shape), element_bytes == sizeof(double) ? "double" : "float",
                  bytes_text(bytes), detail::format_bytes(most), detail::format_bytes(available)));
}

}  // namespace kinjo
