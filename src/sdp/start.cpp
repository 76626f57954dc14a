#include "sdp/start.hpp"

#include <algorithm>
#include <cmath>

namespace kinjo::sdp::detail {

namespace {

double norm(std::span<const Term> terms) {
  double sum = 0;
  for (const Term& t : terms) sum += (t.row == t.column ? 1 : 2) * t.value * t.value;
  return std::sqrt(sum);
}

}  // namespace

StartScale start_scale(const Cone& cone, const std::vector<double>& costs) {
  const double n = static_cast<double>(cone.order()), root = std::sqrt(n);
  double primal = norm(cone.constant);
  double dual = 0;
  for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
    const double size = norm(cone.terms_of(k));
    primal = std::max(primal, size);
    dual = std::max(dual, (1 + std::abs(costs[cone.constraints[k]])) / (1 + size));
  }
  return {std::max({10.0, root, root * primal}), std::max({10.0, root, n * dual})};
}

StartScale start_scale(const Linear& linear, const std::vector<double>& costs) {
  double primal = 0, dual = 0;
  for (const double v : linear.constant) primal = std::max(primal, std::abs(v));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    double square = 0;
    for (std::size_t e = linear.begins[i]; e < linear.begins[i + 1]; ++e) {
      square += linear.items[e].value * linear.items[e].value;
    }
    if (square == 0) continue;
    primal = std::max(primal, std::sqrt(square));
    dual = std::max(dual, (1 + std::abs(costs[i])) / (1 + std::sqrt(square)));
  }
  const double root = std::sqrt(static_cast<double>(linear.order()));
  return {std::max({10.0, root, primal}), std::max({10.0, root, root * dual})};
}

}  // namespace kinjo::sdp::detail
