#include "sdp/linear_state.hpp"

#include <algorithm>
#include <cmath>

namespace kinjo::sdp::detail {

LinearState::LinearState(const Linear& linear, std::size_t constraints)
    : linear_(linear), constraints_(constraints) {
  for (auto* v : {&x_, &y_, &dx_, &dy_, &rest_, &fixed_, &second_}) v->resize(linear.order());
}

void LinearState::start(double a, double b) {
  std::ranges::fill(x_, a);
  std::ranges::fill(y_, b);
}

bool LinearState::positive() const {
  const auto good = [](double v) { return v > 0; };
  return std::ranges::all_of(x_, good) && std::ranges::all_of(y_, good);
}

/// to += Σ F_i factors[i].
void LinearState::add_combination(const std::vector<double>& factors,
                                  std::vector<double>& to) const {
  for (std::size_t i = 0; i < constraints_; ++i) {
    for (std::size_t e = linear_.begins[i]; e < linear_.begins[i + 1]; ++e) {
      to[linear_.items[e].row] += linear_.items[e].value * factors[i];
    }
  }
}

double LinearState::find_rest(const std::vector<double>& x) {
  for (std::size_t r = 0; r < x_.size(); ++r) rest_[r] = -x_[r] - linear_.constant[r];
  add_combination(x, rest_);
  double sum = 0;
  for (const double v : rest_) sum += v * v;
  return sum;
}

void LinearState::set_x(const std::vector<double>& x) {
  find_rest(x);
  for (std::size_t r = 0; r < x_.size(); ++r) x_[r] += rest_[r];
  std::ranges::fill(rest_, 0.0);
}

void LinearState::set_dx(const std::vector<double>& dx, Primal primal) {
  if (primal == Primal::feasible) {
    std::ranges::fill(dx_, 0.0);
  } else {
    dx_ = rest_;
  }
  add_combination(dx, dx_);
}

void LinearState::find_fixed(Primal primal, ConeState::Second second) {
  for (std::size_t r = 0; r < x_.size(); ++r) {
    if (second == ConeState::Second::predictor) second_[r] = dx_[r] * dy_[r];
    const double product = (primal == Primal::infeasible ? rest_[r] * y_[r] : 0) +
                           (second == ConeState::Second::predictor ? second_[r] : 0);
    fixed_[r] = -product / x_[r];
  }
}

void LinearState::set_dy(double target, Primal, ConeState::Second second) {
  for (std::size_t r = 0; r < x_.size(); ++r) {
    const double extra = second == ConeState::Second::predictor ? second_[r] : 0;
    dy_[r] = (target - dx_[r] * y_[r] - extra) / x_[r] - y_[r];
  }
}

void LinearState::add_direction(const std::vector<double>& delta) {
  std::vector<double> d(x_.size(), 0.0);
  add_combination(delta, d);
  for (std::size_t r = 0; r < x_.size(); ++r) {
    dx_[r] += d[r];
    dy_[r] -= d[r] * y_[r] / x_[r];
  }
}

void LinearState::add_gram_products(const std::vector<double>& x,
                                    std::vector<double>& products) const {
  std::vector<double> sum(x_.size(), 0.0);
  add_combination(x, sum);
  add_products(sum, 1, products);
}

void LinearState::add_products(const std::vector<double>& w, double factor,
                               std::vector<double>& sums) const {
  for (std::size_t i = 0; i < constraints_; ++i) {
    double sum = 0;
    for (std::size_t e = linear_.begins[i]; e < linear_.begins[i + 1]; ++e) {
      sum += linear_.items[e].value * w[linear_.items[e].row];
    }
    sums[i] += factor * sum;
  }
}

void LinearState::add_inverse_products(double factor, std::vector<double>& sums) const {
  for (std::size_t i = 0; i < constraints_; ++i) {
    double sum = 0;
    for (std::size_t e = linear_.begins[i]; e < linear_.begins[i + 1]; ++e) {
      sum += linear_.items[e].value / x_[linear_.items[e].row];
    }
    sums[i] += factor * sum;
  }
}

namespace {

double least_ratio(const std::vector<double>& d, const std::vector<double>& v) {
  double least = 0;
  for (std::size_t r = 0; r < v.size(); ++r) least = std::min(least, d[r] / v[r]);
  return least;
}

}  // namespace

double LinearState::least_primal() const { return least_ratio(dx_, x_); }
double LinearState::least_dual() const { return least_ratio(dy_, y_); }

void LinearState::step(double a, double b) {
  for (std::size_t r = 0; r < x_.size(); ++r) {
    x_[r] += a * dx_[r];
    y_[r] += b * dy_[r];
  }
}

double LinearState::constant_product() const {
  double sum = 0;
  for (std::size_t r = 0; r < x_.size(); ++r) sum += linear_.constant[r] * y_[r];
  return sum;
}

double LinearState::constant_terms() const {
  double sum = 0;
  for (std::size_t r = 0; r < x_.size(); ++r) sum += std::abs(linear_.constant[r] * y_[r]);
  return sum;
}

}  // namespace kinjo::sdp::detail
