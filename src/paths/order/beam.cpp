#include "paths/order/beam.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace kinjo::paths::detail {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class BeamSearch {
 public:
  BeamSearch(const Neighbours& neighbours, std::size_t width)
      : neighbours_(neighbours), width_(width) {
    beam_.push_back({Sweep(neighbours)});
  }

  std::vector<Vertex> run() {
    for (auto choices = find_choices(); !choices.empty(); choices = find_choices()) {
      std::ranges::sort(choices, {}, [](const Choice& c) {
        return std::tuple(c.cost, c.frontier, c.parent, c.vertex);
      });
      take(choices);
    }
    return order();
  }

 private:
  struct State {
    Sweep sweep;
    double cost = 0;
    std::size_t trail = kNone;
  };
  struct Choice {
    double cost = 0;
    std::size_t frontier = 0, parent = 0;
    Vertex vertex = 0;
  };
  /// A vertex that was finished, and what was before it.
  struct Mark {
    Vertex vertex = 0;
    std::size_t before = kNone;
  };

  std::vector<Choice> find_choices() const {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < beam_.size(); ++i) {
      const Sweep& sweep = beam_[i].sweep;
      const bool is_start = sweep.frontier() == 0;
      for (Vertex v = 0; v < neighbours_.size(); ++v) {
        if (!(is_start ? sweep.is_new(v) : sweep.in_frontier(v))) continue;
        const Sweep::Step step = sweep.step(v);
        choices.push_back({beam_[i].cost + step.cost, step.frontier, i, v});
      }
    }
    return choices;
  }

  void take(const std::vector<Choice>& choices) {
    std::vector<State> next;
    std::unordered_set<std::uint64_t> known;
    for (const Choice& choice : choices) {
      if (next.size() == width_ || choice.cost >= best_cost_) break;
      State state = beam_[choice.parent];
      state.sweep.finish(choice.vertex);
      if (!known.insert(state.sweep.fingerprint()).second) continue;
      state.cost = choice.cost;
      trail_.push_back({choice.vertex, std::exchange(state.trail, trail_.size())});
      if (is_whole(state.sweep)) {
        best_cost_ = state.cost;
        best_ = state.trail;
      } else {
        next.push_back(std::move(state));
      }
    }
    beam_ = std::move(next);
  }

  bool is_whole(const Sweep& sweep) const {
    if (sweep.frontier() > 0) return false;
    for (Vertex v = 0; v < neighbours_.size(); ++v) {
      if (!sweep.is_finished(v)) return false;
    }
    return true;
  }

  std::vector<Vertex> order() const {
    std::vector<Vertex> order;
    std::vector<bool> is_there(neighbours_.size());
    for (std::size_t i = best_; i != kNone; i = trail_[i].before) {
      order.push_back(trail_[i].vertex);
      is_there[trail_[i].vertex] = true;
    }
    std::ranges::reverse(order);
    for (Vertex v = 0; v < neighbours_.size(); ++v) {
      if (!is_there[v]) order.push_back(v);  // its edges were decided by its neighbours
    }
    return order;
  }

  const Neighbours& neighbours_;
  std::size_t width_;
  std::vector<State> beam_;
  std::vector<Mark> trail_;
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::size_t best_ = kNone;
};

}  // namespace

std::vector<Vertex> beam_order(const Neighbours& neighbours, std::size_t width) {
  return BeamSearch(neighbours, width).run();
}

}  // namespace kinjo::paths::detail
