#include "paths/diagram/weights.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "paths/diagram/column.hpp"

namespace kinjo::paths {

namespace detail {

void check_weights(const DiagramData& diagram, std::span<const double> weights) {
  if (weights.size() != diagram.items()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} weights for {} items: expected one for each", weights.size(),
                            diagram.items()));
  }
  for (std::size_t item = 0; item < weights.size(); ++item) {
    if (std::isfinite(weights[item])) continue;
    throw Error(
        Errc::invalid_argument,
        fmt::format("item {} has the weight {}: expected a finite number", item, weights[item]));
  }
}

double weight_of(const Set& set, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = set.size(); i-- > 0;) sum += weights[set[i]];
  return sum;
}

namespace {

/// `combine(item, ref, lo's value, hi's value)` for every node from the last item up; the root's.
template <class Combine>
double sweep(const DiagramData& diagram, double bottom, double top, Combine&& combine) {
  RecentColumn<double> values{Window(diagram)};
  values[kBottom] = bottom;
  values[kTop] = top;
  visit_upward(diagram, [&](std::size_t item, NodeRef ref, const PackedNode& node) {
    values[ref] = combine(item, ref, values[node.lo()], values[node.hi()]);
  });
  return values[diagram.root];
}

/// The set with the smallest sum of `sign` times its weights: which branch is the better one is
/// kept as a bit for each node.
std::optional<WeightedSet> best(const DiagramData& diagram, std::span<const double> weights,
                                double sign) {
  check_weights(diagram, weights);
  if (diagram.root == kBottom) return std::nullopt;
  std::vector<bool> takes(diagram.nodes);
  sweep(diagram, std::numeric_limits<double>::infinity(), 0,
        [&](std::size_t item, NodeRef ref, double lo, double hi) {
          const double with = hi + sign * weights[item];
          takes[ref - kFirstNode] = with <= lo;
          return std::min(with, lo);
        });
  WeightedSet found;
  std::size_t item = 0;
  for (NodeRef ref = diagram.root; ref >= kFirstNode;) {
    item = diagram.item_from(item, ref);
    const bool take = takes[ref - kFirstNode];
    if (take) found.set.push_back(static_cast<Item>(item));
    ref = take ? diagram[ref].hi() : diagram[ref].lo();
  }
  found.weight = weight_of(found.set, weights);
  return found;
}

}  // namespace

}  // namespace detail

double Diagram::weighted_sum(std::span<const double> weights) const {
  detail::check_weights(*data_, weights);
  return detail::sweep(*data_, 0, 1, [&](std::size_t item, NodeRef, double lo, double hi) {
    return lo + weights[item] * hi;
  });
}

std::optional<WeightedSet> Diagram::lightest(std::span<const double> weights) const {
  return detail::best(*data_, weights, 1);
}

std::optional<WeightedSet> Diagram::heaviest(std::span<const double> weights) const {
  return detail::best(*data_, weights, -1);
}

}  // namespace kinjo::paths
