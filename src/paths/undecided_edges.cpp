#include "paths/undecided_edges.hpp"

#include <numeric>

namespace kinjo::paths::detail {

UndecidedEdges::UndecidedEdges(const Frontier& frontier, std::size_t vertices)
    : begins_(vertices + 1) {
  for (const Step& step : frontier.steps) {
    ++begins_[step.a.vertex + 1];
    ++begins_[step.b.vertex + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  next_.assign(begins_.begin(), begins_.end() - 1);
  others_.resize(begins_.back());
  for (const Step& step : frontier.steps) {
    others_[next_[step.a.vertex]++] = step.b.vertex;
    others_[next_[step.b.vertex]++] = step.a.vertex;
  }
  next_.assign(begins_.begin(), begins_.end() - 1);
}

}  // namespace kinjo::paths::detail
