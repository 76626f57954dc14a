#include "workload/paths_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinjo {

namespace {

/// With so many vertices in the frontier: the first terms of asymptotic series, of Motzkin words,
/// of those with an open bracket, and of partitions that do not cross.
double states_of(paths::Kind kind, double vertices) {
  const double size = std::max(vertices, 1.0);
  switch (kind) {
    case paths::Kind::forest:
    case paths::Kind::spanning_tree:
    case paths::Kind::components:
      return std::pow(4.0, size) / (1.77 * std::pow(size, 1.5));
    case paths::Kind::matching:
    case paths::Kind::degrees:
      return std::pow(2.0, size);
    case paths::Kind::cycle:
    case paths::Kind::hamiltonian_cycle:
      return 1.5 * std::pow(3.0, size) / std::pow(size, 1.5);
    default:
      return 1.5 * std::pow(3.0, size) / size;
  }
}

}  // namespace

std::vector<double> expected_states(const paths::Family& family) {
  std::vector<double> states{1};
  for (const std::uint32_t size : family.frontier_sizes()) {
    states.push_back(size == 0 ? 1 : states_of(family.kind(), size));
  }
  return states;
}

PathsEstimate::PathsEstimate(std::vector<double> expected) : left_(std::move(expected)) {
  for (std::size_t i = left_.size(); i-- > 1;) left_[i - 1] += left_[i];
}

void PathsEstimate::reach(std::size_t item, std::uint64_t states) {
  if (item <= item_) return;
  seen_ += states_ * static_cast<double>(item - item_);
  item_ = item;
  states_ = std::max(static_cast<double>(states), 1.0);
}

double PathsEstimate::done() const {
  if (item_ + 1 >= left_.size()) return 1;
  const double here = left_[item_] - left_[item_ + 1];
  const double left = left_[item_] * std::max(1.0, states_ / here);
  return seen_ / (seen_ + left);
}

}  // namespace kinjo
