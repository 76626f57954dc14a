/// Cholesky's method as a proof.
///
/// If it comes to its end on A in floating point, A + E = RᵀR for some |E_ij| ≤ γ (a_ii a_jj)^½
/// with γ some (n+1) u, so that λmin(A) ≥ −‖E‖ ≥ −γ tr A, whatever the order of sums (J. Demmel, On
/// floating point errors in Cholesky, LAPACK working note 14, 1989; S. Rump, Verification of
/// positive definiteness, BIT 46, 2006). Here A = M + (t − b) I with b well above that: success
/// proves λmin(M) ≥ −t.
#include "sdp/verify/definite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>

#include "base/double_double.hpp"

namespace kinjo::sdp::detail {

namespace {

using kinjo::detail::DoubleDouble;

enum class Precision { single_double, double_double };

/// Up to here a factorisation in the higher precision takes a moment; and some ten seconds.
constexpr std::size_t kQuickOrder = 400, kPatientOrder = 2000;

/// M + shift I = RᵀR, row by row of R, of which nothing is kept but the rows that are still to
/// come. False at the first pivot that is not above 0.
bool factorise_exactly(std::span<const double> matrix, std::size_t n, DoubleDouble shift) {
  std::vector<DoubleDouble> rows(n * n);
  std::ranges::copy(matrix, rows.begin());
  for (std::size_t i = 0; i < n; ++i) rows[i * n + i] += shift;
  for (std::size_t k = 0; k < n; ++k) {
    DoubleDouble* const pivot_row = rows.data() + k * n;
    if (!(pivot_row[k].high > 0)) return false;
    const DoubleDouble root = kinjo::detail::sqrt(pivot_row[k]);
    for (std::size_t j = k + 1; j < n; ++j) pivot_row[j] /= root;
    for (std::size_t i = k + 1; i < n; ++i) {
      const DoubleDouble factor = -pivot_row[i];
      if (factor.high == 0) continue;
      DoubleDouble* const row = rows.data() + i * n;
      for (std::size_t j = i; j < n; ++j) row[j] += factor * pivot_row[j];
    }
  }
  return true;
}

bool factorise_in_double(std::span<const double> matrix, std::size_t n, double shift) {
  std::vector<double> copy(matrix.begin(), matrix.end());
  // Rounded towards less, so that what is factorised is not greater than what is meant.
  for (std::size_t i = 0; i < n; ++i) {
    copy[i * n + i] = std::nextafter(copy[i * n + i] + shift, -std::numeric_limits<double>::max());
  }
  // In its place, and by Eigen: nothing that the solver has too.
  using Matrix = Eigen::MatrixXd;
  Eigen::Map<Matrix> a(copy.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(a);
  // A NaN may have passed through.
  return factor.info() == Eigen::Success && std::isfinite(copy[n * n - 1]);
}

class Proof {
 public:
  Proof(std::span<const double> matrix, std::size_t n, Precision precision)
      : matrix_(matrix), n_(n), precision_(precision) {
    for (std::size_t i = 0; i < n; ++i) trace_ += std::abs(matrix[i * n + i]);
  }

  /// b for a shift by t, twice what theory asks for, since Eigen may multiply by reciprocals.
  double margin(double t) const {
    const auto n = static_cast<double>(n_);
    const double unit = precision_ == Precision::double_double ? 0x1p-100 : 0x1p-53;
    return 2 * (n + 4) * unit * (trace_ + n * t) + n * n * std::numeric_limits<double>::min();
  }

  /// Whether it is proved that λmin ≥ −t.
  bool succeeds(double t) const {
    if (precision_ == Precision::double_double) {
      return factorise_exactly(matrix_, n_, kinjo::detail::two_sum(t, -margin(t)));
    }
    return factorise_in_double(matrix_, n_, t - margin(t));
  }

  /// The least t that can be proved.
  double bound() const {
    if (succeeds(0)) return 0;
    return bisect(margin(0) / 2, 2 * norm() + margin(norm()), 1.05);
  }
  /// The same where `holds` is known to be provable, more roughly and not below `least`.
  double bound(double least, double holds) const {
    for (const double t : {0.0, least}) {
      if (succeeds(t)) return t;
    }
    return bisect(least, holds, 10);
  }

 private:
  double bisect(double fails, double holds, double accuracy) const {
    while (holds > accuracy * fails) {
      const double middle = std::sqrt(fails) * std::sqrt(holds);
      (succeeds(middle) ? holds : fails) = middle;
    }
    return holds;
  }
  double norm() const {
    double sum = 0;
    for (const double value : matrix_) sum = std::hypot(sum, value);
    return sum;
  }

  std::span<const double> matrix_;
  std::size_t n_;
  Precision precision_;
  double trace_ = 0;
};

}  // namespace

double proved_deficiency(std::span<const double> matrix, std::size_t n, double enough) {
  if (std::ranges::all_of(matrix, [](double value) { return value == 0; })) return 0;
  if (n <= kQuickOrder) return Proof(matrix, n, Precision::double_double).bound();
  const Proof quick(matrix, n, Precision::single_double);
  const double bound = quick.bound();
  constexpr double kOfRounding = 4;  // a bound so near to the margin may be nothing but that
  if (bound <= enough || bound > kOfRounding * quick.margin(0) || n > kPatientOrder) return bound;
  constexpr double kBesideIt = 1e-3;
  return Proof(matrix, n, Precision::double_double).bound(kBesideIt * enough, bound);
}

double proved_deficiency(const BlockMatrix& matrix, double enough) {
  double most = 0;
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    const Block shape = matrix.blocks()[b];
    const auto values = matrix.block(b);
    if (shape.kind == BlockKind::diagonal) {
      for (const double value : values) most = std::max(most, -value);
    } else {
      most = std::max(most, proved_deficiency(values, shape.order, enough));
    }
  }
  return most;
}

}  // namespace kinjo::sdp::detail
