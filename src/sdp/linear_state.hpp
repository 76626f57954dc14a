/// The linear inequalities' part of the iterate and of the direction: cones of order 1, as vectors.
/// Every function is that of `ConeState` of the same name.
#pragma once

#include <vector>

#include "sdp/model.hpp"
#include "sdp/state.hpp"

namespace kinjo::sdp::detail {

class LinearState {
 public:
  explicit LinearState(const Linear& linear, std::size_t constraints);

  std::size_t order() const { return x_.size(); }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  std::vector<double>& x() { return x_; }
  std::vector<double>& y() { return y_; }
  const std::vector<double>& dx() const { return dx_; }
  const std::vector<double>& dy() const { return dy_; }
  const std::vector<double>& fixed() const { return fixed_; }

  void start(double a, double b);
  bool positive() const;
  double find_rest(const std::vector<double>& x);
  void set_x(const std::vector<double>& x);
  void set_dx(const std::vector<double>& dx, Primal primal);
  void find_fixed(Primal primal, ConeState::Second second);
  void set_dy(double target, Primal primal, ConeState::Second second);
  void add_direction(const std::vector<double>& delta);
  void add_gram_products(const std::vector<double>& x, std::vector<double>& products) const;
  void move_dy(const std::vector<double>& delta) { add_combination(delta, dy_); }
  /// Σ_r F_i(r) w_r · factor added to sums[i].
  void add_products(const std::vector<double>& w, double factor, std::vector<double>& sums) const;
  /// The same for w = 1/x.
  void add_inverse_products(double factor, std::vector<double>& sums) const;
  double least_primal() const;
  double least_dual() const;
  void step(double a, double b);
  double constant_product() const;
  double constant_terms() const;

 private:
  void add_combination(const std::vector<double>& factors, std::vector<double>& to) const;

  const Linear& linear_;
  std::size_t constraints_;
  std::vector<double> x_, y_, dx_, dy_, rest_, fixed_, second_;
};

}  // namespace kinjo::sdp::detail
