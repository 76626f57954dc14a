/// How large the tables of a grid's sweep are, and its program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paths/grid_phase.hpp"

namespace kinjo::paths::detail {

/// What a thread of so many takes through its caches at a time.
class GridBlocking {
 public:
  explicit GridBlocking(std::size_t threads) : threads_(threads) {}

  /// Columns of a block of a level's rows with so many limbs. On the left rows lie apart in memory,
  /// so blocks are wide enough for whole runs of lines as long as they fit a share of the last
  /// cache; on the right a column's rows lie side by side.
  std::size_t columns(GridCut::Side side, GridRow rows, std::size_t columns,
                      std::size_t limbs) const;

 private:
  std::size_t far_bytes() const;  ///< a thread's of the last cache

  std::size_t threads_;
};

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
  /// Words of 64 bits of a thread's block if numbers have up to so many limbs.
  std::size_t block_words(const GridBlocking& blocking, std::size_t limbs) const;
  /// About the bytes of a `GridPlan`.
  std::uint64_t plan_bytes() const { return plan_bytes_; }

 private:
  struct Level {
    GridCut::Side side;
    GridRow rows;
    std::size_t columns;
  };
  void add_phase(const GridCut& cut);

  unsigned width_, rows_;
  BracketNumbers numbers_;
  std::uint64_t mail_words_ = 1, plan_bytes_ = 0;
  std::vector<Level> levels_;
};

struct GridPlan {
  explicit GridPlan(const GridShape& grid);

  const GridShape shape;
  const GridPhase left, right;
};

}  // namespace kinjo::paths::detail
