/// The loop of the interior-point method on a model (kinjo/sdp.hpp has the papers).
///
/// From multiples of the identity (sdp/start.hpp) each iteration
///
/// 1. measures: μ, the errors of both problems, and whether that is a solution or a certificate;
/// 2. forms the Schur complement B (sdp/elements.hpp) and its factor (sdp/schur.hpp);
/// 3. predicts, by the direction to μ = 0, what is in reach; β is what of μ that would leave;
/// 4. corrects: the direction to β μ, with the predictor's second order, refined against rounding;
/// 5. goes along it, in (P) and in (D) as far as X and Y stay definite (sdp/lanczos.hpp) times a
///    share of `gamma_star` or more.
///
/// Where x grows while the gap closes, this begins once more, with a larger X (`begin_higher`).
///
/// x, dx are vectors of a number for each constraint; X, Y, dX, dY are kept by cones
/// (sdp/state.hpp) and, of linear inequalities, as vectors (sdp/linear_state.hpp).
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <kinjo/sdp.hpp>

#include "sdp/crew.hpp"
#include "sdp/elements.hpp"
#include "sdp/linear_state.hpp"
#include "sdp/model.hpp"
#include "sdp/schur.hpp"
#include "sdp/state.hpp"

namespace kinjo::sdp::detail {

/// How good an iterate is.
struct Measures {
  double mu = 0, primal_error = 0, dual_error = 0;
  double primal_objective = 0, dual_objective = 0, product = 0;  ///< product: X • Y
  double rounding = 0;  ///< of the objectives: their terms may be huge and cancel each other

  double size() const;  ///< 1 + |primal objective| + |dual objective|
  double gap() const { return (primal_objective - dual_objective) / size(); }
  /// The largest of the DIMACS errors, X and Y being definite, as far as they are known; infinite
  /// if one is no number.
  double worst() const;
};

/// An iterate to come back to; without X where that is Σ F_i x_i − F_0. Of cones
/// only one triangle.
struct Point {
  std::vector<double> x;
  std::vector<Packed> cone_x, cone_y;
  std::vector<double> linear_x, linear_y;
};

/// Throws `Error` (`out_of_memory`) if that is more than the options, or the system, allow.
void check_memory(std::uint64_t bytes, const Options& options);

class Solver {
 public:
  Solver(Team& team, const Model& model, const Options& options);
  Plan plan() const;
  /// Takes the memory that the plan says, and solves. Throws `Error` (`out_of_memory`) if that is
  /// more than the options allow.
  Solution run();

 private:
  enum class Outcome { go_on, optimal, primal_infeasible, dual_infeasible, limit, stuck };
  struct Steps {
    double primal = 0, dual = 0;
  };

  void start();
  void begin(double raise);
  bool begin_higher();
  bool diverges() const;
  bool stands_still() const;
  Outcome iterate();
  void measure();
  Outcome judge() const;
  double extent() const;
  double terms_of_objectives() const;
  double rounding() const;
  double constant_norm() const;
  bool certifies_primal() const;
  bool certifies_dual() const;
  bool prepare();
  bool solve_direction(double target, ConeState::Second second);
  void refine_direction();
  void prepare_correction();
  void solve_gram(std::vector<double>& delta);
  void correct(const std::vector<double>& delta);
  Steps find_steps_of_whole();
  std::vector<double> dual_rest() const;
  void add_direction(const std::vector<double>& delta);
  Steps find_steps() const;
  double choose_beta(const Steps& predicted) const;
  bool go(const Steps& to, Steps& gone);
  bool take(const Steps& steps);
  void keep_best();
  bool record();
  Solution finish(Outcome outcome);
  void scale_certificate(Outcome outcome, Solution& solution) const;
  void write_blocks(Solution& solution) const;
  void keep(Point& point) const;
  void return_to(const Point& point);
  void enter(Phase phase) const {
    if (options_.enter) options_.enter(phase);
  }
  template <class F>
  void each_cone(F&& f);

  const Model& model_;
  Options options_;
  Crew crew_;
  std::size_t order_;
  std::vector<ConeState> cones_;
  LinearState linear_;
  std::vector<double> x_, dx_, rho_;  ///< rho: c_i − F_i • Y
  Schur schur_;
  Elements elements_;
  std::vector<ConeMatrices> matrices_;
  /// F_i • F_j, once dY had to be corrected: a sparse one, or a dense one's factor.
  std::optional<Schur> gram_;
  std::vector<double> gram_factor_;
  std::vector<double> corrected_;  ///< by what dY was corrected, if it was
  Primal primal_ = Primal::infeasible;
  /// The least `extent` since (P) is feasible and the gap is no longer wide.
  double least_extent_ = std::numeric_limits<double>::infinity();
  bool begun_higher_ = false;
  double cost_scale_ = 1, constant_scale_ = 1;
  std::vector<double> norms_;  ///< ‖F_i‖_F
  Measures now_;
  Steps last_steps_;
  double last_beta_ = 0;
  std::vector<Iteration> table_;
  bool interrupted_ = false;
  double best_error_ = 1e300;
  std::size_t best_at_ = 0;  ///< the iteration that last made a difference
  Measures best_measures_;
  std::optional<Point> best_;
};

/// Cones of less than this order are dealt to the threads; others are worth the whole team each.
inline constexpr std::size_t kLargeCone = 200;

template <class F>
void Solver::each_cone(F&& f) {
  double small = 0;
  for (ConeState& cone : cones_) {
    const double n = static_cast<double>(cone.order());
    if (cone.order() >= kLargeCone) {
      f(cone, crew_);
    } else {
      small += n * n * n;
    }
  }
  crew_.each(cones_.size(), small, [&](std::size_t c, std::size_t) {
    if (cones_[c].order() < kLargeCone) f(cones_[c], Crew());
  });
}

}  // namespace kinjo::sdp::detail
