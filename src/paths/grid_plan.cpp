#include "paths/grid_plan.hpp"

#include <algorithm>

#include "paths/grid_kernels.hpp"

namespace kinjo::paths::detail {

namespace {

/// A core's second cache, or its share of the third one.
constexpr std::size_t kBlockBytes = 3 << 19;
/// More columns than these bring no more.
constexpr std::size_t kMostColumns = 64;

/// Bytes of a program for each row and step: 4 numbers for each of a third of the rows, and about
/// as many again of sources and mail.
constexpr std::uint64_t kStepBytes = 16;

}  // namespace

std::size_t block_columns(GridRow rows, std::size_t limbs) {
  const std::size_t columns = kBlockBytes / (rows * limbs * sizeof(Limb));
  return std::clamp(columns / GridBlock::kColumns * GridBlock::kColumns, GridBlock::kColumns,
                    kMostColumns);
}

GridShape::GridShape(unsigned width, unsigned rows)
    : width_(width), rows_(rows), numbers_(width + 1) {
  add_phase(left_cut(width));
  add_phase(right_cut(width));
}

void GridShape::add_phase(const GridCut& cut) {
  std::uint64_t two_above[2] = {};  // mail of the last two levels of the same parity
  for (int h = cut.top(numbers_); h >= 0; --h) {
    const auto rows = static_cast<GridRow>(cut.inner_words(numbers_, cut.inner, h) +
                                           cut.inner_words(numbers_, cut.inner - 1, h));
    most_rows_ = std::max(most_rows_, rows);
    plan_bytes_ += kStepBytes * rows * cut.inner;
    const std::uint64_t mail =
        cut.down_rows(numbers_, h) * whole_vectors(cut.outer_words(numbers_, h));
    mail_words_ = std::max(mail_words_, mail + two_above[h % 2]);
    two_above[h % 2] = mail;
  }
}

std::size_t GridShape::block_words(unsigned limbs) const {
  const std::size_t least = std::size_t{most_rows_} * limbs * GridBlock::kColumns;
  return std::max(least, kBlockBytes / sizeof(Limb));
}

GridPlan::GridPlan(const GridShape& grid)
    : shape(grid),
      left(make_phase(shape.numbers(), left_cut(shape.width()))),
      right(make_phase(shape.numbers(), right_cut(shape.width()))) {}

}  // namespace kinjo::paths::detail
