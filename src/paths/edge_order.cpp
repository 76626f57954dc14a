/// Orders of edges.
///
/// `frontier`: orders of vertices from several ways (a beam search; breadth-first from the caller's
/// vertex, and from one at the rim; branch by branch; as the edges stand) are improved in windows,
/// and the cheapest of them says how vertices are finished one after another
/// (src/paths/order/sweep.hpp). `automatic` searches so, too, but no longer than what it may save
/// is worth, and only if it is worth anything (src/paths/order/automatic.hpp).
#include <kinjo/network.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "paths/order/automatic.hpp"
#include "paths/order/beam.hpp"
#include "paths/order/breadth.hpp"
#include "paths/order/closing.hpp"
#include "paths/order/depth.hpp"
#include "paths/order/neighbours.hpp"
#include "paths/order/sweep.hpp"
#include "paths/order/windows.hpp"

namespace kinjo::paths {

namespace {

using detail::Neighbours;
using Order = std::vector<std::uint32_t>;

/// Work that a search may be: vertices × entries × width of the beam, and entries × sets of a
/// window.
struct Work {
  double beam, window;
};

/// It keeps a graph of 1000 vertices and 2000 edges well below a second.
constexpr Work kMostWork{1 << 29, 1 << 20};

/// Nanoseconds of a piece of the beam's work, and of the windows', of all ways.
constexpr Work kPieceNs{4, 40};

/// What is worth while where an order of such a cost (sweep.hpp) is known: what takes some third of
/// the time in which that counts. Of so many states a tenth are there, each of which takes 2 to 6
/// ns.
Work work_for(double cost) {
  return {std::min(cost / 64, kMostWork.beam), std::min(cost / 2048, kMostWork.window)};
}
/// Where to look for another order at all takes longer than to count in the one that is known.
constexpr double kLittleCost = 1 << 16;

constexpr std::size_t kWidestBeam = 64;
constexpr std::size_t kLargestWindow = 10;

Order given_order(std::size_t edges) {
  Order order(edges);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

Order ranks_of(const std::vector<Vertex>& vertices) {
  Order ranks(vertices.size());
  for (std::uint32_t i = 0; i < vertices.size(); ++i) ranks[vertices[i]] = i;
  return ranks;
}

/// Which end of an edge is looked at first: by the ends that come first a vertex is finished before
/// the next one is; by the others it is joined to those before it when it enters, so that of hubs
/// and who is joined to them only the hubs stay.
enum class By { first_ends, last_ends };

Order sort_by_ranks(const Neighbours& neighbours, const std::vector<Vertex>& vertices, By by) {
  const Order ranks = ranks_of(vertices);
  Order order = given_order(neighbours.edges().size());
  std::ranges::sort(order, {}, [&](std::uint32_t e) {
    const Edge& edge = neighbours.edges()[e];
    const auto [low, high] = std::minmax(ranks[edge.from], ranks[edge.to]);
    return by == By::first_ends ? std::tuple(low, high, e) : std::tuple(high, low, e);
  });
  return order;
}

/// As a sweep decides them that finishes the vertices in their order.
Order sweep_order(const Neighbours& neighbours, const std::vector<Vertex>& vertices) {
  const Order ranks = ranks_of(vertices);
  std::vector<Order> edges_of(vertices.size());  // of the end that is finished first, by its rank
  for (std::uint32_t e = 0; e < neighbours.edges().size(); ++e) {
    const Edge& edge = neighbours.edges()[e];
    edges_of[std::min(ranks[edge.from], ranks[edge.to])].push_back(e);
  }
  Order order, places(vertices.size());
  detail::Sweep sweep(neighbours);
  for (const Vertex v : vertices) {
    std::uint32_t place = 0;
    for (const Vertex u : sweep.decisions(v)) places[u] = place++;
    Order& mine = edges_of[ranks[v]];
    std::ranges::sort(mine, {}, [&](std::uint32_t e) {
      const Edge& edge = neighbours.edges()[e];
      return std::pair(places[edge.from == v ? edge.to : edge.from], e);
    });
    order.insert(order.end(), mine.begin(), mine.end());
    sweep.finish(v);
  }
  return order;
}

/// The cheapest of some orders; the first of equals.
class Cheapest {
 public:
  explicit Cheapest(const Neighbours& neighbours) : neighbours_(neighbours) {}

  /// Whether it is the cheapest now.
  bool offer(Order order) {
    const double cost = detail::cost_of(neighbours_, order);
    if (!order_.empty() && cost >= cost_) return false;
    order_ = std::move(order);
    cost_ = cost;
    return true;
  }
  double cost() const { return cost_; }
  const Order& order() const { return order_; }
  Order take() { return std::move(order_); }

 private:
  const Neighbours& neighbours_;
  Order order_;
  double cost_ = 0;
};

/// Vertices as the edges leave them, when they are decided as they stand.
std::vector<Vertex> order_of_leaving(const Neighbours& neighbours) {
  Order last(neighbours.size());
  for (std::uint32_t e = 0; e < neighbours.edges().size(); ++e) {
    last[neighbours.edges()[e].from] = last[neighbours.edges()[e].to] = e;
  }
  std::vector<Vertex> vertices(neighbours.size());
  std::iota(vertices.begin(), vertices.end(), 0u);
  std::ranges::stable_sort(vertices, {}, [&](Vertex v) { return last[v]; });
  return vertices;
}

/// The largest windows that a graph of so many rows' entries is improved in with so much work.
std::size_t window_size(std::size_t entries, double work) {
  std::size_t size = 1;
  while (size < kLargestWindow && static_cast<double>(entries << (size + 1)) <= work) ++size;
  return size;
}

std::size_t beam_width(const Neighbours& neighbours, double work) {
  const std::size_t sweep = std::max<std::size_t>(neighbours.size() * neighbours.entries(), 1);
  return std::min(static_cast<std::size_t>(work) / sweep, kWidestBeam);
}

/// What a search of so much work does, as far as there is so much to do.
Work work_done(const Neighbours& neighbours, const Work& work) {
  const std::size_t entries = neighbours.entries();
  const std::size_t beam = beam_width(neighbours, work.beam) * neighbours.size() * entries;
  return {static_cast<double>(beam),
          static_cast<double>(entries << window_size(entries, work.window))};
}
/// States that are met in a tenth of the time that this takes, at 20 ns each.
std::uint64_t states_worth_trying(const Work& done) {
  const double search_ns = kPieceNs.beam * done.beam + kPieceNs.window * done.window;
  return static_cast<std::uint64_t>(search_ns / (10 * 20));
}
/// Where a search is worth fewer, what a trial takes beside its states is most of it.
constexpr std::uint64_t kFewToTry = 1 << 11;

Order frontier_order(const Neighbours& neighbours, Vertex first, const Work& work) {
  std::vector<std::vector<Vertex>> ways{order_of_leaving(neighbours),
                                        detail::breadth_order(neighbours, first),
                                        detail::peripheral_order(neighbours)};
  const std::size_t width = beam_width(neighbours, work.beam);
  if (width > 0) ways.push_back(detail::beam_order(neighbours, width));
  // Small windows tell which way is worth large ones.
  Cheapest cheapest(neighbours);
  const auto improve = [&](std::vector<Vertex>& vertices, std::size_t window) {
    detail::improve_by_windows(neighbours, vertices, window);
    return cheapest.offer(sweep_order(neighbours, vertices));
  };
  const std::size_t large = window_size(neighbours.entries(), work.window);
  const std::size_t small = std::min(large, std::max<std::size_t>(large, 6) - 4);
  std::vector<Vertex>* best = &ways.front();
  for (std::vector<Vertex>& vertices : ways) {
    if (improve(vertices, small)) best = &vertices;
  }
  // Of graphs that are no trees but for a few edges, this one is so dear that nothing improves it.
  std::vector<Vertex> branches = detail::depth_order(neighbours, first);
  if (cheapest.offer(sweep_order(neighbours, branches))) best = &branches;
  improve(*best, large);
  return cheapest.take();
}

}  // namespace

const char* to_string(EdgeOrder order) noexcept {
  constexpr const char* kNames[] = {"automatic", "breadth", "frontier", "given"};
  return kNames[static_cast<int>(order)];
}

Order order_edges(const Network& network, EdgeOrder order, Vertex first) {
  if (order == EdgeOrder::given) return given_order(network.edges.size());
  if (order == EdgeOrder::automatic) return detail::automatic_order(network, first, {});
  const Neighbours neighbours(network);
  const Vertex root = neighbours.nearest(first);
  if (order == EdgeOrder::frontier) return frontier_order(neighbours, root, kMostWork);
  return sort_by_ranks(neighbours, detail::breadth_order(neighbours, root), By::first_ends);
}

Order detail::automatic_order(const Network& network, Vertex first,
                              const HasFewStates& has_few_states) {
  const Neighbours neighbours(network);
  // Of a frontier that no states have room for there is none to be found that is better.
  if (neighbours.core() > kMostSlots + 1) return given_order(network.edges.size());
  const Vertex root = neighbours.nearest(first);
  Cheapest cheapest(neighbours);
  const auto offer = [&](const std::vector<Vertex>& vertices) {
    for (const By by : {By::first_ends, By::last_ends}) {
      cheapest.offer(sort_by_ranks(neighbours, vertices, by));
    }
  };
  cheapest.offer(given_order(network.edges.size()));
  offer(breadth_order(neighbours, root));
  if (cheapest.cost() <= kLittleCost) return cheapest.take();
  offer(peripheral_order(neighbours));
  cheapest.offer(sort_by_ranks(neighbours, depth_order(neighbours, root), By::first_ends));
  const std::vector<Vertex> closing = closing_order(neighbours, root);
  if (!closing.empty()) cheapest.offer(sort_by_ranks(neighbours, closing, By::last_ends));
  if (cheapest.cost() <= kLittleCost || neighbours.are_complete()) return cheapest.take();
  const Work most = work_done(neighbours, work_for(cheapest.cost()));
  double share = 1;
  const auto work = [&] { return Work{share * most.beam, share * most.window}; };
  if (has_few_states) {
    while (states_worth_trying(work()) >= 8 * kFewToTry) share /= 8;
  }
  for (;; share *= 8) {
    const std::uint64_t few = states_worth_trying(work());
    if (few >= kFewToTry && has_few_states && has_few_states(cheapest.order(), few)) break;
    cheapest.offer(frontier_order(neighbours, root, work()));
    if (share == 1) break;
  }
  return cheapest.take();
}

Order frontier_sizes(const Network& network, const Order& order) {
  const Neighbours neighbours(network);
  std::vector<std::uint32_t> left(neighbours.size()), met(neighbours.size());
  for (const Edge& e : neighbours.edges()) {
    ++left[e.from];
    ++left[e.to];
  }
  Order sizes;
  sizes.reserve(order.size());
  std::uint32_t size = 0;
  const auto meet = [&](Vertex v) {
    size += met[v]++ == 0;
    size -= --left[v] == 0;
  };
  for (const std::uint32_t e : order) {
    meet(neighbours.edges()[e].from);
    meet(neighbours.edges()[e].to);
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace kinjo::paths
