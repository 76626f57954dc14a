/// Depths from parents: from each vertex upwards until a depth is known, and down again.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>

namespace kinjo::graph {

namespace {

constexpr std::int32_t kUnreached = -1;
constexpr std::int32_t kUnknown = -2;
constexpr std::int32_t kOnTheWay = -3;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

template <class Parent>
class Climber {
 public:
  Climber(std::span<const Parent> parents, std::span<std::int32_t> depths)
      : parents_(parents), depths_(depths) {}

  void settle(std::size_t v) {
    way_.clear();
    while (depths_[v] == kUnknown) {
      depths_[v] = kOnTheWay;
      way_.push_back(v);
      v = above(v);
    }
    if (depths_[v] == kOnTheWay && static_cast<std::size_t>(parents_[v]) != v) {
      refuse(fmt::format("the parents of vertex {} go round in a circle", v));
    }
    if (depths_[v] == kUnreached) {
      refuse(fmt::format("vertex {} is reached, and its parent {} is not", way_.back(), v));
    }
    std::int32_t depth = depths_[v] == kOnTheWay ? -1 : depths_[v];
    for (auto each = way_.rbegin(); each != way_.rend(); ++each) depths_[*each] = ++depth;
  }

 private:
  std::size_t above(std::size_t v) const {
    const Parent parent = parents_[v];
    if (parent < 0 || static_cast<std::size_t>(parent) >= parents_.size()) {
      refuse(fmt::format("vertex {} has the parent {}: expected a vertex below {}, or -1", v,
                         parent, parents_.size()));
    }
    return static_cast<std::size_t>(parent);
  }

  std::span<const Parent> parents_;
  std::span<std::int32_t> depths_;
  std::vector<std::size_t> way_;
};

template <class Parent>
void find_depths(std::span<const Parent> parents, std::span<std::int32_t> depths) {
  if (parents.size() != depths.size()) {
    refuse(fmt::format("{} depths of {} parents: expected as many", depths.size(), parents.size()));
  }
  for (std::size_t v = 0; v < parents.size(); ++v) {
    depths[v] = parents[v] == -1 ? kUnreached : kUnknown;
  }
  Climber<Parent> climber(parents, depths);
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (depths[v] == kUnknown) climber.settle(v);
  }
}

}  // namespace

void depths_of(std::span<const std::int32_t> parents, std::span<std::int32_t> depths) {
  find_depths(parents, depths);
}
void depths_of(std::span<const std::int64_t> parents, std::span<std::int32_t> depths) {
  find_depths(parents, depths);
}

}  // namespace kinjo::graph
