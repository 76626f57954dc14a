/// Plans of transforms in columns.
///
/// *Order.* The passes combine transforms of 1, r₁, r₁·r₂ … elements, where the buffer's rows hold
/// the elements in digit-reversed order at first: the element whose digits are, lowest first,
/// d_m … d₁ (d_p below radix r_p) lies in row d₁ + r₁·(d₂ + r₂·(…)). All passes of a group stay
/// within blocks of as many rows as their radices' product, so they are done for one block after
/// another, which then stays in L1, while the buffer passes through L1 once for each group.
///
/// *Padding.* The rows of a block of any group but the first are `below` rows apart. If that were
/// an even number of rows, a power of two above all, they would share few sets of the cache; an
/// empty row behind every so many makes it odd.
#include "fft/column_plan.hpp"

#include <algorithm>

#include "fft/column_kernels.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

/// L1's size on most CPUs. The rows of a block may fill it: that twiddles then come from L2 costs
/// less than to go through the buffer once more.
constexpr std::size_t kL1Bytes = std::size_t{32} << 10;
/// Rows of a block are at least so many, however wide: two passes.
constexpr std::size_t kLeastRows = 16;

/// For each row, which element is there at first.
template <class T>
std::vector<std::uint32_t> digit_reversal(const ColumnPlan<T>& plan) {
  std::vector<std::uint32_t> element(plan.size);
  for (std::size_t row = 0; row < plan.size; ++row) {
    std::size_t rest = row, place = plan.size, sum = 0;
    for (const auto& pass : plan.passes) {
      place /= pass.radix;
      sum += rest % pass.radix * place;
      rest /= pass.radix;
    }
    element[row] = static_cast<std::uint32_t>(sum);
  }
  return element;
}

/// The twiddles of a pass behind `before` others of its group: for each j < below and t < length /
/// below those of the butterflies at j + t·below.
template <class T>
std::vector<T> twiddles(std::size_t radix, std::size_t length, std::size_t below) {
  std::vector<T> table;
  if (length == 1) return table;
  const Roots roots(radix * length);
  table.reserve(2 * (radix - 1) * length);
  for (std::size_t j = 0; j < below; ++j) {
    for (std::size_t t = j; t < length; t += below) {
      for (std::size_t q = 1; q < radix; ++q) {
        const std::complex<T> twiddle = roots.rounded<T>(q * t);
        table.push_back(twiddle.real());
        table.push_back(twiddle.imag());
      }
    }
  }
  return table;
}

template <class T>
std::vector<T> odd_roots(std::size_t radix) {
  std::vector<T> table;
  for (std::size_t k = 0; k < radix && radix % 2 == 1; ++k) {
    const std::complex<T> value = root<T>(radix, k);
    table.push_back(value.real());
    table.push_back(value.imag());
  }
  return table;
}

std::vector<std::uint32_t> multiples(std::size_t count, std::size_t step) {
  std::vector<std::uint32_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::uint32_t>(i * step);
  return all;
}

}  // namespace

template <class T>
ColumnPlan<T>::ColumnPlan(std::size_t n, std::size_t width, InCache method) : size(n) {
  const std::size_t bytes = 2 * width * sizeof(T);
  const bool one_block = method == InCache::stockham || n * bytes <= kL1Bytes;
  add_groups(width, radix_groups(n, one_block ? n : std::max(kLeastRows, kL1Bytes / bytes),
                                 column_kernels<T>().usual_radix));
  place_rows();
  place_elements(method == InCache::in_place ? digit_reversal(*this) : multiples(n, 1));
}

template <class T>
ColumnPlan<T>::ColumnPlan(std::size_t n, std::size_t width, const std::vector<Radices>& radices)
    : size(n) {
  add_groups(width, radices);
  place_rows();
  place_elements(digit_reversal(*this));
}

template <class T>
void ColumnPlan<T>::add_groups(std::size_t width, const std::vector<Radices>& all) {
  const std::size_t row = 2 * width;
  std::size_t step = row;
  std::size_t below = 1;
  for (const Radices& radices : all) {
    const std::size_t rows = product(radices);
    groups.push_back({passes.size(),
                      radices.size(),
                      rows,
                      below,
                      step,
                      multiples(rows, below),
                      multiples(rows, step),
                      {}});
    std::size_t length = below;
    for (const std::size_t radix : radices) {
      const std::size_t inner = length / below;
      passes.push_back({radix, length, inner, rows / (inner * radix),
                        twiddles<T>(radix, length, below), odd_roots<T>(radix)});
      length *= radix;
    }
    below = length;
    step *= rows;
    if (below < size && step / row % 2 == 0) step += row;
  }
  buffer_size = step;
}

template <class T>
void ColumnPlan<T>::place_rows() {
  offset_of_row.reserve(size);
  for (std::size_t r = 0; r < size; ++r) {
    std::size_t at = 0;
    for (const RowGroup& group : groups) at += r / group.below % group.rows * group.step;
    offset_of_row.push_back(static_cast<std::uint32_t>(at));
  }
  for (RowGroup& group : groups) {
    for (std::size_t b = 0; b < size / group.rows; ++b) {
      const std::size_t first = b / group.below * group.rows * group.below + b % group.below;
      group.blocks.push_back(offset_of_row[first]);
    }
  }
}

template <class T>
void ColumnPlan<T>::place_elements(std::vector<std::uint32_t> elements) {
  element_of_row = std::move(elements);
  offset_of_element.resize(size);
  row_of_element.resize(size);
  for (std::size_t r = 0; r < size; ++r) {
    offset_of_element[element_of_row[r]] = offset_of_row[r];
    row_of_element[element_of_row[r]] = static_cast<std::uint32_t>(r);
  }
}

template struct ColumnPlan<float>;
template struct ColumnPlan<double>;

}  // namespace kinjo::fft::detail
