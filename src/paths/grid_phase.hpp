/// One half of a row of the sweep, as a program of additions of rows of numbers.
///
/// Between the vertices of a row the sweep keeps two tables. Of vertex j, `main` has the words of
/// the whole border, where place j tells whether j is the end of a path (of an edge that comes from
/// the left or from above) or has no edge yet; `blocked` has the words of the other places, where j
/// has two edges already. To go on from j to j + 1 is to choose the edges of j that lead right and
/// down. With α, β the symbols before and behind, and all of the right-hand side old:
///
///     main[α 0 x β]    = main[α 0 x β] + main[α x 0 β] + blocked[α x β]        x an end
///     blocked[α x β]   = main[α 0 x β]
///     main[α 0 0 β]    = main[α 0 0 β] + blocked[α 0 β]
///     main[α ( ) β]    = main[α ( ) β] + main[α 0 0 β]                         a new path
///     blocked[α 0 β]   = Σ main[w] over words w that become α 0 0 β when their two ends at j and
///                        j + 1 are joined: α ) ( β, and w = α ( ( β', α' ) ) β where the partner
///                        of the inner bracket turns round; ( ) would close a cycle
///
/// and all else stays. Nothing reads what another line writes, so it is done in place.
///
/// The word is cut in two parts. A *phase* takes those steps that lie in one part, the *inner* one;
/// then the numbers of all words with the same inner part make a row, over all *outer* parts, and
/// lines above are additions of whole rows: for every height at the cut a matrix of
/// its own. Only brackets that turn round on the other side of the cut lead out of a matrix, and
/// always two heights down: their rows are handed over, and added to the columns which the outer
/// parts become. What those become depends on nothing but how many brackets lie between, nearer to
/// the cut, that is on the *depth* of the one which turns round.
///
/// The backward sweep is the transposed one: the same program with sources and targets exchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paths/grid_words.hpp"

namespace kinjo::paths::detail {

using GridRow = std::uint32_t;

/// From a vertex to the next one. Rows of `main` come first, then those of `blocked`.
struct GridStep {
  struct End {
    GridRow none_x, x_none, blocked;  ///< α 0 x β, α x 0 β, α x β
  };
  struct None {
    GridRow none, pair, blocked;  ///< α 0 0 β, α ( ) β, α 0 β
    GridRow joins_end;  ///< sources of blocked[α 0 β] in `joins`, from the last one's end on
  };
  std::vector<End> ends;
  std::vector<None> nones;
  std::vector<GridRow> joins;
  /// By depth: rows of `main` which are handed over to two heights below, and rows of `blocked`
  /// which get those of two heights above, in the same order.
  std::vector<std::vector<GridRow>> down, up;
};

/// For each column the columns of the level two heights above which turn into it.
struct GridLinks {
  std::vector<std::uint32_t> end;  ///< in `sources`
  std::vector<std::uint32_t> sources;

  std::uint32_t begin_of(std::size_t column) const { return column == 0 ? 0 : end[column - 1]; }
};

/// What has one height at the cut.
struct GridLevel {
  GridRow main_rows = 0, blocked_rows = 0;
  std::size_t columns = 0;
  /// Where each row (left phase) or column (right phase) begins in the tables.
  std::vector<std::uint64_t> main_begin, blocked_begin;
  std::vector<GridStep> steps;
  /// Right phase: rows of `main` that end with 0, for each row of `blocked`: after the last vertex
  /// they are the same.
  std::vector<GridRow> last;
  std::vector<GridLinks> links;  ///< by depth

  GridRow rows() const { return main_rows + blocked_rows; }
  /// Rows handed down by all steps.
  std::size_t down_rows() const;
};

/// Where words are cut in two.
struct GridCut {
  enum class Side { left, right };  ///< where the inner part is
  struct Heights {
    int from, to;
  };

  Side side;
  unsigned inner, outer;  ///< places of the two parts

  /// Between which heights the parts go if `height` is that at the cut.
  Heights inner_heights(int height) const;
  Heights outer_heights(int height) const;
  /// Inner parts of `length` places, and outer ones.
  std::uint64_t inner_words(const BracketNumbers& numbers, unsigned length, int height) const;
  std::uint64_t outer_words(const BracketNumbers& numbers, int height) const;
  /// The greatest height that words have there.
  int top(const BracketNumbers& numbers) const;
  /// Rows which a level hands down in all steps.
  std::uint64_t down_rows(const BracketNumbers& numbers, int height) const;
};

struct GridPhase {
  GridCut::Side side;
  std::vector<GridLevel> levels;  ///< by height
};

/// The two cuts of rows with `width` vertices. The left phase ends at the vertex with which the
/// right one begins, so that vertex is in both inner parts.
GridCut left_cut(unsigned width);
GridCut right_cut(unsigned width);

GridPhase make_phase(const BracketNumbers& numbers, const GridCut& cut);

}  // namespace kinjo::paths::detail
