/// Projection onto F_i • D = r_i: D ← D + Σ δ_i F_i with G δ = r, G_ij = F_i • F_j.
///
/// It restores what rounding has spoilt in (D)'s constraints, to the last digit and whatever the
/// conditions of X and Y, at the price of leaving the central path a little.
#pragma once

#include <vector>

#include "sdp/crew.hpp"
#include "sdp/model.hpp"
#include "sdp/schur.hpp"

namespace kinjo::sdp::detail {

class Gram {
 public:
  Gram(Team& team, const Model& model, const Crew& crew);
  /// r ← δ. False if the constraints depend on each other too much.
  bool solve(std::vector<double>& r);

 private:
  Schur matrix_;
  bool usable_ = false;
};

}  // namespace kinjo::sdp::detail
