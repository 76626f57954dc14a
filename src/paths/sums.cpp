#include "paths/sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace kinjo::paths::detail {

namespace {

/// to += row, numbers of so many limbs; nothing is carried out of the last one. In pairs, for which
/// compilers know how to carry.
template <std::size_t kLimbs>
void add_limbs(std::uint64_t* to, const std::uint64_t* row) {
  using Pair = unsigned __int128;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i + 1 < kLimbs; i += 2) {
    const Pair a = Pair{to[i + 1]} << 64 | to[i], b = Pair{row[i + 1]} << 64 | row[i];
    const Pair sum = a + b + carry;
    carry = sum < a || (carry != 0 && sum == a) ? 1 : 0;
    to[i] = static_cast<std::uint64_t>(sum);
    to[i + 1] = static_cast<std::uint64_t>(sum >> 64);
  }
  if constexpr (kLimbs % 2 == 1) to[kLimbs - 1] += row[kLimbs - 1] + carry;
}

/// to += row, which may have fewer limbs.
void add_number(std::uint64_t* to, std::size_t to_limbs, const std::uint64_t* row,
                std::size_t limbs) {
  unsigned __int128 sum = 0;
  for (std::size_t i = 0; i < to_limbs; ++i) {
    sum += static_cast<unsigned __int128>(to[i]) + (i < limbs ? row[i] : 0);
    to[i] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
}

template <std::size_t kLimbs, class Index>
void add_rows(std::uint64_t* to, std::span<const std::uint32_t> numbers, const std::uint64_t* rows,
              const Index* from) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    add_limbs<kLimbs>(to + std::size_t{numbers[i]} * kLimbs, rows + std::size_t{from[i]} * kLimbs);
  }
}

template <std::size_t kWords>
void copy_rows(std::uint64_t* to, const std::uint64_t* rows, std::span<const std::uint16_t> from) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::memcpy(to + i * kWords, rows + std::size_t{from[i]} * kWords, kWords * sizeof(*to));
  }
}

}  // namespace

void add_row(std::uint64_t* to, const RowShape& to_shape, const std::uint64_t* row,
             const RowShape& row_shape, const Effect& effect) {
  const bool taken = effect.decision == Decision::take;
  switch (to_shape.measure) {
    case Measure::states:
      return;
    case Measure::weight: {
      const double addend = std::bit_cast<double>(*row) * (taken ? effect.weight : 1);
      *to = std::bit_cast<std::uint64_t>(std::bit_cast<double>(*to) + addend);
      return;
    }
    case Measure::sets:
      return add_number(to, to_shape.limbs, row, row_shape.limbs);
    case Measure::by_size:
      break;
  }
  // Where both rows have as many coefficients, as in place, the last one of what is taken is zero.
  const std::size_t shift = taken ? 1 : 0;
  const std::size_t end = std::min(row_shape.coefficients, to_shape.coefficients - shift);
  for (std::size_t c = 0; c < end; ++c) {
    add_number(to + (c + shift) * to_shape.limbs, to_shape.limbs, row + c * row_shape.limbs,
               row_shape.limbs);
  }
}

void Sums::resize(std::size_t rows) {
  resize_words(rows);
  if (rows > rows_) std::fill_n(row_data(rows_), (rows - rows_) * shape_.words(), 0);
  rows_ = rows;
}

void Sums::copy(const Sums& other, std::size_t first, std::size_t rows) {
  begin(other.shape_);
  words_.resize(rows * shape_.words());
  std::copy_n(other.row(first), words_.size(), words_.data());
  rows_ = rows;
}

void Sums::leave_room(std::size_t rows) {
  if (rows == room_) return;
  const std::size_t words = shape_.words();
  if (rows > room_) words_.resize((rows + rows_) * words);
  std::memmove(words_.data() + rows * words, row(0), rows_ * words * sizeof(std::uint64_t));
  room_ = rows;
  resize_words(rows_);
}

void Sums::widen(const RowShape& shape) {
  const RowShape old = shape_;
  const std::size_t words = shape.words(), old_words = old.words();
  if (words == old_words) return;
  words_.resize((room_ + rows_) * std::max(words, old_words));
  shape_ = shape;
  std::vector<std::uint64_t> row(words);
  for (std::size_t i = 0; i < rows_; ++i) {
    // Where rows become shorter their places are behind those of the rows that are left to read.
    const std::size_t r = room_ + (words > old_words ? rows_ - 1 - i : i);
    std::ranges::fill(row, 0);
    add_row(row.data(), shape, words_.data() + r * old_words, old, {});
    std::ranges::copy(row, words_.data() + r * words);
  }
  resize_words(rows_);
}

template <class Index>
void Sums::add(std::size_t least, std::span<const std::uint32_t> numbers, const std::uint64_t* rows,
               const RowShape& rows_shape, const Index* from, const Effect& effect) {
  const std::size_t words = shape_.words(), from_words = rows_shape.words();
  std::uint64_t* const to = row_data(least);
  if (shape_.measure == Measure::sets && shape_.limbs == rows_shape.limbs) {
    switch (shape_.limbs) {
      case 1:
        return add_rows<1>(to, numbers, rows, from);
      case 2:
        return add_rows<2>(to, numbers, rows, from);
      case 3:
        return add_rows<3>(to, numbers, rows, from);
      case 4:
        return add_rows<4>(to, numbers, rows, from);
      default:
        break;
    }
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    add_row(to + numbers[i] * words, shape_, rows + std::size_t{from[i]} * from_words, rows_shape,
            effect);
  }
}

template void Sums::add(std::size_t, std::span<const std::uint32_t>, const std::uint64_t*,
                        const RowShape&, const std::uint32_t*, const Effect&);
template void Sums::add(std::size_t, std::span<const std::uint32_t>, const std::uint64_t*,
                        const RowShape&, const std::uint16_t*, const Effect&);

void Sums::append(const std::uint64_t* rows, std::span<const std::uint16_t> from) {
  const std::size_t words = shape_.words();
  resize_words(rows_ + from.size());
  std::uint64_t* const to = row_data(rows_);
  rows_ += from.size();
  if (words == 1) return copy_rows<1>(to, rows, from);
  if (words == 2) return copy_rows<2>(to, rows, from);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::copy_n(rows + from[i] * words, words, to + i * words);
  }
}

Count Sums::total() const {
  const bool is_number = shape_.measure == Measure::sets || shape_.measure == Measure::by_size;
  const std::size_t numbers = is_number ? rows_ * shape_.coefficients : 0;
  if (shape_.limbs == 1) {
    unsigned __int128 sum = 0;
    for (std::size_t n = 0; n < numbers; ++n) sum += row(0)[n];
    return Count(
        std::array{static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64)});
  }
  std::vector<std::uint64_t> sum(shape_.limbs + 1);
  for (std::size_t n = 0; n < numbers; ++n) {
    add_number(sum.data(), sum.size(), row(0) + n * shape_.limbs, shape_.limbs);
  }
  return Count(sum);
}

void Total::widen(const RowShape& shape) {
  // A limb more than rows have: rows of all levels are added up here.
  RowShape wide{shape.measure, std::max(shape.limbs + 1, shape_.limbs),
                std::max(shape.coefficients + 1, shape_.coefficients)};
  if (wide.limbs == shape_.limbs && wide.coefficients == shape_.coefficients) return;
  std::vector<std::uint64_t> words(wide.words());
  if (!words_.empty()) add_row(words.data(), wide, words_.data(), shape_, {});
  words_ = std::move(words);
  shape_ = wide;
}

void Total::add(const std::uint64_t* row, const RowShape& shape, const Effect& effect) {
  if (shape.measure == Measure::states) return;
  widen(shape);
  add_row(words_.data(), shape_, row, shape, effect);
}

void Total::add(const Total& other) {
  if (!other.words_.empty()) add(other.words_.data(), other.shape_, {});
}

std::vector<Count> Total::counts() const {
  std::vector<Count> counts;
  for (std::size_t c = 0; c * shape_.limbs < words_.size(); ++c) {
    counts.emplace_back(std::span(words_).subspan(c * shape_.limbs, shape_.limbs));
  }
  while (counts.size() > 1 && counts.back() == Count()) counts.pop_back();
  if (counts.empty()) counts.emplace_back();
  if (shape_.measure == Measure::sets) counts.resize(1);
  return counts;
}

double Total::weight() const { return words_.empty() ? 0 : std::bit_cast<double>(words_.front()); }

}  // namespace kinjo::paths::detail
