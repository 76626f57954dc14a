/// Compares what is measured between nodes with what the firmware says (SLIT's distances, HMAT): by
/// ratios of medians between their bounds, so that only what cannot be chance is called a
/// contradiction.
#include <fmt/format.h>

#include "measure/firmware.hpp"

namespace kinjo {

namespace {

constexpr double kClearly = 1.05;      // slower by so much is slower
constexpr double kFarOff = 3;          // of what a distance says above the local one
constexpr double kFarFromTable = 2;    // of what the HMAT says
constexpr double kSmallExcess = 0.05;  // distances that differ less say nothing that can be checked

/// A ratio of two medians, between the bounds that theirs give.
struct Ratio {
  double low;
  double high;
};

Ratio ratio_of(const Figure& a, const Figure& b) {
  return {a.summary.low / b.summary.high, a.summary.high / b.summary.low};
}

/// The figure if its bounds bound anything and nothing speaks against it.
const Figure* trusted(const std::optional<Figure>& figure) {
  const bool good = figure && figure->warning.empty() && figure->summary.count >= kLeastSamples &&
                    figure->summary.low > 0;
  return good ? &*figure : nullptr;
}

/// Read bandwidth of all threads, or of one where only that was measured.
const Figure* read_bandwidth(const NodePairProfile& pair) {
  const Figure* all = trusted(pair.all_threads.read);
  return all ? all : trusted(pair.one_thread.read);
}

std::string text_of(const Figure& figure) {
  const Summary& s = figure.summary;
  return fmt::format("{:.3g} {} ({:.3g} to {:.3g})", s.median, figure.unit, s.low, s.high);
}

/// Two memories as the same CPUs see them, the first one nearer by the firmware's distances.
struct Comparison {
  const NodePairProfile& near;
  const NodePairProfile& far;

  std::string introduction() const {
    return fmt::format(
        "the firmware says that node {} is nearer to node {}'s CPUs than node {} "
        "(distance {} against {})",
        near.memory_node, near.cpu_node, far.memory_node, *near.distance, *far.distance);
  }
};

void compare_nearer(const Comparison& c, std::vector<std::string>& found) {
  const Figure* near = trusted(c.near.latency_ns);
  const Figure* far = trusted(c.far.latency_ns);
  if (near && far && ratio_of(*near, *far).low > kClearly) {
    found.push_back(fmt::format("{}, but its latency is higher: {} against {}", c.introduction(),
                                text_of(*near), text_of(*far)));
  }
  near = read_bandwidth(c.near);
  far = read_bandwidth(c.far);
  if (near && far && ratio_of(*far, *near).low > kClearly) {
    found.push_back(fmt::format("{}, but it is read more slowly: {} against {}", c.introduction(),
                                text_of(*near), text_of(*far)));
  }
}

/// The CPUs' own memory against one that is further.
void compare_with_own(const NodePairProfile& own, const NodePairProfile& other,
                      std::vector<std::string>& found) {
  const Figure* near = trusted(own.latency_ns);
  const Figure* far = trusted(other.latency_ns);
  if (!near || !far) return;
  const double expected = static_cast<double>(*other.distance) / *own.distance;
  const double excess = expected - 1;
  if (excess < kSmallExcess) return;
  const Ratio ratio = ratio_of(*far, *near);
  if (ratio.high < 1 / kClearly) return;  // slower though nearer: that is said elsewhere
  const char* fault = nullptr;
  if (ratio.low <= 1 && ratio.high < 1 + excess / 2) {
    fault = "as fast as their own";
  } else if (ratio.high < 1 + excess / kFarOff) {
    fault = "much nearer than that";
  } else if (ratio.low > 1 + excess * kFarOff) {
    fault = "much further than that";
  }
  if (!fault) return;
  found.push_back(
      fmt::format("the firmware says that node {} is {:.3g} times as far from node {}'s CPUs as "
                  "their own memory (distance {} against {}), but it is {}: {} against {}, {:.3g} "
                  "to {:.3g} times",
                  other.memory_node, expected, own.cpu_node, *other.distance, *own.distance, fault,
                  text_of(*far), text_of(*near), ratio.low, ratio.high));
}

void compare_with_table(const NodePairProfile& pair, std::vector<std::string>& found) {
  const auto check = [&](const Figure* measured, std::optional<double> told, const char* what,
                         double unit) {
    if (!measured || !told) return;
    const double low = measured->summary.low / (*told * unit);
    const double high = measured->summary.high / (*told * unit);
    if (low <= kFarFromTable && high >= 1 / kFarFromTable) return;
    found.push_back(fmt::format(
        "the firmware's HMAT gives node {} a {} of {:.4g} {} from node "
        "{}'s CPUs, but {} was measured",
        pair.memory_node, what, *told * unit, measured->unit, pair.cpu_node, text_of(*measured)));
  };
  check(trusted(pair.latency_ns), pair.hmat_latency_ns, "read latency", 1);
  check(trusted(pair.all_threads.read), pair.hmat_read_mb_s, "read bandwidth", 1e-3);
}

}  // namespace

std::vector<std::string> find_contradictions(const NodesProfile& nodes) {
  std::vector<std::string> found;
  for (const NodePairProfile& a : nodes.pairs) {
    compare_with_table(a, found);
    if (!a.distance || *a.distance <= 0) continue;
    for (const NodePairProfile& b : nodes.pairs) {
      if (a.cpu_node != b.cpu_node || !b.distance || *a.distance >= *b.distance) continue;
      compare_nearer({a, b}, found);
      if (a.memory_node == a.cpu_node) compare_with_own(a, b, found);
    }
  }
  return found;
}

}  // namespace kinjo
