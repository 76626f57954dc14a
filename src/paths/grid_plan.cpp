#include "paths/grid_plan.hpp"

#include <algorithm>

#include <kinjo/cache_sizes.hpp>

#include "paths/grid_kernels.hpp"

namespace kinjo::paths::detail {

namespace {

using Side = GridCut::Side;

/// A core's second cache, or its share of the third one.
constexpr std::size_t kNearBytes = 3 << 19;
/// Of the last cache, at most: more is far from some cores.
constexpr std::size_t kFarBytes = 8 << 20;
/// Four lines of a row. Fewer at a time take longer to fetch than a block saves by being near.
constexpr std::size_t kWide = 32;
/// More columns than these bring no more.
constexpr std::size_t kMostColumns = 64;

/// Bytes of a program for each row and step: 4 numbers for each of a third of the rows, and about
/// as many again of sources and mail.
constexpr std::uint64_t kStepBytes = 16;

}  // namespace

std::size_t GridBlocking::far_bytes() const {
  return std::min(kFarBytes, cache_sizes().l3 / threads_);
}

std::size_t GridBlocking::columns(Side side, GridRow rows, std::size_t columns,
                                  std::size_t limbs) const {
  const std::size_t column = rows * limbs * sizeof(Limb);
  std::size_t fit = std::min(kNearBytes / column, kMostColumns);
  // Of small tables all fits: then no machine is read for the size of its last cache.
  if (side == Side::left && fit < whole_vectors(columns)) {
    fit = std::max(fit, std::min(far_bytes() / column, kWide));
  }
  fit = std::max(fit / GridBlock::kColumns * GridBlock::kColumns, GridBlock::kColumns);
  return std::min(fit, whole_vectors(columns));
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
    levels_.push_back({cut.side, rows, cut.outer_words(numbers_, h)});
    plan_bytes_ += kStepBytes * rows * cut.inner;
    const std::uint64_t mail =
        cut.down_rows(numbers_, h) * whole_vectors(cut.outer_words(numbers_, h));
    mail_words_ = std::max(mail_words_, mail + two_above[h % 2]);
    two_above[h % 2] = mail;
  }
}

std::size_t GridShape::block_words(const GridBlocking& blocking, std::size_t limbs) const {
  std::size_t most = 0;
  for (const Level& level : levels_) {
    for (std::size_t l = 1; l <= limbs; ++l) {
      const std::size_t columns = blocking.columns(level.side, level.rows, level.columns, l);
      most = std::max(most, level.rows * l * columns);
    }
  }
  return most;
}

GridPlan::GridPlan(const GridShape& grid)
    : shape(grid),
      left(make_phase(shape.numbers(), left_cut(shape.width()))),
      right(make_phase(shape.numbers(), right_cut(shape.width()))) {}

}  // namespace kinjo::paths::detail
