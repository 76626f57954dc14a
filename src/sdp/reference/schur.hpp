/// The Schur complement B_ij = F_i • (X⁻¹ F_j Y), and solutions with it.
///
/// By blocks, and in each by constraints, those with most entries first (Fujisawa, Kojima, Nakata
/// 1997). For F_j of a symmetric block U = X⁻¹ F_j Y is formed over the rows that F_j touches, and
/// B_ij = F_i • U for the constraints from j on; where F_i and F_j have so few entries that it is
/// less work, each pair of entries is multiplied out instead.
///
/// The matrix is scaled to a diagonal of ones and factorised; a pivot that is lost in rounding
/// errors counts as infinite, which leaves its constraint out of the direction (as in SDPA), and
/// the solution is refined by its residual in the unfactorised matrix. That is kept only where a
/// product with it takes much less time than its definition, F_i • (X⁻¹ (Σ F_j z_j) Y): it takes as
/// much memory as the factor.
#pragma once

#include <optional>

#include "sdp/reference/blocks.hpp"
#include "sdp/reference/lower_panels.hpp"
#include "sdp/reference/parts.hpp"

namespace kinjo::sdp::detail::reference {

template <class Real>
class Schur {
 public:
  explicit Schur(const Problem& problem)
      : problem_(problem), parts_(parts_of(problem)), m_(problem.constraints()), factor_(m_) {
    double products = 0;
    for (const Block& block : problem.blocks()) {
      const double n = block.order;
      if (block.kind == BlockKind::symmetric) products += n * n * n;
    }
    constexpr double kMuch = 4;
    if (kMuch * static_cast<double>(m_) * static_cast<double>(m_) < products) matrix_.emplace(m_);
  }

  /// Both must live as long as systems are solved.
  void form(const Blocks<Real>& x_inverse, const Blocks<Real>& y) {
    x_inverse_ = &x_inverse;
    y_ = &y;
    factor_.clear();
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      if (y.is_diagonal(b)) {
        add_diagonal(parts_[b], x_inverse.block(b), y.block(b));
      } else {
        add_symmetric(parts_[b], columns(x_inverse.block(b), y.order(b)),
                      columns(y.block(b), y.order(b)));
      }
    }
  }

  /// False if there is a number in the matrix that is not finite.
  bool factorise() {
    if (!scale_matrix()) return false;
    if (matrix_) matrix_ = factor_;
    factorise_in_place(factor_, [](std::size_t, Real value) {
      return value > Real(16 * kEpsilon<Real>) ? root(value) : Real(kInfinitePivot);
    });
    return true;
  }

  /// The solution of B z = r.
  std::vector<Real> solve(const std::vector<Real>& r) const {
    std::vector<Real> z = apply(r), rest = residual(r, z);
    double before = norm(rest);
    for (int step = 0; step < kRefinements && before > 0; ++step) {
      std::vector<Real> next = apply(rest);
      for (std::size_t i = 0; i < m_; ++i) next[i] += z[i];
      rest = residual(r, next);
      const double now = norm(rest);
      if (!(now < 0.5 * before)) break;
      z = std::move(next);
      before = now;
    }
    return z;
  }

 private:
  static constexpr int kRefinements = 5;

  /// B_ij, before the matrix is factorised.
  Real& at(std::size_t i, std::size_t j) { return i > j ? factor_(i, j) : factor_(j, i); }

  void add_diagonal(const std::vector<Part>& parts, const Real* x_inverse, const Real* y) {
    std::vector<std::vector<std::pair<std::size_t, double>>> rows;
    for (const Part& part : parts) {
      for (const Entry& e : part.entries) {
        if (e.row >= rows.size()) rows.resize(e.row + 1);
        rows[e.row].emplace_back(part.constraint, e.value);
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t j = 0; j < rows[r].size(); ++j) {
        const Real scaled = x_inverse[r] * y[r] * Real(rows[r][j].second);
        for (std::size_t i = 0; i <= j; ++i) {
          at(rows[r][i].first, rows[r][j].first) += scaled * Real(rows[r][i].second);
        }
      }
    }
  }

  void add_symmetric(const std::vector<Part>& parts, Strided<const Real> x, Strided<const Real> y) {
    const std::size_t n = x.across;
    std::size_t behind = 0;  // entries from part j on
    for (const Part& part : parts) behind += part.entries.size();
    std::vector<Real> u;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const std::span<const Part> from(&parts[j], parts.size() - j);
      const std::size_t pairs = parts[j].entries.size() * behind;
      behind -= parts[j].entries.size();
      // A pair of entries takes four products; they are not done by vectors, as U is.
      if (pairs * 40 < n * n * rows_of(parts[j]).size()) {
        for (const Part& part : from) {
          at(part.constraint, parts[j].constraint) += pair_sum(part, parts[j], x, y);
        }
        continue;
      }
      multiply_around(parts[j], x, y, u);
      for (const Part& part : from) {
        at(part.constraint, parts[j].constraint) +=
            inner_product(part.entries, columns<const Real>(u.data(), n));
      }
    }
  }

  bool scale_matrix() {
    scale_.assign(m_, Real(1));
    for (std::size_t j = 0; j < m_; ++j) {
      const Real diagonal = factor_(j, j);
      if (!std::isfinite(to_double(diagonal))) return false;
      if (diagonal > Real(0)) scale_[j] = Real(1) / root(diagonal);
    }
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t i = j; i < m_; ++i) {
        Real& value = factor_(i, j);
        value *= scale_[i] * scale_[j];
        if (!std::isfinite(to_double(value))) return false;
      }
    }
    return true;
  }

  std::vector<Real> apply(std::vector<Real> r) const {
    for (std::size_t i = 0; i < m_; ++i) r[i] *= scale_[i];
    solve_factorised(factor_, r.data());
    for (std::size_t i = 0; i < m_; ++i) r[i] *= scale_[i];
    return r;
  }

  /// r − B z
  std::vector<Real> residual(const std::vector<Real>& r, const std::vector<Real>& z) const {
    if (!matrix_) return residual_by_definition(r, z);
    std::vector<Real> scaled(m_), rest(m_);
    for (std::size_t i = 0; i < m_; ++i) {
      scaled[i] = z[i] / scale_[i];
      rest[i] = r[i] * scale_[i];
    }
    subtract_symmetric(*matrix_, scaled.data(), rest.data());
    for (std::size_t i = 0; i < m_; ++i) rest[i] /= scale_[i];
    return rest;
  }

  std::vector<Real> residual_by_definition(std::vector<Real> r, const std::vector<Real>& z) const {
    const Blocks<Real> turned =
        product(*x_inverse_, product(combination<Real>(problem_, std::span<const Real>(z)), *y_));
    for (std::size_t i = 0; i < m_; ++i) r[i] -= inner_product(problem_.matrix(i + 1), turned);
    return r;
  }

  /// Of a residual, in the units of the scaled matrix.
  double norm(const std::vector<Real>& rest) const {
    double sum = 0;
    for (std::size_t i = 0; i < m_; ++i) {
      const double value = to_double(rest[i] * scale_[i]);
      sum += value * value;
    }
    return std::sqrt(sum);
  }

  const Problem& problem_;
  std::vector<std::vector<Part>> parts_;
  std::size_t m_;
  LowerPanels<Real> factor_;  ///< until `factorise` the matrix
  std::optional<LowerPanels<Real>> matrix_;
  std::vector<Real> scale_;
  const Blocks<Real>*x_inverse_ = nullptr, *y_ = nullptr;
};

}  // namespace kinjo::sdp::detail::reference
