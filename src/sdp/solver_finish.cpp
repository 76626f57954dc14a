/// The solution that is handed over.
#include <utility>

#include "sdp/solver.hpp"

namespace kinjo::sdp::detail {

namespace {

void scale(BlockMatrix& matrix, double factor) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    for (double& v : matrix.block(b)) v *= factor;
  }
}

}  // namespace

/// In the place of what `p` held.
void Solver::keep(Point& p) const {
  p.x = x_;
  p.linear_y = linear_.y();
  p.cone_y.resize(cones_.size());
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    pack(cones_[c].y(), cones_[c].order(), p.cone_y[c]);
  }
  if (primal_ == Primal::feasible) {
    p.cone_x = std::vector<Packed>();
    p.linear_x = std::vector<double>();
    return;
  }
  p.linear_x = linear_.x();
  p.cone_x.resize(cones_.size());
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    pack(cones_[c].x(), cones_[c].order(), p.cone_x[c]);
  }
}

void Solver::return_to(const Point& p) {
  x_ = p.x;
  const bool has_x = !p.cone_x.empty() || !p.linear_x.empty();
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    if (has_x) {
      unpack(p.cone_x[c], cones_[c].order(), cones_[c].x());
    } else {
      cones_[c].set_x(x_);
    }
    unpack(p.cone_y[c], cones_[c].order(), cones_[c].y());
  }
  if (has_x) {
    linear_.x() = p.linear_x;
  } else {
    linear_.set_x(x_);
  }
  linear_.y() = p.linear_y;
}

void Solver::write_blocks(Solution& solution) const {
  solution.X = BlockMatrix(model_.blocks);
  solution.Y = BlockMatrix(model_.blocks);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = model_.cones[c];
    const std::size_t n = cone.order(), all = model_.blocks[cone.origin].order;
    const auto x = solution.X.block(cone.origin), y = solution.Y.block(cone.origin);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        x[cone.rows[j] * all + cone.rows[i]] = cones_[c].x()[j * n + i];
        y[cone.rows[j] * all + cone.rows[i]] = cones_[c].y()[j * n + i];
      }
    }
  }
  for (std::size_t r = 0; r < linear_.order(); ++r) {
    const Linear::Origin at = model_.linear.origins[r];
    const Block& block = model_.blocks[at.block];
    const std::size_t place =
        block.kind == BlockKind::diagonal ? at.row : at.row * (std::size_t{block.order} + 1);
    solution.X.block(at.block)[place] = linear_.x()[r];
    solution.Y.block(at.block)[place] = linear_.y()[r];
  }
}

/// Certificates are scaled as `Solution` says.
void Solver::scale_certificate(Outcome outcome, Solution& solution) const {
  if (outcome == Outcome::primal_infeasible) {
    scale(solution.Y, 1 / now_.dual_objective);
    solution.dual_objective = 1;
  } else if (outcome == Outcome::dual_infeasible) {
    const double factor = -1 / now_.primal_objective;
    for (double& v : solution.x) v *= factor;
    // X + F_0 + rest is Σ F_i x_i; the first is large beside the others.
    scale(solution.X, factor);
    solution.primal_objective = -1;
  }
}

Solution Solver::finish(Outcome outcome) {
  if (outcome == Outcome::stuck || outcome == Outcome::limit) {
    if (best_) {
      return_to(*best_);
      now_ = best_measures_;
    }
  }
  best_.reset();
  for (ConeState& cone : cones_) cone.release();
  Solution solution;
  solution.iterations = std::move(table_);
  solution.interrupted = interrupted_;
  solution.plan = plan();
  solution.x = x_;
  write_blocks(solution);
  solution.primal_objective = now_.primal_objective;
  solution.dual_objective = now_.dual_objective;
  solution.dimacs_errors = {now_.dual_error,           0, now_.primal_error, 0, now_.gap(),
                            now_.product / now_.size()};
  scale_certificate(outcome, solution);
  switch (outcome) {
    case Outcome::optimal:
      solution.status = Status::optimal;
      break;
    case Outcome::primal_infeasible:
      solution.status = Status::primal_infeasible;
      break;
    case Outcome::dual_infeasible:
      solution.status = Status::dual_infeasible;
      break;
    case Outcome::limit:
      solution.status = Status::limit;
      break;
    default:
      solution.status = now_.worst() <= 1000 * options_.tolerance ? Status::near_optimal
                                                                  : Status::numerical_failure;
  }
  return solution;
}

}  // namespace kinjo::sdp::detail
