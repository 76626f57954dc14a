#include "paths/mate_steps.hpp"

#include <algorithm>
#include <utility>

namespace kinjo::paths::detail {

namespace {

/// Goes from item to item and says which vertices are settled, and where states do not stay for
/// that.
class Settling {
 public:
  explicit Settling(MateSteps& steps)
      : steps_(steps), undecided_(steps.frontier, steps.rules.required.size()), stuck_(undecided_) {
    steps_.settled.reserve(steps_.frontier.steps.size());
    steps_.stay.reserve(steps_.frontier.steps.size());
    steps_.maybe_stuck.reserve(steps_.frontier.steps.size());
  }

  void step(std::size_t item) {
    const Step& step = steps_.frontier.steps[item];
    undecided_.decide(step);
    for (const End* end : {&step.a, &step.b}) {
      if (undecided_.of(end->vertex).size() == 1) waiting_.push_back(*end);
    }
    std::erase_if(waiting_, [&](const End& end) { return undecided_.of(end.vertex).empty(); });
    const bool stays = could_stay(step) && !pays_to_thin(item);
    steps_.stay.push_back(stays);
    settle(!stays, item);
    using enum StuckEnds::States;
    const auto states = stays ? stay : step.hands_over ? pass : change;
    steps_.maybe_stuck.push_back(stuck_.step(step, states, settled_));
  }

 private:
  /// So many vertices for whom it pays to go over all states: sixteen that differ in which of them
  /// are inside become one.
  static constexpr std::size_t kManyWaiting = 4;

  /// Whether states would stay if none were settled there or found dead. What an edge has made of
  /// its ends it cannot be taken for again: one is inside, or both are mates. To close a cycle so
  /// would be no death, so cycles do not stay.
  bool could_stay(const Step& step) const {
    const auto stays = [&](const End& end) {
      return !end.leaves && !(end.enters && steps_.rules.terminal[end.vertex]);
    };
    return steps_.rules.shape == Shape::path && stays(step.a) && stays(step.b);
  }

  /// Of those who wait, if states change at an item.
  void settle(bool change, std::size_t item) {
    settled_.clear();
    Settled& here = steps_.settled.emplace_back();
    if (!change) return;
    most_ends_ = std::min(most_ends_, steps_.most_ends[item]);
    while (!waiting_.empty() && here.count < kMostSettled) {
      here.slots[here.count++] = waiting_.back().slot;
      settled_.push_back(waiting_.back().vertex);
      waiting_.pop_back();
    }
  }

  /// States go on in place more cheaply, but those that are there already are not looked at.
  bool pays_to_thin(std::size_t item) const {
    return steps_.most_ends[item] < most_ends_ || waiting_.size() >= kManyWaiting;
  }

  MateSteps& steps_;
  UndecidedEdges undecided_;
  std::vector<End> waiting_;     ///< with one undecided edge, and not settled yet
  std::vector<Vertex> settled_;  ///< at this item
  StuckEnds stuck_;
  unsigned most_ends_ = kAnyEnds;  ///< that states have which were gone over last
};

}  // namespace

MateSteps::MateSteps(Frontier f, MateRules r)
    : frontier(std::move(f)),
      rules(std::move(r)),
      most_ends(detail::most_ends(frontier, rules.terminal)) {
  Settling settling(*this);
  required.reserve(frontier.steps.size());
  SlotSet now;
  for (std::size_t item = 0; item < frontier.steps.size(); ++item) {
    const Step& step = frontier.steps[item];
    settling.step(item);
    if (step.hands_over) now.reset(step.a.slot);
    for (const End* end : {&step.a, &step.b}) {
      if (!end->enters || !rules.required[end->vertex]) continue;
      now.set(end->slot);
      last_requirement = item;
    }
    required.push_back(now);
    for (const End* end : {&step.a, &step.b}) {
      if (end->leaves && !step.hands_over) now.reset(end->slot);
    }
  }
}

void MateSteps::sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
  const Step& step = frontier.steps[item];
  const MaybeStuckList& stuck = maybe_stuck[item];
  const SlotSet& slots = required[item];
  detail::sign(step, signature);
  std::uint64_t counts = most_ends[item];
  counts = counts << 10 | slots.count();
  counts = counts << 4 | stuck.count;
  counts = counts << 4 | settled[item].count;
  for (const End* end : {&step.a, &step.b}) {
    counts = counts << 2 | (rules.terminal[end->vertex] ? 2U : 0U) |
             (rules.required[end->vertex] ? 1U : 0U);
  }
  counts = counts << 3 | (item + 1 == frontier.steps.size() ? 4U : 0U) |
           (item >= last_requirement ? 2U : 0U) | (stay[item] ? 1U : 0U);
  signature.push_back(counts);
  if (slots.any()) {
    for (std::size_t slot = 0; slot < frontier.slots; ++slot) {
      if (slots[slot]) signature.push_back(slot);
    }
  }
  static_assert(MaybeStuck::kMostEdges == 2);
  for (const auto& [slot, edges, neighbours] : stuck.all()) {
    signature.push_back(std::uint64_t{slot} << 48 | std::uint64_t{edges} << 32 |
                        std::uint64_t{neighbours[0]} << 16 | neighbours[1]);
  }
  for (unsigned i = 0; i < settled[item].count; ++i) signature.push_back(settled[item].slots[i]);
}

MateEnd::MateEnd(const MateSteps& steps, const End& end)
    : slot(end.slot),
      enters_as_terminal(end.enters && steps.rules.terminal[end.vertex]),
      leaves(end.leaves),
      required(steps.rules.required[end.vertex]) {}

MateItem::MateItem(const MateSteps& steps, std::size_t item)
    : a(steps, steps.frontier.steps[item].a),
      b(steps, steps.frontier.steps[item].b),
      shape(steps.rules.shape),
      hands_over(steps.frontier.steps[item].hands_over),
      heir_is_terminal(hands_over && std::exchange(b.enters_as_terminal, false)),
      is_last(item + 1 == steps.frontier.steps.size()),
      stays(steps.stay[item]),
      may_complete(item >= steps.last_requirement),
      slots(steps.frontier.slots),
      required(steps.required[item]),
      settled_count(steps.settled[item].count),
      settled(steps.settled[item].slots),
      most_ends(steps.most_ends[item]),
      maybe_stuck(steps.maybe_stuck[item]) {}

}  // namespace kinjo::paths::detail
