#include "sdp/serial.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <kinjo/gemm.hpp>

#include "sdp/dense_kernels.hpp"

namespace kinjo::sdp::detail {

namespace {

using gemm::Order;
using gemm::View;

/// Triangles up to this order are solved with in one piece: they and sixteen columns fit L1.
constexpr std::size_t kWhole = 64;
/// The same where the columns must be transposed, which then is the less of the work.
constexpr std::size_t kWholeRows = 128;
/// Squares up to this order are multiplied in full for one of their triangles.
constexpr std::size_t kSquare = 64;

/// Where a triangle is cut: at a multiple of what a factor is made of.
std::size_t half_of(std::size_t n) {
  return ((n + 1) / 2 + kFactorBlock - 1) / kFactorBlock * kFactorBlock;
}

View<const double> rows_of(const double* a, std::size_t rows, std::size_t columns, std::size_t ld) {
  return {a, rows, columns, Order::row_major, ld};
}

/// C ← C − A B
void subtract(const View<const double>& a, const View<const double>& b, double* c, std::size_t ld) {
  gemm::multiply(-1.0, a, b, 1.0, View<double>(c, a.rows, b.columns, Order::row_major, ld));
}

/// Up to `kSides` columns that do not fill the kernels' rows.
template <class Solve>
void solve_rest(std::size_t n, std::size_t columns, double* b, std::size_t ld_b, Solve&& solve) {
  std::array<double, kWhole * kSides> padded;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = padded.data() + i * kSides;
    std::fill(std::copy_n(b + i * ld_b, columns, row), row + kSides, 0.0);
  }
  solve(padded.data(), kSides);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(padded.data() + i * kSides, columns, b + i * ld_b);
  }
}

/// solve(b, ld) for each `kSides` columns of B, n ≤ kWhole.
template <class Solve>
void solve_whole(std::size_t n, std::size_t columns, double* b, std::size_t ld_b, Solve&& solve) {
  std::size_t first = 0;
  for (; first + kSides <= columns; first += kSides) solve(b + first, ld_b);
  if (first < columns) solve_rest(n, columns - first, b + first, ld_b, solve);
}

/// A's lower triangle, transposed, into a block of its own, and its factor back.
bool factorise_block(std::size_t n, double* a, std::size_t ld) {
  std::array<double, kFactorBlock * kFactorBlock> block{};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) block[j * kFactorBlock + i] = a[i * ld + j];
  }
  if (!dense_kernels().factorise(n, block.data())) return false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a[i * ld + j] = block[j * kFactorBlock + i];
  }
  return true;
}

}  // namespace

void subtract_square(std::size_t n, std::size_t inner, const double* p, std::size_t ld_p, double* a,
                     std::size_t ld) {
  if (n == 0 || inner == 0) return;
  if (n > kSquare) {
    const std::size_t half = half_of(n), rest = n - half;
    const double* below = p + half * ld_p;
    subtract_square(half, inner, p, ld_p, a, ld);
    subtract(rows_of(below, rest, inner, ld_p), rows_of(p, half, inner, ld_p).transposed(),
             a + half * ld, ld);
    subtract_square(rest, inner, below, ld_p, a + half * ld + half, ld);
    return;
  }
  std::array<double, kSquare * kSquare> product;
  const View<const double> panel = rows_of(p, n, inner, ld_p);
  gemm::multiply(1.0, panel, panel.transposed(), 0.0, View<double>(product.data(), n, n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a[i * ld + j] -= product[i * n + j];
  }
}

bool factorise(std::size_t n, double* a, std::size_t ld) {
  if (n <= kFactorBlock) return factorise_block(n, a, ld);
  const std::size_t half = half_of(n), rest = n - half;
  double* below = a + half * ld;
  if (!factorise(half, a, ld)) return false;
  solve_rows(rest, half, a, ld, below, ld);
  subtract_square(rest, half, below, ld, below + half, ld);
  return factorise(rest, below + half, ld);
}

void solve_lower(std::size_t n, std::size_t columns, const double* l, std::size_t ld, double* b,
                 std::size_t ld_b) {
  if (n <= kWhole) {
    const auto forward = dense_kernels().forward;
    solve_whole(n, columns, b, ld_b,
                [=](double* x, std::size_t ld_x) { forward(n, l, ld, x, ld_x); });
    return;
  }
  const std::size_t half = half_of(n), rest = n - half;
  double* below = b + half * ld_b;
  solve_lower(half, columns, l, ld, b, ld_b);
  subtract(rows_of(l + half * ld, rest, half, ld), rows_of(b, half, columns, ld_b), below, ld_b);
  solve_lower(rest, columns, l + half * ld + half, ld, below, ld_b);
}

void solve_lower_transposed(std::size_t n, std::size_t columns, const double* l, std::size_t ld,
                            double* b, std::size_t ld_b) {
  if (n <= kWhole) {
    const auto backward = dense_kernels().backward;
    solve_whole(n, columns, b, ld_b,
                [=](double* x, std::size_t ld_x) { backward(n, l, ld, x, ld_x); });
    return;
  }
  const std::size_t half = half_of(n), rest = n - half;
  double* below = b + half * ld_b;
  solve_lower_transposed(rest, columns, l + half * ld + half, ld, below, ld_b);
  subtract(rows_of(l + half * ld, rest, half, ld).transposed(), rows_of(below, rest, columns, ld_b),
           b, ld_b);
  solve_lower_transposed(half, columns, l, ld, b, ld_b);
}

void solve_rows(std::size_t rows, std::size_t n, const double* l, std::size_t ld, double* b,
                std::size_t ld_b) {
  if (n > kWholeRows) {
    const std::size_t half = half_of(n), rest = n - half;
    solve_rows(rows, half, l, ld, b, ld_b);
    subtract(rows_of(b, rows, half, ld_b), rows_of(l + half * ld, rest, half, ld).transposed(),
             b + half, ld_b);
    solve_rows(rows, rest, l + half * ld + half, ld, b + half, ld_b);
    return;
  }
  const DenseKernels& kernel = dense_kernels();
  std::array<double, kWholeRows * kSides> turned;
  std::size_t first = 0;
  for (; first + kSides <= rows; first += kSides) {
    kernel.gather(n, b + first * ld_b, ld_b, turned.data());
    kernel.forward(n, l, ld, turned.data(), kSides);
    kernel.scatter(n, turned.data(), b + first * ld_b, ld_b);
  }
  if (first == rows) return;
  std::fill_n(turned.data(), n * kSides, 0.0);
  for (std::size_t r = first; r < rows; ++r) {
    for (std::size_t i = 0; i < n; ++i) turned[i * kSides + r - first] = b[r * ld_b + i];
  }
  kernel.forward(n, l, ld, turned.data(), kSides);
  for (std::size_t r = first; r < rows; ++r) {
    for (std::size_t i = 0; i < n; ++i) b[r * ld_b + i] = turned[i * kSides + r - first];
  }
}

namespace {

/// Rows of a triangle that are solved for one by one, between products.
constexpr std::size_t kStep = 8;

}  // namespace

void solve_lower(std::size_t n, const double* l, std::size_t ld, double* x) {
  const auto multiply_rows = dense_kernels().multiply_rows;
  for (std::size_t first = 0; first < n; first += kStep) {
    const std::size_t end = std::min(n, first + kStep);
    multiply_rows(end - first, first, -1, l + first * ld, ld, x, x + first);
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t j = first; j < i; ++j) x[i] -= l[i * ld + j] * x[j];
      x[i] /= l[i * ld + i];
    }
  }
}

void solve_lower_transposed(std::size_t n, const double* l, std::size_t ld, double* x) {
  const auto add_rows = dense_kernels().add_rows;
  for (std::size_t end = n; end > 0;) {
    const std::size_t first = (end - 1) / kStep * kStep;
    for (std::size_t i = end; i-- > first;) {
      x[i] /= l[i * ld + i];
      for (std::size_t j = first; j < i; ++j) x[j] -= l[i * ld + j] * x[i];
    }
    add_rows(end - first, first, -1, l + first * ld, ld, x + first, x);
    end = first;
  }
}

void solve_packed(std::size_t n, const double* packed, double* x) {
  const DenseKernels& kernel = dense_kernels();
  const auto row = [&](std::size_t i) { return packed + i * (i + 1) / 2; };
  for (std::size_t i = 0; i < n; ++i) {
    kernel.multiply_rows(1, i, -1, row(i), 0, x, x + i);
    x[i] /= row(i)[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= row(i)[i];
    kernel.add_rows(1, i, -1, row(i), 0, x + i, x);
  }
}

}  // namespace kinjo::sdp::detail
