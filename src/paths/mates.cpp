#include "paths/mate_steps.hpp"

#include <algorithm>
#include <utility>

namespace kinjo::paths::detail {

namespace {

/// By vertex, how many edges it has.
std::vector<std::uint32_t> edges_of(const Frontier& frontier, std::size_t vertices) {
  std::vector<std::uint32_t> edges(vertices);
  for (const Step& step : frontier.steps) {
    ++edges[step.a.vertex];
    ++edges[step.b.vertex];
  }
  return edges;
}

}  // namespace

MateSteps::MateSteps(Frontier f, MateRules r) : frontier(std::move(f)), rules(std::move(r)) {
  std::vector<std::uint32_t> undecided = edges_of(frontier, rules.required.size());
  std::vector<End> waiting;  // with one undecided edge, and not settled yet
  required.reserve(frontier.steps.size());
  settled.reserve(frontier.steps.size());
  SlotSet now;
  for (std::size_t item = 0; item < frontier.steps.size(); ++item) {
    const Step& step = frontier.steps[item];
    if (step.hands_over) now.reset(step.a.slot);
    bool leaves = false;
    for (const End* end : {&step.a, &step.b}) {
      if (end->enters && rules.required[end->vertex]) {
        now.set(end->slot);
        last_requirement = item;
      }
      if (--undecided[end->vertex] == 1) waiting.push_back(*end);
      leaves = leaves || end->leaves;
    }
    std::erase_if(waiting, [&](const End& end) { return undecided[end.vertex] == 0; });
    required.push_back(now);
    Settled& here = settled.emplace_back();
    while (leaves && !waiting.empty() && here.count < kMostSettled) {
      here.slots[here.count++] = waiting.back().slot;
      waiting.pop_back();
    }
    for (const End* end : {&step.a, &step.b}) {
      if (end->leaves && !step.hands_over) now.reset(end->slot);
    }
  }
}

void MateSteps::sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
  const Step& step = frontier.steps[item];
  detail::sign(step, signature);
  for (const End* end : {&step.a, &step.b}) {
    signature.push_back((rules.terminal[end->vertex] ? 2U : 0U) |
                        (rules.required[end->vertex] ? 1U : 0U));
  }
  signature.push_back((item + 1 == frontier.steps.size() ? 2U : 0U) |
                      (item >= last_requirement ? 1U : 0U));
  signature.push_back(required[item].count());
  for (std::size_t slot = 0; slot < frontier.slots; ++slot) {
    if (required[item][slot]) signature.push_back(slot);
  }
  signature.push_back(settled[item].count);
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
      may_complete(item >= steps.last_requirement),
      slots(steps.frontier.slots),
      required(steps.required[item]),
      settled_count(steps.settled[item].count),
      settled(steps.settled[item].slots) {}

}  // namespace kinjo::paths::detail
