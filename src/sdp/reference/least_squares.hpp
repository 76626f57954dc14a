/// The directions as solutions of least-squares problems: slower than the Schur complement, and
/// good for about twice as many digits.
///
/// With X⁻¹ = Wᵀ W and Y = L Lᵀ, B_ij = ⟨G_i, G_j⟩ for G_i = W F_i L, so that B's condition is the
/// square of that of G. dx minimises ‖Σ G_i dx_i − H‖_F, where
///
///     H = βμ W L⁻ᵀ − W⁻ᵀ L − W (R_p L + dX_p dY_p L⁻ᵀ),
///
/// and dY = sym(Wᵀ E Lᵀ) by the residual E: it is orthogonal to all G_i, and so F_i • dY = 0 holds
/// in spite of rounding errors; r_d is put right by the smallest E with ⟨G_i, E⟩ = r_d,i.
#pragma once

#include "sdp/reference/newton.hpp"
#include "sdp/reference/orthogonal.hpp"

namespace kinjo::sdp::detail::reference {

template <class Real>
class LeastSquaresNewton final : public Newton<Real> {
 public:
  explicit LeastSquaresNewton(const Problem& problem)
      : problem_(problem), parts_(parts_of(problem)) {}

  void form(const Frame<Real>& frame) override {
    frame_ = &frame;
    x_upper_ = transposed(frame.x_lower);
    y_upper_ = transposed(frame.y_lower);
    x_inverse_upper_ = transposed(frame.x_inverse_lower);
    y_inverse_upper_ = transposed(frame.y_inverse_lower);
    const std::size_t m = problem_.constraints();
    vectors_.assign(m * frame.at.X.values().size(), Real(0));
    std::size_t begin = 0;
    for (std::size_t b = 0; b < parts_.size(); ++b) {
      for (const Part& part : parts_[b]) add(part, b, &vectors_[begin * m + part.constraint]);
      const std::size_t n = frame.at.X.order(b);
      begin += frame.at.X.is_diagonal(b) ? n : n * n;
    }
  }

  bool factorise() override {
    for (const Real& value : vectors_) {
      if (!std::isfinite(to_double(value))) return false;
    }
    orthogonal_.form(problem_.constraints(), std::move(vectors_));
    return true;
  }

  Iterate<Real> direction(double aim, const Iterate<Real>* predictor) const override {
    Blocks<Real> h = goal(aim, predictor);
    std::vector<Real> e(h.values().begin(), h.values().end());
    Iterate<Real> d;
    d.x = orthogonal_.minimise(e);
    const std::vector<Real> back = orthogonal_.reach(frame_->rest.dual, e);
    for (std::size_t i = 0; i < back.size(); ++i) d.x[i] -= back[i];
    std::ranges::copy(e, h.values().begin());
    d.Y = product(x_inverse_upper_, product(h, y_upper_));
    symmetrise(d.Y);
    d.X = combination<Real>(problem_, d.x);
    add_scaled(d.X, Real(1), frame_->rest.primal);
    return d;
  }

 private:
  /// H
  Blocks<Real> goal(double aim, const Iterate<Real>* predictor) const {
    const Blocks<Real>& w = frame_->x_inverse_lower;
    Blocks<Real> inner = product(frame_->rest.primal, frame_->y_lower);
    if (predictor) {
      add_scaled(inner, Real(1), product(predictor->X, product(predictor->Y, y_inverse_upper_)));
    }
    Blocks<Real> h = negated(product(w, inner));
    add_scaled(h, Real(-1), product(x_upper_, frame_->y_lower));
    add_scaled(h, Real(aim), product(w, y_inverse_upper_));
    return h;
  }

  /// W F L of one block, at steps of m.
  void add(const Part& part, std::size_t b, Real* to) {
    const std::size_t m = problem_.constraints(), n = y_upper_.order(b);
    const Real* w = frame_->x_inverse_lower.block(b);
    const Real* upper = y_upper_.block(b);
    if (y_upper_.is_diagonal(b)) {
      for (const Entry& e : part.entries) to[e.row * m] = w[e.row] * upper[e.row] * Real(e.value);
      return;
    }
    multiply_around(part, columns(w, n), columns(upper, n), work_);
    for (std::size_t p = 0; p < n * n; ++p) to[p * m] = work_[p];
  }

  const Problem& problem_;
  std::vector<std::vector<Part>> parts_;
  Orthogonal<Real> orthogonal_;
  Blocks<Real> x_upper_, y_upper_, x_inverse_upper_, y_inverse_upper_;
  std::vector<Real> vectors_, work_;
  const Frame<Real>* frame_ = nullptr;
};

}  // namespace kinjo::sdp::detail::reference
