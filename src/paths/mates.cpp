#include "paths/mates.hpp"

#include <utility>

namespace kinjo::paths::detail {

MateSteps::MateSteps(Frontier f, MateRules r) : frontier(std::move(f)), rules(std::move(r)) {
  SlotSet now;
  for (std::size_t item = 0; item < frontier.steps.size(); ++item) {
    const Step& step = frontier.steps[item];
    for (const End* end : {&step.a, &step.b}) {
      if (!end->enters || !rules.required[end->vertex]) continue;
      now.set(end->slot);
      last_requirement = item;
    }
    required.push_back(now);
    for (const End* end : {&step.a, &step.b}) {
      if (end->leaves) now.reset(end->slot);
    }
  }
}

}  // namespace kinjo::paths::detail
