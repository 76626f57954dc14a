/// Eigenvalues of small symmetric matrices: Householder's reduction to a tridiagonal one, and the
/// QL algorithm with implicit shifts (G. H. Golub, C. F. Van Loan, Matrix computations, section
/// 8.3), which carries one row of the eigenvectors along.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

namespace {

constexpr double kEpsilon = 0x1p-53;
constexpr int kMostSweeps = 60;  ///< for an eigenvalue; two or three do as a rule

/// A symmetric tridiagonal matrix: off[i] couples i and i + 1; one more of them than it needs.
struct Tridiagonal {
  std::vector<double> diagonal, off;
  std::size_t order() const { return diagonal.size(); }

  /// What is lost in rounding beside the largest element.
  double negligible() const {
    double largest = 0;
    for (double v : diagonal) largest = std::max(largest, std::abs(v));
    for (double v : off) largest = std::max(largest, std::abs(v));
    return kEpsilon * largest;
  }

  /// The end of the part that begins at `first` and does not fall apart: sweeps never make the
  /// couplings of a matrix of low rank small beside its vanishing eigenvalues.
  std::size_t end_of_part(std::size_t first, double negligible) const {
    std::size_t m = first;
    while (m + 1 < order() && std::abs(off[m]) > negligible) ++m;
    return m;
  }
};

/// One sweep over l … m; `row`, of the orthogonal matrix, follows.
void sweep(Tridiagonal& t, std::size_t l, std::size_t m, std::vector<double>& row) {
  std::vector<double>&d = t.diagonal, &e = t.off;
  double g = (d[l + 1] - d[l]) / (2 * e[l]);
  const double far = std::sqrt(g * g + 1);
  g = d[m] - d[l] + e[l] / (g + std::copysign(far, g));
  double sine = 1, cosine = 1, p = 0;
  for (std::size_t i = m; i-- > l;) {
    const double f = sine * e[i], b = cosine * e[i], r = std::sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    g = d[i + 1] - p;
    const double turned = (d[i] - g) * sine + 2 * cosine * b;
    p = sine * turned;
    d[i + 1] = g + p;
    g = cosine * turned - b;
    const double upper = row[i + 1];
    row[i + 1] = sine * row[i] + cosine * upper;
    row[i] = cosine * row[i] - sine * upper;
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

/// The diagonal ← the eigenvalues, in no order; row ← row Q. False if they do not converge.
bool diagonalise(Tridiagonal& t, std::vector<double>& row) {
  const double negligible = t.negligible();
  for (std::size_t l = 0; l < t.order(); ++l) {
    for (int sweeps = 0;; ++sweeps) {
      const std::size_t m = t.end_of_part(l, negligible);
      if (m == l) break;
      if (sweeps == kMostSweeps) return false;
      sweep(t, l, m, row);
    }
  }
  return std::ranges::all_of(t.diagonal, [](double v) { return std::isfinite(v); });
}

/// Row and column k of A ← those of H A H, H = I − β v vᵀ for v in rows k + 1 …, which leaves one
/// element beside the diagonal: that is returned.
double reflect(std::size_t n, double* a, std::size_t k) {
  const std::size_t first = k + 1, count = n - first;
  std::vector<double> v(count), w(count, 0.0);
  double square = 0;
  for (std::size_t i = 0; i < count; ++i) {
    v[i] = a[(first + i) * n + k];
    square += v[i] * v[i];
  }
  const double beside = -std::copysign(std::sqrt(square), v[0]);
  if (square == v[0] * v[0]) return v[0];
  v[0] -= beside;
  const double beta = 1 / (square - beside * (v[0] + beside));
  double product = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) w[i] += a[(first + i) * n + first + j] * v[j];
    w[i] *= beta;
    product += w[i] * v[i];
  }
  for (std::size_t i = 0; i < count; ++i) w[i] -= 0.5 * beta * product * v[i];
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      a[(first + i) * n + first + j] -= v[i] * w[j] + w[i] * v[j];
    }
  }
  return beside;
}

}  // namespace

bool eigenvalues(std::size_t n, double* a, double* values) {
  Tridiagonal t;
  for (std::size_t k = 0; k < n; ++k) {
    t.off.push_back(k + 2 < n ? reflect(n, a, k) : k + 1 < n ? a[(k + 1) * n + k] : 0);
    t.diagonal.push_back(a[k * n + k]);
  }
  std::vector<double> row(n);
  if (!diagonalise(t, row)) return false;
  std::ranges::sort(t.diagonal);
  std::ranges::copy(t.diagonal, values);
  return true;
}

LeastPair least_tridiagonal(std::span<const double> diagonal, std::span<const double> off) {
  Tridiagonal t = {{diagonal.begin(), diagonal.end()}, {off.begin(), off.end()}};
  t.off.resize(diagonal.size());
  std::vector<double> row(diagonal.size());
  row.back() = 1;
  if (!diagonalise(t, row)) return {-1e300, 0};
  const auto least = std::ranges::min_element(t.diagonal) - t.diagonal.begin();
  return {t.diagonal[static_cast<std::size_t>(least)], row[static_cast<std::size_t>(least)]};
}

}  // namespace kinjo::sdp::detail
