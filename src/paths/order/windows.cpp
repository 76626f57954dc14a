#include "paths/order/windows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

namespace kinjo::paths::detail {

namespace {

constexpr int kMostPasses = 10;
/// Costs are sums in any order: less of a difference is none.
constexpr double kLess = 1 - 1e-9;

class Window {
 public:
  Window(Sweep& sweep, std::span<Vertex> vertices)
      : sweep_(sweep),
        vertices_(vertices),
        ends_(vertices.size()),
        steps_(vertices.size() << vertices.size()) {
    fill(0, 0);
  }

  /// Whether a cheaper order was found, and taken.
  bool improve() {
    find_cheapest();
    if (cheapest_.back() >= kLess * cost_as_it_is()) return false;
    const std::vector<Vertex> before(vertices_.begin(), vertices_.end());
    std::size_t set = cheapest_.size() - 1;
    for (std::size_t place = vertices_.size(); place-- > 0;
         set &= ~(std::size_t{1} << last_[set])) {
      vertices_[place] = before[last_[set]];
    }
    return true;
  }

 private:
  /// Notes the steps from `set`, in which `sweep_` is, and from those that vertices from `first` on
  /// make of it.
  void fill(std::size_t set, std::size_t first) {
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      if ((set >> i & 1) == 0) step(set, i) = sweep_.step(vertices_[i]).cost;
    }
    for (std::size_t i = first; i < vertices_.size(); ++i) {
      sweep_.ends(vertices_[i], ends_[i]);
      const bool is_finished = sweep_.is_finished(vertices_[i]);
      sweep_.finish(vertices_[i]);
      fill(set | std::size_t{1} << i, i + 1);
      if (!is_finished) sweep_.undo(vertices_[i], ends_[i]);
    }
  }

  void find_cheapest() {
    const std::size_t sets = std::size_t{1} << vertices_.size();
    cheapest_.assign(sets, std::numeric_limits<double>::infinity());
    last_.assign(sets, 0);
    cheapest_[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
      for (std::size_t rest = sets - 1 - set; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        const std::size_t next = set | std::size_t{1} << i;
        const double cost = cheapest_[set] + step(set, i);
        if (cost >= cheapest_[next]) continue;
        cheapest_[next] = cost;
        last_[next] = static_cast<std::uint8_t>(i);
      }
    }
  }

  double cost_as_it_is() const {
    double cost = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      cost += steps_[((std::size_t{1} << i) - 1) * vertices_.size() + i];
    }
    return cost;
  }

  double& step(std::size_t set, std::size_t i) { return steps_[set * vertices_.size() + i]; }

  Sweep& sweep_;
  std::span<Vertex> vertices_;
  std::vector<std::vector<Vertex>> ends_;  ///< a scratch list for each vertex
  std::vector<double> steps_;              ///< the cost of each step from each set
  std::vector<double> cheapest_;           ///< by set
  std::vector<std::uint8_t> last_;         ///< the vertex that comes last there
};

/// One window after another, each half behind the last. Whether anything changed.
bool pass(const Neighbours& neighbours, std::vector<Vertex>& order, std::size_t size) {
  Sweep sweep(neighbours);
  bool is_better = false;
  const std::size_t stride = std::max<std::size_t>(size / 2, 1);
  for (std::size_t begin = 0; begin < order.size(); begin += stride) {
    const std::size_t end = std::min(begin + size, order.size());
    is_better |= Window(sweep, std::span(order).subspan(begin, end - begin)).improve();
    for (std::size_t i = begin; i < std::min(begin + stride, end); ++i) sweep.finish(order[i]);
  }
  return is_better;
}

}  // namespace

void improve_by_windows(const Neighbours& neighbours, std::vector<Vertex>& order,
                        std::size_t size) {
  if (size < 2) return;
  for (int i = 0; i < kMostPasses && pass(neighbours, order, size); ++i) continue;
}

}  // namespace kinjo::paths::detail
