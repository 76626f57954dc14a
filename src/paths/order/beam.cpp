#include "paths/order/beam.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>

namespace kinjo::paths::detail {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class BeamSearch {
 public:
  BeamSearch(const Neighbours& neighbours, std::size_t width)
      : neighbours_(neighbours), width_(width) {
    beam_.push_back({Sweep(neighbours), {}});
  }

  std::vector<Vertex> run() {
    for (auto choices = find_choices(); !choices.empty(); choices = find_choices()) {
      take(std::move(choices));
    }
    return order();
  }

 private:
  struct State {
    Sweep sweep;
    std::vector<Vertex> frontier;  ///< of the sweep
    double cost = 0;
    std::size_t trail = kNone;
  };
  struct Choice {
    double cost = 0;
    std::size_t frontier = 0, parent = 0;
    Vertex vertex = 0;

    auto operator<=>(const Choice&) const = default;
  };
  /// A vertex that was finished, and what was before it.
  struct Mark {
    Vertex vertex = 0;
    std::size_t before = kNone;
  };

  std::vector<Choice> find_choices() const {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < beam_.size(); ++i) {
      const State& state = beam_[i];
      const auto add = [&](Vertex v) {
        const Sweep::Step step = state.sweep.step(v);
        choices.push_back({state.cost + step.cost, step.frontier, i, v});
      };
      for (const Vertex v : state.frontier) add(v);
      if (!state.frontier.empty()) continue;
      for (Vertex v = 0; v < neighbours_.size(); ++v) {
        if (state.sweep.is_new(v)) add(v);
      }
    }
    return choices;
  }

  /// `state` when `v` has been finished.
  void finish(State& state, Vertex v) const {
    const auto fresh = [&](Vertex u) { return state.sweep.is_new(u); };
    std::ranges::copy_if(neighbours_.of(v), std::back_inserter(state.frontier), fresh);
    state.sweep.finish(v);
    std::erase_if(state.frontier, [&](Vertex u) { return !state.sweep.in_frontier(u); });
  }

  /// Goes on with the cheapest, of which only as many are put in order as are taken.
  void take(std::vector<Choice> choices) {
    std::vector<State> next;
    std::unordered_set<std::uint64_t> known;
    std::ranges::make_heap(choices, std::greater());
    for (; !choices.empty() && next.size() < width_; choices.pop_back()) {
      std::ranges::pop_heap(choices, std::greater());
      const Choice& choice = choices.back();
      if (choice.cost >= best_cost_) break;
      const State& parent = beam_[choice.parent];
      if (!known.insert(parent.sweep.fingerprint_after(choice.vertex)).second) continue;
      State state = parent;
      finish(state, choice.vertex);
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
