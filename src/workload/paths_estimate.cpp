#include "workload/paths_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// By size: in how many ways some elements are joined in pairs, each of the others in one of two
/// states.
std::vector<double> pairings(std::size_t most) {
  std::vector<double> ways{1, 2};
  while (ways.size() <= most) {
    const auto others = static_cast<double>(ways.size() - 1);
    ways.push_back(2 * ways.back() + others * ways[ways.size() - 2]);
  }
  return ways;
}

/// The same with one element or two joined with an end of a path that is no longer there.
std::vector<double> pairings_with_ends(std::size_t most) {
  const std::vector<double> pairs = pairings(most);
  std::vector<double> ways;
  for (std::size_t n = 0; n <= most; ++n) {
    const auto size = static_cast<double>(n);
    const double one = n < 1 ? 0 : 2 * size * pairs[n - 1];
    const double two = n < 2 ? 0 : size * (size - 1) * pairs[n - 2];
    ways.push_back(pairs[n] + one + two);
  }
  return ways;
}

/// By size: in how many ways a set is parted, Bell's numbers by Peirce's triangle.
std::vector<double> partitions(std::size_t most) {
  constexpr std::size_t kFinite = 219;  // then doubles overflow
  std::vector<double> ways{1}, row{1};
  while (ways.size() <= std::min(most, kFinite)) {
    std::vector<double> next{row.back()};
    for (const double above : row) next.push_back(next.back() + above);
    row = std::move(next);
    ways.push_back(row.front());
  }
  ways.resize(most + 1, std::numeric_limits<double>::infinity());
  return ways;
}

/// By size of the frontier, as far as it grows: states whose pairs and parts may cross.
std::vector<double> crossing_states(const paths::Problem& problem, std::size_t most) {
  const auto powers = [most](double base) {
    std::vector<double> ways{1};
    while (ways.size() <= most) ways.push_back(ways.back() * base);
    return ways;
  };
  switch (problem.kind) {
    case paths::Kind::forest:
    case paths::Kind::spanning_tree:
    case paths::Kind::components:
      return partitions(most);
    case paths::Kind::cycle:
    case paths::Kind::hamiltonian_cycle:
      return pairings(most);
    case paths::Kind::matching:
      return powers(2);
    case paths::Kind::degrees:
      return powers(problem.degrees.empty() ? 1 : 1.0 + std::ranges::max(problem.degrees));
    default:
      return pairings_with_ends(most);
  }
}

/// The states of a frontier of one size: `ways` where pairs and parts cross.
double most_of(const paths::Problem& problem, bool along_rows, const std::vector<double>& ways,
               std::size_t size) {
  constexpr double kWide = 1.25;  // what asymptotic series lack at most
  const bool is_planar = along_rows && problem.kind != paths::Kind::degrees;
  const double states =
      is_planar ? kWide * states_of(problem.kind, static_cast<double>(size)) : ways[size];
  // So many components have been closed, or none.
  const bool counts = problem.kind == paths::Kind::components;
  return counts ? states * (static_cast<double>(problem.components) + 1) : states;
}

}  // namespace

std::vector<double> most_states(const paths::Problem& problem, const paths::Family& family,
                                bool along_rows) {
  const std::vector<std::uint32_t>& sizes = family.frontier_sizes();
  const std::vector<double> ways =
      crossing_states(problem, sizes.empty() ? 0 : std::ranges::max(sizes));
  std::vector<double> states{1};
  for (const std::uint32_t size : sizes) {
    states.push_back(most_of(problem, along_rows, ways, size));
  }
  return states;
}

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
