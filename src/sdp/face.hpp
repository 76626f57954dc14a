/// Facial reduction: a constraint F_i • Y = 0 with F_i = ±v vᵀ says that Y v = 0. Then (D) has no
/// interior, x_i grows without bound, and every method that wants an interior loses its digits.
///
/// Y = V Ŷ Vᵀ, where the columns of V are a basis of what is orthogonal to v: with a pivot p, that
/// of the largest |v_p|, V is the identity without column p, and its row p is w_j = −v_j/v_p. The
/// reduced problem has Vᵀ F_k V instead of F_k, one row less, and no F_i. Its x is the old one's
/// but for x_i, which is chosen as large as X ⪰ 0 needs (J. Borwein, H. Wolkowicz, Regularizing the
/// abstract convex program, 1981).
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

class FaceReduction {
 public:
  /// Looks for one such constraint for each block.
  explicit FaceReduction(const Problem& problem);

  bool any() const { return !faces_.empty(); }
  /// Made when it is asked for: its entries may be many, and are not needed beside a model of it.
  Problem reduced() const;
  /// A solution of the reduced problem as one of the whole, its errors and objectives found anew;
  /// what of them is more than the tolerance takes from the status. Where no x_i makes X definite
  /// enough, it is as indefinite as the fourth says, and a certificate `numerical_failure`.
  void restore(Solution& solution, double tolerance) const;

 private:
  struct Face {
    std::size_t constraint;
    std::uint32_t block, pivot;
    std::vector<double> v, w;
    double scale;
  };
  void find_faces();
  void restore_dual(const Face& face, const BlockMatrix& reduced, BlockMatrix& whole) const;
  /// The terms of X in the face's block but for x_i's.
  std::vector<double> sum_of_others(const Face& face, const Solution& solution) const;
  /// Chooses x_i; −λmin(X)/unit is no more than what is returned.
  double choose_x(const Face& face, double unit, Solution& solution) const;
  double restore_primal(Solution& solution) const;

  const Problem& problem_;
  std::vector<Face> faces_;
};

}  // namespace kinjo::sdp::detail
