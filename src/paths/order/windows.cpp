#include "paths/order/windows.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace kinjo::paths::detail {

namespace {

constexpr int kMostPasses = 10;
/// Costs are sums in any order: less of a difference is none.
constexpr double kLess = 1 - 1e-9;

/// Some vertices that a sweep finishes next, and the cheapest order of them: by sets of them, in
/// ascending order, so that all subsets come before a set.
class Window {
 public:
  Window(Sweep& sweep, std::span<Vertex> vertices)
      : sweep_(sweep), vertices_(vertices), ends_(vertices.size()) {}

  /// Whether a cheaper order was found, and taken.
  bool improve() {
    find_cheapest(kLess * cost_as_it_is());
    if (last_.back() == kNone) return false;
    const std::vector<Vertex> before(vertices_.begin(), vertices_.end());
    std::size_t set = last_.size() - 1;
    for (std::size_t place = vertices_.size(); place-- > 0; set &= ~bit(last_[set])) {
      vertices_[place] = before[last_[set]];
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kNone = 255;
  static std::size_t bit(std::size_t i) { return std::size_t{1} << i; }

  double cost_as_it_is() {
    double cost = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      go_to(bit(i) - 1);
      cost += sweep_.step(vertices_[i]).cost;
    }
    return cost;
  }

  /// Finds orders that cost less than `most`. Frontiers that are a vertex larger cost several times
  /// as much, so that few sets can be reached for less.
  void find_cheapest(double most) {
    const std::size_t sets = bit(vertices_.size());
    cheapest_.assign(sets, most);
    last_.assign(sets, kNone);
    cheapest_[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
      if (cheapest_[set] >= most) continue;
      go_to(set);
      for (std::size_t rest = sets - 1 - set; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        const double cost = cheapest_[set] + sweep_.step(vertices_[i]).cost;
        const std::size_t next = set | bit(i);
        if (cost >= cheapest_[next]) continue;
        cheapest_[next] = cost;
        last_[next] = static_cast<std::uint8_t>(i);
      }
    }
    go_to(0);
  }

  /// Makes `set` the vertices of the window that the sweep has finished, the last of them first.
  void go_to(std::size_t set) {
    // Of numbers one after the other only the lowest bits differ mostly.
    const std::size_t differ = std::bit_ceil((finished_ ^ set) + 1) - 1;
    for (std::size_t undone = finished_ & differ; undone != 0; undone &= undone - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(undone));
      if (!ends_[i].empty()) sweep_.undo(vertices_[i], ends_[i]);
    }
    for (std::size_t done = set & differ; done != 0; done ^= std::bit_floor(done)) {
      const auto i = static_cast<std::size_t>(std::bit_width(done) - 1);
      sweep_.ends(vertices_[i], ends_[i]);
      sweep_.finish(vertices_[i]);
    }
    finished_ = set;
  }

  Sweep& sweep_;
  std::span<Vertex> vertices_;
  std::size_t finished_ = 0;               ///< the set that the sweep has finished
  std::vector<std::vector<Vertex>> ends_;  ///< of each of them as it was
  std::vector<double> cheapest_;           ///< by set
  std::vector<std::uint8_t> last_;         ///< the vertex that comes last there
};

/// A window whose vertices are in their cheapest order: whom it has, and what was before it.
struct Settled {
  std::uint64_t before = 0;  ///< the sweep's fingerprint
  std::vector<Vertex> vertices;
};

/// Goes over an order again and again, one window after another, each half behind the last.
class Windows {
 public:
  Windows(const Neighbours& neighbours, std::vector<Vertex>& order, std::size_t size)
      : neighbours_(neighbours),
        order_(order),
        size_(size),
        stride_(size / 2),
        settled_((order.size() + stride_ - 1) / stride_) {}

  /// Whether anything changed.
  bool pass() {
    Sweep sweep(neighbours_);
    bool is_better = false;
    for (std::size_t i = 0; i < settled_.size(); ++i) {
      const std::size_t begin = i * stride_;
      const auto rest = std::span(order_).subspan(begin);
      is_better |= improve(sweep, rest.first(std::min(size_, rest.size())), settled_[i]);
      for (const Vertex v : rest.first(std::min(stride_, rest.size()))) sweep.finish(v);
    }
    return is_better;
  }

 private:
  /// What a step costs depends on whom those before it have finished, not on their order: so most
  /// windows need not be looked at in the next pass.
  static bool improve(Sweep& sweep, std::span<Vertex> vertices, Settled& settled) {
    if (settled.before == sweep.fingerprint() && std::ranges::equal(settled.vertices, vertices)) {
      return false;
    }
    const bool is_better = Window(sweep, vertices).improve();
    settled = {sweep.fingerprint(), {vertices.begin(), vertices.end()}};
    return is_better;
  }

  const Neighbours& neighbours_;
  std::vector<Vertex>& order_;
  std::size_t size_, stride_;
  std::vector<Settled> settled_;
};

}  // namespace

void improve_by_windows(const Neighbours& neighbours, std::vector<Vertex>& order,
                        std::size_t size) {
  if (size < 2) return;
  Windows windows(neighbours, order, size);
  for (int i = 0; i < kMostPasses && windows.pass(); ++i) continue;
}

}  // namespace kinjo::paths::detail
