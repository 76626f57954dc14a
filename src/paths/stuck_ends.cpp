#include "paths/stuck_ends.hpp"

#include <algorithm>

namespace kinjo::paths::detail {

namespace {

/// To look next to a vertex of so many undecided edges takes longer than it saves.
constexpr std::size_t kManyEdges = 32;

}  // namespace

StuckEnds::StuckEnds(const UndecidedEdges& undecided)
    : undecided_(undecided), places_(undecided.vertices()) {
  outside_.reserve(undecided.vertices());
  for (Vertex v = 0; v < undecided.vertices(); ++v) {
    outside_.push_back(static_cast<std::uint32_t>(undecided.of(v).size()));
  }
}

MaybeStuckList StuckEnds::step(const Step& step, States states, std::span<const Vertex> settled) {
  if (step.a.enters) enter(step.a, step.b.vertex);
  if (step.b.enters) enter(step.b, step.a.vertex);
  for (const End* end : {&step.a, &step.b}) places_[end->vertex].is_in = !end->leaves;
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

/// The edge to `partner`, by which it enters, is decided.
void StuckEnds::enter(const End& end, Vertex partner) {
  places_[end.vertex].slot = end.slot;
  --outside_[partner];
  for (const Vertex other : undecided_.of(end.vertex)) --outside_[other];
}

void StuckEnds::look_near(Vertex v) {
  look_at(v);
  const std::span<const Vertex> others = undecided_.of(v);
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

/// Whether it has few undecided edges, and all of them to vertices in the frontier. Which of those
/// are inside is for each state to say.
bool StuckEnds::may_be_stuck(Vertex v) const {
  if (outside_[v] != 0 || !places_[v].is_in) return false;
  const std::size_t edges = undecided_.of(v).size();
  return edges != 0 && edges <= MaybeStuck::kMostEdges;
}

void StuckEnds::add(Vertex v, MaybeStuckList& list) const {
  if (!may_be_stuck(v)) return;  // has left since
  MaybeStuck& stuck = list.list[list.count++];
  stuck.slot = places_[v].slot;
  for (const Vertex other : undecided_.of(v)) stuck.neighbours[stuck.edges++] = places_[other].slot;
}

}  // namespace kinjo::paths::detail
