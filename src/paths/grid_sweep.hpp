/// A sweep over the rows of a grid, by all threads of a team.
///
/// A row is two phases (grid_phase.hpp), left and right, or right and left if it goes backward. A
/// phase treats its heights one after another, those of one parity and then the others, since mail
/// goes between heights that are two apart. Of a height the threads take columns, in blocks that
/// stay in the caches from the first step of the phase to the last: so the tables are read and
/// written twice in a row, however long it is.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <kinjo/partitioned_array.hpp>
#include <kinjo/team.hpp>

#include "paths/grid_kernels.hpp"
#include "paths/grid_plan.hpp"

namespace kinjo::paths::detail {

/// A table of numbers that get longer: an array for each limb, made when it is needed.
class GridTable {
 public:
  explicit GridTable(std::uint64_t words) : words_(words) {}

  void grow(Team& team, std::size_t limbs);
  std::size_t limbs() const { return arrays_.size(); }
  std::uint64_t words() const { return words_; }
  std::uint64_t bytes() const { return words_ * arrays_.size() * sizeof(Limb); }
  Planes planes();

 private:
  std::uint64_t words_;
  std::vector<PartitionedArray<Limb>> arrays_;
};

/// What sweeps that do not run at the same time can share.
struct GridWorkspace {
  GridWorkspace(Team& team, const GridShape& shape);

  void grow(Team& team, const GridShape& shape, std::size_t limbs);
  std::uint64_t bytes() const;

  const GridBlocking blocking;
  GridTable blocked, mail;
  std::vector<Buffer> blocks;  ///< of the threads
  std::vector<GridSize> sizes;
};

class GridSweep {
 public:
  /// `forward`: numbers are of ways to a word from the first corner; `backward`: of ways from a
  /// word to the last corner.
  enum class Direction { forward, backward };

  /// With a modulus (a number less than 2⁶³), numbers are residues. Keeps references to all.
  GridSweep(Team& team, const GridPlan& plan, GridWorkspace& workspace, Direction direction,
            Limb modulus = 0);

  /// Goes over a row; of one that may take seconds the team's first thread asks `go_on` after each
  /// level, which may end it. Returns whether it came to the row's end. Throws `Error`
  /// (`not_supported`) if numbers may get too long.
  bool next_row(const std::function<bool()>& go_on);

  /// By word: of the border between two rows.
  Planes main() { return main_.planes(); }
  std::size_t limbs() const { return main_.limbs(); }
  std::uint64_t bytes() const { return main_.bytes(); }

 private:
  class Pass;
  /// What numbers after the next row need, and whether they have to be looked at for the row after
  /// that: only where they might then need another limb, since to look at all takes a tenth of a
  /// row.
  struct Need {
    std::size_t limbs;
    bool measures;
  };
  Need need_of_next_row() const;
  double measured() const;

  Team& team_;
  const GridPlan& plan_;
  GridWorkspace& workspace_;
  const Direction direction_;
  const Limb modulus_;
  GridTable main_;
  double most_ = 1;  ///< that the sum of all numbers can be, backward the largest one
};

/// Throws `Error` (`not_supported`).
[[noreturn]] void refuse_long_numbers();

/// The word with which paths begin in the first corner, and that with which they end in the last.
BracketWord first_word(unsigned width);
BracketWord last_word(unsigned width);

}  // namespace kinjo::paths::detail
