#include "paths/end_bound.hpp"

#include <cstddef>

namespace kinjo::paths::detail {

namespace {

/// A cover of the edges behind an item, as one goes from the last item to the first.
class Cover {
 public:
  Cover(const Frontier& frontier, const std::vector<bool>& terminal)
      : terminal_(terminal), entry_(terminal.size()), covers_(terminal.size()) {
    for (std::size_t item = 0; item < frontier.steps.size(); ++item) {
      const Step& step = frontier.steps[item];
      for (const End* end : {&step.a, &step.b}) {
        if (end->enters) entry_[end->vertex] = item;
      }
    }
  }

  /// Goes before an item, whose edge is undecided from then on.
  void step_back(const Step& step) {
    for (const End* end : {&step.a, &step.b}) {
      if (end->enters && covers_[end->vertex] && terminal_[end->vertex]) --ends_;
    }
    const Vertex a = step.a.vertex, b = step.b.vertex;
    if (covers_[a] || covers_[b]) return;
    // Who enters later has more of the edges that follow.
    const bool is_a = entry_[a] > entry_[b];
    const Vertex chosen = is_a ? a : b;
    covers_[chosen] = true;
    ends_ += terminal_[chosen] && (is_a ? step.a : step.b).enters ? 1 : 2;
  }
  unsigned ends() const { return ends_; }

 private:
  const std::vector<bool>& terminal_;
  std::vector<std::size_t> entry_;  ///< by vertex, the item at which it enters
  std::vector<bool> covers_;        ///< by vertex
  unsigned ends_ = 0;               ///< that it can do with
};

}  // namespace

std::vector<unsigned> most_ends(const Frontier& frontier, const std::vector<bool>& terminal) {
  std::vector<unsigned> most(frontier.steps.size());
  Cover cover(frontier, terminal);
  for (std::size_t item = most.size(); item-- > 0;) {
    // Few states have ends for most of their slots, and to count them takes as long as a decision.
    most[item] = 2 * cover.ends() <= frontier.sizes[item] ? cover.ends() : kAnyEnds;
    cover.step_back(frontier.steps[item]);
  }
  return most;
}

}  // namespace kinjo::paths::detail
