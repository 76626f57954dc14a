/// The additions of a sweep over a grid, on a block of columns in the caches, and what brings them
/// there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "paths/grid_phase.hpp"

namespace kinjo::paths::detail {

using Limb = std::uint64_t;

/// Numbers have 1 to `kMostLimbs` limbs of 64 bits; or they are residues, of one limb.
inline constexpr unsigned kMostLimbs = 4;

/// Arrays with one limb each of all numbers of a table.
using Planes = std::array<Limb*, kMostLimbs>;

/// Rows of a level for some columns. Limb l of the number in row r and column c is at
/// data[(r · limbs + l) · columns + c].
struct GridBlock {
  Limb* data = nullptr;
  std::size_t columns = 0;  ///< a multiple of `kColumns`
  std::size_t limbs = 1;
  Limb modulus = 0;  ///< of residues: less than 2⁶³

  static constexpr std::size_t kColumns = 8;

  Limb* row(GridRow r) const { return data + r * (limbs * columns); }
};

/// So many columns, padded to whole vectors.
constexpr std::size_t whole_vectors(std::size_t columns) {
  return (columns + GridBlock::kColumns - 1) / GridBlock::kColumns * GridBlock::kColumns;
}

/// The columns of a level that are in a block; the first one is a multiple of `kColumns`.
struct GridColumns {
  std::size_t first = 0, count = 0;
};

/// Rows of the upper one of two levels, on their way between them: row r, column c at
/// planes[l][r · pitch + c].
struct GridMail {
  Planes planes{};
  std::size_t pitch = 0;

  /// What begins so many words behind.
  GridMail at(std::size_t words) const;
};

/// Rows of a table, or columns of which each has its rows side by side: `count` of them from row
/// `first` of a block on; begin[i] is where the i-th is in the table.
struct GridStrips {
  Planes planes{};
  const std::uint64_t* begin = nullptr;
  GridRow first = 0, count = 0;
};

/// What is found in some rows: the sum of all numbers and the largest one.
struct GridSize {
  double sum = 0, largest = 0;

  void add(const GridSize& other);
};

struct GridKernelSet {
  struct Additions {
    void (*forward)(const GridBlock&, const GridStep&);
    void (*backward)(const GridBlock&, const GridStep&);
    /// After the last vertex: row last[i] gets row `blocked` + i.
    void (*close)(const GridBlock&, const std::vector<GridRow>& last, GridRow blocked);
    /// Each of `rows` gets a row of the mail, all columns what they are linked to.
    void (*collect)(const GridBlock&, const std::vector<GridRow>& rows, const GridMail&,
                    const GridLinks&, GridColumns);
    /// The same without links.
    void (*receive)(const GridBlock&, const std::vector<GridRow>& rows, const GridMail&,
                    GridColumns);
  };
  Additions residues;
  Additions numbers[kMostLimbs];  ///< of 1, 2 … limbs
  /// The transposed of `receive` and of `collect`: copies to the mail.
  void (*send)(const GridBlock&, const std::vector<GridRow>& rows, const GridMail&, GridColumns);
  void (*spread)(const GridBlock&, const std::vector<GridRow>& rows, const GridMail&,
                 const GridLinks&, GridColumns);
  /// Between a block and a table where its rows lie side by side, or its columns.
  void (*load_rows)(const GridBlock&, const GridStrips&, GridColumns);
  void (*store_rows)(const GridBlock&, const GridStrips&, GridColumns);
  void (*load_columns)(const GridBlock&, const GridStrips&, GridColumns);
  void (*store_columns)(const GridBlock&, const GridStrips&, GridColumns);
  GridSize (*size)(const GridBlock&, GridRow rows, std::size_t columns);
};

extern const GridKernelSet kScalarGridKernels;

/// The set for the level of vectors in use.
const GridKernelSet& grid_kernels();

}  // namespace kinjo::paths::detail
