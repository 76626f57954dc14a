/// A problem as the solver works on it: blocks split into the connected components of their
/// aggregate sparsity, single rows among the linear inequalities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <kinjo/sdp.hpp>

#include "sdp/kernels.hpp"

namespace kinjo::sdp::detail {

using Index = std::uint32_t;

/// An entry of the upper triangle.
struct Term {
  Index row = 0, column = 0;
  double value = 0;
};

/// A symmetric block that no permutation splits further.
///
/// The terms of all its F_i are there once for all who use them, as ELEMENTS reads them: in the
/// order of the density of their F_i, each as a value and a place among the positions.
struct Cone {
  Index origin = 0;                 ///< the block of the problem that it is part of
  std::vector<Index> rows;          ///< its rows there, ascending
  std::vector<Term> constant;       ///< F_0
  std::vector<Index> constraints;   ///< which F_i, i from 0 here, have entries in it: the densest
                                    ///< first, those of one density by where they lie
  std::vector<std::size_t> begins;  ///< of theirs among the terms, one more
  std::vector<double> values;       ///< of the terms
  std::vector<Index> places;        ///< of the terms among `positions`
  std::vector<Position> positions;  ///< each once; those that thin F_i read last

  std::size_t order() const { return rows.size(); }
  Term term(std::size_t e) const {
    return {positions[places[e]].row, positions[places[e]].column, values[e]};
  }
  /// Of the k-th of `constraints`.
  std::vector<Term> terms_of(std::size_t k) const;
  /// All but F_0, in memory of the calling thread, and the bytes of that.
  Cone copy_of_terms() const;
  std::uint64_t bytes_of_terms() const;
};

/// Rows and columns that the terms touch, ascending.
std::vector<Index> touched(std::span<const Term> terms);

/// Brings a cone's constraints, whose terms and `begins` are given as they come, into order.
void arrange(Cone& cone, std::vector<Term> terms);

/// All linear inequalities: diagonal blocks and single rows of others.
struct Linear {
  struct Origin {
    Index block, row;
  };
  struct Item {
    Index row;
    double value;
  };
  std::vector<Origin> origins;
  std::vector<double> constant;     ///< F_0
  std::vector<std::size_t> begins;  ///< of constraint i in `items`, m + 1
  std::vector<Item> items;

  std::size_t order() const { return origins.size(); }
};

struct Model {
  std::size_t constraints = 0;
  std::vector<double> costs;
  std::vector<Cone> cones;
  Linear linear;
  std::vector<Block> blocks;  ///< the problem's own

  /// Rows of X and Y. Rows that no F_i has an entry in are not among them: X is 0 there.
  std::size_t order() const;
};

Model make_model(const Problem& problem);

/// The problem that a model was made from, entry by entry.
Problem problem_of(const Model& model);

/// The bytes of a matrix of these blocks, as solutions have two, or 2⁶⁰ if it takes more.
std::uint64_t matrix_bytes(std::span<const Block> blocks);

}  // namespace kinjo::sdp::detail
