/// Matrix multiplication: C ← α·A·B + β·C, on one thread or over a team.
///
/// *Matrices* are views of memory: row- or column-major, with a leading dimension, transposed by
/// `transposed()`. Any mixture of orders goes.
///
/// *As BLAS says.* β = 0: C is not read, so a NaN in it is overwritten. α = 0 or k = 0: A and B are
/// not read. Else NaN and infinity propagate: no product is left out because a factor is zero.
///
/// *Error.* With u = 2⁻⁵³ (float: 2⁻²⁴), |C − exact| ≤ (k + 2)·u·(|α||A||B| + |β||C₀|) element by
/// element, up to terms of u². Products and sums are fused where the level of vector instructions
/// can; the order of additions depends on the plan, never on the threads' timing: the same bits
/// from run to run. The inner dimension is never divided among threads.
///
/// *Memory.* A thread keeps its packing buffers until it ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <kinjo/gemm_plan.hpp>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/team.hpp>

namespace kinjo::gemm {

/// A matrix in memory that someone else owns. T is float or double, const for one that is read.
template <class T>
struct View {
  T* data = nullptr;
  std::size_t rows = 0, columns = 0;
  Order order = Order::row_major;
  std::size_t ld = 0;  ///< elements from one row (column) to the next

  View() = default;
  /// `leading` 0: rows (columns) lie back to back.
  View(T* first, std::size_t row_count, std::size_t column_count, Order layout = Order::row_major,
       std::size_t leading = 0)
      : data(first),
        rows(row_count),
        columns(column_count),
        order(layout),
        ld(leading != 0                 ? leading
           : layout == Order::row_major ? column_count
                                        : row_count) {}
  /// What may be written may be read.
  operator View<const T>() const { return {data, rows, columns, order, ld}; }

  /// The same memory with rows and columns exchanged.
  View transposed() const {
    return {data, columns, rows, order == Order::row_major ? Order::column_major : Order::row_major,
            ld};
  }
  /// A part of it.
  View block(Range r, Range c) const {
    return {at(r.begin, c.begin), r.size(), c.size(), order, ld};
  }
  /// Where element (i, j) lies, which is not checked.
  T* at(std::size_t i, std::size_t j) const {
    return data + (order == Order::row_major ? i * ld + j : j * ld + i);
  }
};

/// C ← α·A·B + β·C on the calling thread, by the plan that `Plan::choose` makes.
///
/// Throws `Error` (`invalid_argument`) if shapes do not fit each other, a leading dimension is
/// too small, a matrix with elements has no memory or exceeds the address space, or C shares
/// memory with A or B (for α = 0 these need no memory, and may share it); `out_of_memory`; and as
/// `simd_level` does.
void multiply(double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c);
void multiply(float alpha, View<const float> a, View<const float> b, float beta, View<float> c);

/// The same by a given plan, whose parallel loops must start one task. A plan of more loops than
/// the problem needs is right, if slow; one that was made for another problem is refused only
/// where it uses a matrix in place that must be copied.
void multiply(double alpha, View<const double> a, View<const double> b, double beta, View<double> c,
              const Plan& plan);
void multiply(float alpha, View<const float> a, View<const float> b, float beta, View<float> c,
              const Plan& plan);

/// The same over a team. Task t of the plan is thread t of the team; a plan of more tasks than the
/// team has threads is refused (`invalid_argument`). Must not be called from inside `team.run`.
void multiply(Team& team, double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c);
void multiply(Team& team, float alpha, View<const float> a, View<const float> b, float beta,
              View<float> c);
void multiply(Team& team, double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c, const Plan& plan);
void multiply(Team& team, float alpha, View<const float> a, View<const float> b, float beta,
              View<float> c, const Plan& plan);

/// Whether two matrices have an element in common; what `multiply` refuses of C and A or B. Exact:
/// lines of one may lie between those of the other.
template <class T>
bool share_memory(View<const T> x, View<const T> y);

/// What `Plan::choose` and `Plan::parse` need to know of a product.
template <class T>
Problem problem_of(View<const T> a, View<const T> b, View<T> c) {
  Problem p;
  p.m = c.rows;
  p.n = c.columns;
  p.k = a.columns;
  p.element_bytes = sizeof(T);
  p.a = a.order;
  p.b = b.order;
  p.c = c.order;
  p.ld_a = a.ld;
  p.ld_b = b.ld;
  return p;
}
/// The same over a team.
template <class T>
Problem problem_of(const Team& team, View<const T> a, View<const T> b, View<T> c) {
  Problem p = problem_of(a, b, c);
  p.threads = team.size();
  p.nodes = team.mapping().nodes().size();
  return p;
}

/// A simple serial product, each element a sum in ascending order of the inner dimension: what
/// the others are tested against.
template <class T>
void multiply_reference(T alpha, View<const T> a, View<const T> b, T beta, View<T> c);

/// How thoroughly a product is checked.
struct CheckOptions {
  std::size_t samples = 1000;  ///< elements that are computed again
  std::size_t rounds = 2;      ///< of Freivalds' test
  std::size_t rows = 2;        ///< that it finds worst, of which all elements are computed again
  unsigned seed = 1;
};

/// What a check found.
struct Check {
  /// The largest |C − exact| of a sample, or of an element of a row that was computed again, in
  /// units of its bound.
  double worst_sample = 0;
  double worst_row = 0;  ///< the largest row of Freivalds' test, in units of its bound
  std::string fault;     ///< empty, or which element or row exceeds its bound
  bool passed() const { return fault.empty(); }
};

/// Checks c = α·A·B + β·before within the error that the head of this file states.
///
/// *Samples* are computed again in long double. *Freivalds' test* (R. Freivalds, Probabilistic
/// machines can use less running time, 1977) looks at all of C: with x of random signs and of
/// magnitudes from ½ to 1, c·x − α·A(B·x) − β·before·x, in double, must be as small as the bounds
/// of a row's elements together. The `rows` rows that take the largest share of that are computed
/// again, and each of their elements must be within its own bound (and what a sum in double is off
/// by): one that is off by more than right rows are together makes its row one of them.
/// docs/gemm.md says which errors are always found. A product that is within its bound always
/// passes. Takes rounds·(mk + kn + 2mn) + rows·kn + samples·k steps.
///
/// `before` is C's old content, and an empty view for β = 0. A sample of which some factor is not
/// finite must be NaN, or the infinity that its terms give; NaN and infinity are right, too, where
/// sums exceed the type. Freivalds' test leaves out rows of which that is so, and of rows elements
/// whose old numbers are not finite, for k steps each. Throws `Error` (`invalid_argument`) as
/// `multiply` does, and if there are neither samples nor rounds.
template <class T>
Check verify_gemm(T alpha, View<const T> a, View<const T> b, T beta, View<const T> before,
                  View<const T> c, const CheckOptions& options = {});

/// Elements from one line of a placed matrix to the next: an odd number of cache lines.
constexpr std::size_t placed_line(std::size_t elements, std::size_t element_bytes) {
  const std::size_t line = 64 / element_bytes;
  return (((elements + line - 1) / line) | 1) * line;
}

/// A matrix of its own, whose rows (columns, if it is column-major) are dealt to the threads of a
/// team in order, each part on its thread's node. The plans that are chosen for several nodes give
/// each thread the same rows of C and of A.
///
/// Lines begin at a cache line, and lie an odd number of cache lines apart, so that a column does
/// not fall into few cache sets.
template <class T>
class PlacedMatrix {
 public:
  /// Zero. Throws as `PartitionedArray`.
  PlacedMatrix(Team& team, std::size_t rows, std::size_t columns, Order order = Order::row_major,
               Pages pages = Pages::normal)
      : rows_(rows),
        columns_(columns),
        order_(order),
        ld_(placed_line(order == Order::row_major ? columns : rows, sizeof(T))),
        array_(team, elements(), {.pages = pages}) {}

  /// All of it; views hold while it lives.
  View<T> view() { return {array_.data(), rows_, columns_, order_, ld_}; }
  View<const T> view() const { return {array_.data(), rows_, columns_, order_, ld_}; }
  /// Its memory, to be audited; gaps between lines belong to it.
  PartitionedArray<T>& array() { return array_; }

 private:
  /// Of all lines with their gaps; more than any array has where no number counts them.
  std::size_t elements() const {
    const bool by_rows = order_ == Order::row_major;
    std::size_t all = 0;
    const bool fits = ld_ >= (by_rows ? columns_ : rows_) &&
                      !__builtin_mul_overflow(by_rows ? rows_ : columns_, ld_, &all);
    return fits ? all : static_cast<std::size_t>(-1);
  }

  std::size_t rows_, columns_;
  Order order_;
  std::size_t ld_;
  PartitionedArray<T> array_;
};

}  // namespace kinjo::gemm
