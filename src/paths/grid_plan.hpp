/// How large the tables of a grid's sweep are, and its program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "paths/grid_phase.hpp"

namespace kinjo::paths::detail {

/// Sizes, known without making the program.
class GridShape {
 public:
  /// A grid of so many vertices each way.
  GridShape(unsigned width, unsigned rows);

  unsigned width() const { return width_; }
  unsigned rows() const { return rows_; }
  const BracketNumbers& numbers() const { return numbers_; }

  /// Numbers of the two tables.
  std::uint64_t main_words() const { return numbers_.count(width_, 1, 0); }
  std::uint64_t blocked_words() const { return numbers_.count(width_ - 1, 1, 0); }
  /// Numbers on their way between levels, at most; never 0.
  std::uint64_t mail_words() const { return mail_words_; }
  /// Words of 64 bits of a thread's block if numbers have so many limbs.
  std::size_t block_words(unsigned limbs) const;
  /// About the bytes of a `GridPlan`.
  std::uint64_t plan_bytes() const { return plan_bytes_; }

 private:
  void add_phase(const GridCut& cut);

  unsigned width_, rows_;
  BracketNumbers numbers_;
  std::uint64_t mail_words_ = 1, plan_bytes_ = 0;
  GridRow most_rows_ = 0;
};

struct GridPlan {
  explicit GridPlan(const GridShape& grid);

  const GridShape shape;
  const GridPhase left, right;
};

/// Columns of a block of rows with so many limbs: what fits the caches of a core.
std::size_t block_columns(GridRow rows, std::size_t limbs);

}  // namespace kinjo::paths::detail
