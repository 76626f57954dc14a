#include "gemm/blocking.hpp"

#include <algorithm>

#include "gemm/kernels.hpp"

namespace kinjo::gemm {

using detail::Strips;

namespace {

template <class T>
Strips strips_for(const Problem& problem, Dimension dimension) {
  const auto& kernels = detail::gemm_kernels<T>();
  if (dimension == Dimension::k) return {1, 1};
  return dimension == problem.contiguous() ? kernels.rows : kernels.columns;
}

std::size_t block_within(std::size_t bytes, const Problem& problem, Dimension dimension,
                         std::size_t inner) {
  const std::size_t strip = strips_of(problem, dimension).whole;
  // Divided twice: a strip's bytes may be more than fit a number.
  const std::size_t elements = bytes / problem.element_bytes / std::max<std::size_t>(inner, 1);
  return std::max(strip, elements / strip * strip);
}

}  // namespace

Strips strips_of(const Problem& problem, Dimension dimension) {
  return problem.element_bytes == sizeof(float) ? strips_for<float>(problem, dimension)
                                                : strips_for<double>(problem, dimension);
}

std::size_t cache_block(const Problem& problem, Dimension resident) {
  const std::size_t strip_bytes = strips_of(problem, resident).whole * problem.element_bytes;
  const std::size_t most = problem.caches.l1 / 16 / problem.element_bytes;
  return std::max<std::size_t>(std::min(problem.caches.l1 / 2 / strip_bytes / 4 * 4, most), 4);
}

std::size_t section_block(const Problem& problem, Dimension dimension, std::size_t inner) {
  constexpr std::size_t kEnough = std::size_t{1} << 20;
  const std::size_t l2 = problem.caches.l2;
  const std::size_t bytes = l2 < kSmallL2 ? l2 / 2 : std::min(l2 / 4 * 3, kEnough);
  return block_within(bytes, problem, dimension, inner);
}

std::size_t panel_block(const Problem& problem, Dimension dimension, std::size_t inner) {
  const std::size_t strip = strips_of(problem, dimension).whole;
  // A little more than 4096: what is just above a power of two is one panel as well.
  constexpr std::size_t kEnough = 4352;
  return std::min(block_within(problem.caches.l3 / 2, problem, dimension, inner),
                  std::max<std::size_t>(kEnough / strip, 1) * strip);
}

Range even_share(Range range, std::size_t unit, std::size_t count, std::size_t index) {
  const std::size_t units = detail::ceil_div(range.size(), unit);
  const auto begin = [&](std::size_t i) {
    const std::size_t whole = units / count, more = units % count;
    return std::min(range.begin + (i * whole + std::min(i, more)) * unit, range.end);
  };
  return {begin(index), begin(index + 1)};
}

std::size_t even_parts(std::size_t size, std::size_t block, std::size_t strip) {
  return detail::ceil_div(size, std::max(block / strip, std::size_t{1}) * strip);
}

Range even_part(Range range, std::size_t block, std::size_t strip, std::size_t index) {
  return even_share(range, strip, even_parts(range.size(), block, strip), index);
}

bool usable_in_place(const Problem& problem, Operand operand) {
  if (problem.c == Order::row_major) return operand == Operand::a || problem.b == Order::row_major;
  return operand == Operand::b || problem.a == Order::column_major;
}

}  // namespace kinjo::gemm
