#include "sdp/start.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

StartScale start_scale(const Cone& cone, const std::vector<double>& costs) {
  const double n = static_cast<double>(cone.order()), root = std::sqrt(n);
  double primal = frobenius_norm(cone.constant);
  double dual = 0;
  for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
    const double size = frobenius_norm(cone.terms_of(k));
    primal = std::max(primal, size);
    dual = std::max(dual, (1 + std::abs(costs[cone.constraints[k]])) / (1 + size));
  }
  return {std::max({10.0, root, root * primal}), std::max({10.0, root, n * dual})};
}

StartScale start_scale(const Linear& linear, const std::vector<double>& costs) {
  double primal = 0, dual = 0;
  for (const double v : linear.constant) primal = std::max(primal, std::abs(v));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double size = weighted_norm(
        std::span(linear.items).subspan(linear.begins[i], linear.begins[i + 1] - linear.begins[i]),
        [](const Linear::Item& item) { return item.value; }, [](const Linear::Item&) { return 1; });
    if (size == 0) continue;
    primal = std::max(primal, size);
    dual = std::max(dual, (1 + std::abs(costs[i])) / (1 + size));
  }
  const double root = std::sqrt(static_cast<double>(linear.order()));
  return {std::max({10.0, root, primal}), std::max({10.0, root, root * dual})};
}

}  // namespace kinjo::sdp::detail
