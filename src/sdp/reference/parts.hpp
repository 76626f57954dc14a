/// What the constraints have in each block, and products with it.
#pragma once

#include <algorithm>

#include "sdp/reference/blocks.hpp"

namespace kinjo::sdp::detail::reference {

/// A pivot that was lost in rounding errors: what is divided by it vanishes.
inline constexpr double kInfinitePivot = 1e60;

/// The entries of one constraint in one block.
struct Part {
  std::size_t constraint = 0;
  std::span<const Entry> entries;
};

/// By block: its parts, those with most entries first.
std::vector<std::vector<Part>> parts_of(const Problem& problem);

/// The rows in which a part of a symmetric block has entries, in increasing order.
std::vector<std::size_t> rows_of(const Part& part);

/// F • (A G B) by pairs of entries of F and G; A and B are symmetric.
template <class Real>
Real pair_sum(const Part& f, const Part& g, Strided<const Real> a, Strided<const Real> b) {
  Real sum(0);
  const auto add = [&](std::size_t row, std::size_t column, double value) {
    for (const Entry& e : g.entries) {
      Real term = a(row, e.row) * b(e.column, column);
      if (e.row != e.column) term += a(row, e.column) * b(e.row, column);
      sum += term * (Real(e.value) * Real(value));
    }
  };
  for (const Entry& e : f.entries) {
    add(e.row, e.column, e.value);
    if (e.row != e.column) add(e.column, e.row, e.value);
  }
  return sum;
}

/// u := A F Bᵀ, n × n in columns.
template <class Real>
void multiply_around(const Part& f, Strided<const Real> a, Strided<const Real> b,
                     std::vector<Real>& u) {
  const std::size_t n = a.across;
  const std::vector<std::size_t> rows = rows_of(f);
  std::vector<Real> from_a(n * rows.size());  // A's columns for these rows
  std::vector<Real> turned(n * rows.size());  // B F for them
  std::vector<std::size_t> place(n);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    place[rows[r]] = r;
    std::copy_n(&a(0, rows[r]), n, &from_a[r * n]);
  }
  const auto add = [&](std::size_t row, std::size_t column, double value) {
    const Real factor(value);
    add_product({n, 1, 1}, b.at(0, column), columns<const Real>(&factor, 1),
                columns(&turned[place[row] * n], n));
  };
  for (const Entry& e : f.entries) {
    add(e.row, e.column, e.value);
    if (e.row != e.column) add(e.column, e.row, e.value);
  }
  u.assign(n * n, Real(0));
  add_product({n, n, rows.size()}, columns<const Real>(from_a.data(), n),
              transposed(columns<const Real>(turned.data(), n)), columns(u.data(), n));
}

}  // namespace kinjo::sdp::detail::reference
