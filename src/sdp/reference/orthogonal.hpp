/// Vectors made orthonormal by the modified Gram-Schmidt process, and least-squares problems with
/// them (Björck, Numerical methods for least squares problems, 1996, section 2.4).
#pragma once

#include "sdp/reference/parts.hpp"

namespace kinjo::sdp::detail::reference {

/// G_i = Σ_j≤i R_ji q_j for vectors G_1 … G_m, each divided by its length first. A vector that
/// depends on those before it, but for rounding errors, is left out.
template <class Real>
class Orthogonal {
 public:
  /// `g` is m × length, entry (i, p) at [p m + i]: row i is G_i.
  void form(std::size_t m, std::vector<Real> g) {
    m_ = m;
    length_ = g.size() / std::max<std::size_t>(m, 1);
    q_.assign(length_ * m, Real(0));
    r_.assign(m * m, Real(0));
    scale(g);
    for (std::size_t j = 0; j < m; ++j) {
      Real* q = &q_[j * length_];
      Real square(0);
      for (std::size_t p = 0; p < length_; ++p) {
        q[p] = g[p * m + j];
        square += q[p] * q[p];
      }
      const Real size = root(square);
      if (!(size > Real(kEpsilon<Real> * 16))) {
        std::fill(q, q + length_, Real(0));
        r_[j * m + j] = Real(kInfinitePivot);
        continue;
      }
      r_[j * m + j] = size;
      const Real inverse = Real(1) / size;
      for (std::size_t p = 0; p < length_; ++p) q[p] *= inverse;
      const std::size_t rest = m - j - 1;
      if (rest == 0) continue;
      Real* row = &r_[j * m + j + 1];
      add_product({rest, 1, length_}, {&g[j + 1], 1, m}, columns<const Real>(q, length_),
                  columns(row, rest));
      subtract_product({rest, length_, 1}, columns<const Real>(row, rest), {q, 1, 1},
                       {&g[j + 1], 1, m});
    }
  }

  /// dx and the residual, in h, of min ‖Σ G_i dx_i − h‖.
  std::vector<Real> minimise(std::vector<Real>& h) const {
    std::vector<Real> z(m_);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < m_; ++j) {
        const Real* q = &q_[j * length_];
        Real dot(0);
        add_product({1, 1, length_}, {q, 1, 1}, columns<const Real>(h.data(), length_),
                    columns(&dot, 1));
        subtract_product({length_, 1, 1}, columns<const Real>(q, length_),
                         columns<const Real>(&dot, 1), columns(h.data(), length_));
        z[j] += dot;
      }
    }
    back(z);
    return z;
  }

  /// The smallest e with ⟨G_i, e⟩ = r_i is added to h; the answer is dx with Σ G_i dx_i = e.
  std::vector<Real> reach(std::vector<Real> r, std::vector<Real>& h) const {
    for (std::size_t i = 0; i < m_; ++i) r[i] *= scale_[i];
    for (std::size_t j = 0; j < m_; ++j) {
      r[j] /= r_[j * m_ + j];
      for (std::size_t i = j + 1; i < m_; ++i) r[i] -= r_[j * m_ + i] * r[j];
    }
    for (std::size_t j = 0; j < m_; ++j) {
      add_product({length_, 1, 1}, columns<const Real>(&q_[j * length_], length_),
                  columns<const Real>(&r[j], 1), columns(h.data(), length_));
    }
    back(r);
    return r;
  }

 private:
  void scale(std::vector<Real>& g) {
    std::vector<Real> squares(m_);
    for (std::size_t k = 0; k < g.size(); ++k) squares[k % m_] += g[k] * g[k];
    scale_.assign(m_, Real(1));
    for (std::size_t i = 0; i < m_; ++i) {
      if (squares[i] > Real(0)) scale_[i] = Real(1) / root(squares[i]);
    }
    for (std::size_t k = 0; k < g.size(); ++k) g[k] *= scale_[k % m_];
  }

  /// z := D R⁻¹ z
  void back(std::vector<Real>& z) const {
    for (std::size_t j = m_; j-- > 0;) {
      for (std::size_t i = j + 1; i < m_; ++i) z[j] -= r_[j * m_ + i] * z[i];
      z[j] /= r_[j * m_ + j];
    }
    for (std::size_t i = 0; i < m_; ++i) z[i] *= scale_[i];
  }

  std::size_t m_ = 0, length_ = 0;
  std::vector<Real> q_, r_;  ///< columns of Q; rows of R, from the diagonal on
  std::vector<Real> scale_;
};

}  // namespace kinjo::sdp::detail::reference
