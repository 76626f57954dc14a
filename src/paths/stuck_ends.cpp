#include "paths/stuck_ends.hpp"

#include <algorithm>
#include <numeric>

namespace kinjo::paths::detail {

namespace {

/// To look next to a vertex of so many undecided edges takes longer than it saves.
constexpr std::size_t kManyEdges = 32;

}  // namespace

StuckEnds::StuckEnds(const Frontier& frontier, std::size_t vertices)
    : frontier_(frontier), begins_(vertices + 1), outside_(vertices), places_(vertices) {
  for (const Step& step : frontier.steps) {
    ++begins_[step.a.vertex + 1];
    ++begins_[step.b.vertex + 1];
  }
  std::copy(begins_.begin() + 1, begins_.end(), outside_.begin());
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  next_.assign(begins_.begin(), begins_.end() - 1);
  others_.resize(begins_.back());
  for (const Step& step : frontier.steps) {
    others_[next_[step.a.vertex]++] = step.b.vertex;
    others_[next_[step.b.vertex]++] = step.a.vertex;
  }
  next_.assign(begins_.begin(), begins_.end() - 1);
}

MaybeStuckList StuckEnds::step(States states, std::span<const Vertex> settled) {
  const Step& step = frontier_.steps[item_++];
  for (const End* end : {&step.a, &step.b}) {
    if (end->enters) enter(*end);
    ++next_[end->vertex];
    places_[end->vertex].is_in = !end->leaves;
  }
  here_ = waiting_.size();
  for (const End* end : {&step.a, &step.b}) look_near(end->vertex);
  for (const Vertex v : settled) look_near(v);
  MaybeStuckList list;
  if (states == States::pass) return list;
  const auto first = states == States::stay ? waiting_.begin() + static_cast<std::ptrdiff_t>(here_)
                                            : waiting_.begin();
  auto last = first;
  for (; last != waiting_.end() && list.count < MaybeStuckList::kMost; ++last) add(*last, list);
  if (states == States::stay) return list;
  for (auto v = first; v != last; ++v) places_[*v].waits = false;
  waiting_.erase(first, last);
  return list;
}

void StuckEnds::enter(const End& end) {
  places_[end.vertex].slot = end.slot;
  for (const Vertex other : undecided(end.vertex)) --outside_[other];
}

void StuckEnds::look_near(Vertex v) {
  look_at(v);
  const std::span<const Vertex> others = undecided(v);
  if (others.size() > kManyEdges) return;
  for (const Vertex other : others) look_at(other);
}

void StuckEnds::look_at(Vertex v) {
  if (!may_be_stuck(v)) return;
  if (places_[v].waits) {
    // Behind those that are not near this item.
    const auto at = std::ranges::find(waiting_, v);
    if (static_cast<std::size_t>(at - waiting_.begin()) >= here_) return;
    std::rotate(at, at + 1, waiting_.end());
    --here_;
    return;
  }
  places_[v].waits = true;
  waiting_.push_back(v);
}

/// Not an untouched vertex alone: whether all it can still be joined to is in the frontier.
bool StuckEnds::may_be_stuck(Vertex v) const {
  const std::size_t edges = undecided(v).size();
  return places_[v].is_in && outside_[v] == 0 && edges != 0 && edges <= MaybeStuck::kMostEdges;
}

void StuckEnds::add(Vertex v, MaybeStuckList& list) const {
  if (!may_be_stuck(v)) return;  // has left since
  MaybeStuck& stuck = list.list[list.count++];
  stuck.slot = places_[v].slot;
  for (const Vertex other : undecided(v)) stuck.neighbours[stuck.edges++] = places_[other].slot;
}

}  // namespace kinjo::paths::detail
