/// Directions of HRVW/KSH/M: dX = Σ F_j dx_j + R_p, F_i • dY = r_d,i, and
/// dY = sym(βμX⁻¹ − Y − X⁻¹ dX Y − X⁻¹ dX_p dY_p), where dX_p, dY_p are the predictor's.
#pragma once

#include "sdp/reference/frame.hpp"
#include "sdp/reference/schur.hpp"

namespace kinjo::sdp::detail::reference {

/// A way to find directions. `form` and `factorise` prepare for a frame, which must live on.
template <class Real>
class Newton {
 public:
  virtual ~Newton() = default;
  virtual void form(const Frame<Real>& frame) = 0;
  /// False: no direction can be found.
  virtual bool factorise() = 0;
  /// The direction that aims at X Y = `aim` I; `predictor` may be null.
  virtual Iterate<Real> direction(double aim, const Iterate<Real>* predictor) const = 0;
};

/// By the Schur complement.
template <class Real>
class SchurNewton final : public Newton<Real> {
 public:
  explicit SchurNewton(const Problem& problem) : problem_(problem), schur_(problem) {}

  void form(const Frame<Real>& frame) override {
    frame_ = &frame;
    const Blocks<Real>& w = frame.x_inverse_lower;
    x_inverse_ = product(transposed(w), w);
    schur_.form(x_inverse_, frame.at.Y);
  }
  bool factorise() override { return schur_.factorise(); }

  Iterate<Real> direction(double aim, const Iterate<Real>* predictor) const override {
    const Blocks<Real>& Y = frame_->at.Y;
    Blocks<Real> inner = product(frame_->rest.primal, Y);
    if (predictor) add_scaled(inner, Real(1), product(predictor->X, predictor->Y));
    Iterate<Real> d;
    d.Y = negated(product(x_inverse_, inner));
    add_scaled(d.Y, Real(aim), x_inverse_);
    symmetrise(d.Y);
    std::vector<Real> r;
    for (std::size_t i = 0; i < problem_.constraints(); ++i) {
      r.push_back(inner_product(problem_.matrix(i + 1), d.Y) - Real(problem_.costs()[i]));
    }
    d.x = schur_.solve(r);
    d.X = combination<Real>(problem_, d.x);
    Blocks<Real> turned = product(x_inverse_, product(d.X, Y));
    symmetrise(turned);
    add_scaled(d.Y, Real(-1), turned);
    add_scaled(d.Y, Real(-1), Y);
    add_scaled(d.X, Real(1), frame_->rest.primal);
    return d;
  }

 private:
  const Problem& problem_;
  Schur<Real> schur_;
  Blocks<Real> x_inverse_;
  const Frame<Real>* frame_ = nullptr;
};

}  // namespace kinjo::sdp::detail::reference
