/// The iterate (x, X, Y), the direction (dx, dX, dY), and what is computed of one cone at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sdp/crew.hpp"
#include "sdp/elements.hpp"
#include "sdp/model.hpp"
#include "sdp/rank_one.hpp"
#include "sdp/sparse_factor.hpp"

namespace kinjo::sdp::detail {

/// Matrices n × n, full, by columns.
using Square = std::vector<double>;

/// Half of a symmetric one: (i, j), i ≤ j, at j (j + 1)/2 + i.
using Packed = std::vector<double>;
/// The half of a symmetric square into `half`, and back.
void pack(const Square& square, std::size_t n, Packed& half);
void unpack(const Packed& half, std::size_t n, Square& square);

/// How X − Σ F_i x_i + F_0 stands.
enum class Primal { infeasible, feasible };

/// One cone's part of all.
class ConeState {
 public:
  explicit ConeState(const Cone& cone);
  /// Bytes that `allocate` takes, and what must be done before `start`.
  std::uint64_t bytes() const;
  void allocate();
  /// Keeps X and Y alone.
  void release();

  std::size_t order() const { return n_; }
  bool sparse() const { return sparse_.has_value(); }
  ConeMatrices matrices() const { return {inverse_.data(), y_.data()}; }
  const Square& x() const { return x_; }
  const Square& y() const { return y_; }
  Square& x() { return x_; }
  Square& y() { return y_; }

  /// X ← a·I, Y ← b·I.
  void start(double a, double b);
  /// Factors of X and Y. False if one is not positive definite.
  bool factorise(const Crew& crew);
  /// X⁻¹, from its factor.
  void invert(const Crew& crew);

  /// Σ F_i x_i − F_0 − X into `rest`; returns its squared norm.
  double find_rest(const std::vector<double>& x);
  /// X ← Σ F_i x_i − F_0: from now on (P) is feasible, and there is no rest.
  void set_x(const std::vector<double>& x);

  /// What of dY does not depend on dX: −X⁻¹ (rest Y + second), symmetrised; second is dX dY of the
  /// predictor, whose dx is given, or nothing. It lies in dY's place until `set_dy`, and dX is
  /// lost.
  enum class Second { none, predictor };
  void find_fixed(const Crew& crew, Primal primal, Second second, const std::vector<double>& dx);
  const Square& fixed() const { return dy_; }
  /// dX ← rest + Σ F_i dx_i.
  void set_dx(const std::vector<double>& dx, Primal primal);
  /// dY ← βμ X⁻¹ − Y − sym(X⁻¹ (dX Y + second)).
  void set_dy(const Crew& crew, double target, Primal primal, Second second,
              const std::vector<double>& dx);
  /// dX += D, dY −= sym(X⁻¹ D Y) for D = Σ F_i delta_i.
  void add_direction(const Crew& crew, const std::vector<double>& delta);
  /// The identity in X⁻¹'s and Y's place, until the next direction is computed.
  ConeMatrices identity();
  /// F_i • Σ F_j x_j added to products[i].
  void add_gram_products(const std::vector<double>& x, std::vector<double>& products);
  /// dY += Σ F_i delta_i.
  void move_dy(const std::vector<double>& delta) { add_combination(delta, dy_); }
  /// F_i • W added to sums[i], W one of these times a factor.
  void add_products(const Square& w, double factor, std::vector<double>& sums) const;
  const Square& inverse() const { return inverse_; }
  const Square& dx() const { return dx_; }
  const Square& dy() const { return dy_; }

  /// The least eigenvalue of L⁻¹ dX L⁻ᵀ, X = L Lᵀ, or a lower bound of it near by; of Y likewise.
  double least_primal(const Crew& crew) const;
  double least_dual(const Crew& crew) const;
  /// X ← X + a dX, Y ← Y + b dY.
  void step(double a, double b);
  double constant_product() const;  ///< F_0 • Y
  double constant_terms() const;    ///< the absolute values of its terms

 private:
  void add_combination(const std::vector<double>& factors, Square& to) const;
  void find_moving();
  void find_pattern();
  void multiply_moving(const Crew& crew, const std::vector<double>& factors, const Square& y,
                       Square& result, double beta) const;
  void multiply_dx(const Crew& crew, Primal primal, const std::vector<double>& factors,
                   const Square& y, Square& result, double beta) const;
  void multiply_pattern(const Crew& crew, const Square& d, const Square& y, Square& result,
                        double beta) const;
  void multiply_by(const Crew& crew, const std::vector<Position>& positions,
                   const std::vector<double>& values, const std::vector<double>& outer_factors,
                   const Square& y, Square& result, double beta) const;
  void apply_inverse(const Crew& crew, const Square& m, Square& result) const;

  const Cone& cone_;
  std::size_t n_;
  Square x_, y_, inverse_, dx_, dy_, factor_x_, factor_y_;
  Square second_;                       ///< dX dY of the predictor; scratch once dY is there
  Square rest_;                         ///< of (P), from `find_rest` to `set_dx`; then scratch
  std::optional<SparseFactor> sparse_;  ///< of X, on the aggregate pattern
  std::vector<Position> pattern_;       ///< of X, where that is used
  /// Once (P) is feasible dX is Σ F_i dx_i: of few entries, but for some F_i of rank one. Empty
  /// where these are not few.
  struct Outer {
    Index constraint;
    RankOne product;
  };
  std::vector<Outer> outers_;
  std::vector<std::size_t> thin_;     ///< slots of the other constraints
  std::vector<Position> moving_;      ///< positions of theirs
  std::vector<Index> moving_places_;  ///< of their terms among these
  bool few_moving_ = false;           ///< so few that products use them
  bool few_pattern_ = false;          ///< the same for X's own
};

}  // namespace kinjo::sdp::detail
