/// A search goes level by level, and each level asks twice: in which direction, and who works.
///
/// *Direction.* A top-down step looks at the frontier's m_f edges, each at a random place: kTopDown
/// units of work an edge. A bottom-up step looks at the words of a bitmap, at each of the u
/// unreached vertices, and at their edges until one leads into the frontier: if one edge in m / m_f
/// does, about min(m, u · m / m_f) of them, m being the edges not yet walked. The cheaper is taken.
/// Behind a bottom-up step only the number of the frontier's vertices is known, so the way back is
/// decided by the mean degree; what is left is then usually little.
///
/// *Who.* A frontier with few edges is worked on by the caller, from a queue of his own, without
/// waking anybody. A graph of large diameter has thousands of such levels: after some of them the
/// rest is left to `NarrowLevels`. Else the team works, one `Team::run` for a step.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>

#include "graph/bottom_up.hpp"
#include "graph/hand_over.hpp"
#include "graph/narrow_levels.hpp"
#include "graph/search_state.hpp"
#include "graph/top_down.hpp"
#include "graph/wide_top_down.hpp"

namespace kinjo::graph {

namespace {

using namespace detail;

// Units of work, about a cycle each.
constexpr double kTopDown = 8;     ///< an edge of the frontier
constexpr double kEdge = 1;        ///< an edge of an unreached vertex
constexpr double kVertex = 3;      ///< an unreached vertex
constexpr double kBitmapWord = 2;  ///< 64 vertices, whether unreached or not

/// Vertices from which on the team marks who is unreached.
constexpr std::size_t kManyVertices = 1 << 15;

/// Narrow levels behind each other from which on more are expected, so many that it pays to prepare
/// for them.
constexpr int kManyNarrowLevels = 32;
/// Times the edges that make a team worth its while that a level may have and still be narrow.
constexpr EdgeCount kNarrow = 8;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

}  // namespace

const char* to_string(Direction direction) noexcept {
  return direction == Direction::top_down ? "top-down" : "bottom-up";
}

struct Search::Impl {
  Impl(const Graph& g, Team& t, const SearchOptions& o);

  template <class Parent>
  SearchResult run(std::uint64_t root, std::span<Parent> parents);

 private:
  /// Where the frontier is.
  enum class Form { mine, queues, set };

  template <class Parent>
  Vertex check(std::uint64_t root, std::span<Parent> parents) const;
  template <class Parent>
  bool writes_directly() const {
    return sizeof(Parent) == sizeof(Vertex) && state.owners.parts() == 1 &&
           state.graph.to_caller().empty();
  }
  void begin(Vertex root);
  void step();
  bool is_for_team() const;
  /// Vertices that may be unreached.
  double left() const {
    return static_cast<double>(state.connected - std::min(state.connected, result.reached));
  }
  double least_bottom_up_work(double unreached) const;
  double bottom_up_work(double edges) const;
  double edges_of_few() const;
  double edges_of_threads() const;
  EdgeCount enough_edges() const;
  void choose();
  void gather();
  void scatter();
  void step_alone();
  void step_narrow();
  void step_top_down();
  void step_wide();
  void step_bottom_up();
  void become_set(Level& level);
  void leave_bottom_up();
  Level& add_level(Direction direction, Crew crew);
  void add_up(Level& level);
  template <class Parent>
  void finish(std::span<Parent> parents);
  SearchState state;
  const SearchOptions options;
  const bool alone;    ///< one thread in all: its queue is the caller's too
  VertexQueue few;     ///< the caller's queue where there are several threads
  VertexQueue& queue;  ///< the caller's
  std::optional<Buffer> inner_parents;
  std::optional<NarrowLevels> narrow;

  // Of the search under way.
  bool under_way = false;
  Form form = Form::mine;
  Direction direction = Direction::top_down;
  int narrow_levels = 0;  ///< behind each other
  std::uint64_t frontier_size = 0;
  double frontier_edges = 0;  ///< behind a bottom-up step a guess; any where it does not matter
  double unwalked = 0;        ///< edges of rows that no top-down step has walked
  SearchResult result;
};

Search::Impl::Impl(const Graph& g, Team& t, const SearchOptions& o)
    : state(g, t),
      options(o),
      alone(t.size() == 1),
      few(alone ? 0 : g.vertices()),
      queue(alone ? state.workers[0]->queue : few) {}

/// The root's number, if all is well.
template <class Parent>
Vertex Search::Impl::check(std::uint64_t root, std::span<Parent> parents) const {
  const std::uint64_t n = state.vertices();
  const bool has_ids = !state.graph.ids().empty();
  const auto found = state.graph.find(root);
  if (!found) {
    refuse(fmt::format("root {}: {}", root,
                       n == 0    ? "the graph has no vertices"
                       : has_ids ? "expected the id of a vertex that has an edge"
                                 : fmt::format("expected a vertex below {}", n)));
  }
  if (parents.size() != n) {
    refuse(fmt::format("{} parents of {} vertices: expected as many", parents.size(), n));
  }
  if (sizeof(Parent) == 4 && has_ids) {
    refuse("32-bit parents of a graph with ids: expected 64 bits");
  }
  if (n > std::uint64_t{1} << 31 && sizeof(Parent) == 4) {
    refuse(
        fmt::format("32-bit parents of {} vertices: expected at most 2147483648, or 64 bits", n));
  }
  return *found;
}

template <class Parent>
SearchResult Search::Impl::run(std::uint64_t root, std::span<Parent> parents) {
  const Vertex start = check(root, parents);
  if (writes_directly<Parent>()) {
    state.parents = reinterpret_cast<Vertex*>(parents.data());
  } else {
    if (!inner_parents) {
      inner_parents = state.array(8 * sizeof(Vertex));
    }
    state.parents = static_cast<Vertex*>(inner_parents->data());
  }
  const auto internal = state.graph.to_internal();
  begin(internal.empty() ? start : internal[start]);
  while (frontier_size > 0) step();
  finish(parents);
  parents[start] = static_cast<Parent>(root);  // also where it has no neighbours
  return std::move(result);
}

void Search::Impl::begin(Vertex root) {
  if (under_way) state.forget_visits();  // the last search ended by an exception
  under_way = true;
  for (const auto& worker : state.workers) worker->queue.clear();
  queue.clear();
  insert(state.visited, root);
  state.parents[root] = root;
  queue.push(root);
  queue.advance();
  form = Form::mine;
  direction = Direction::top_down;
  frontier_size = 1;
  frontier_edges = static_cast<double>(state.degree(root));
  unwalked = static_cast<double>(state.graph.entries());
  narrow_levels = 0;
  result = {.reached = 1};
}

void Search::Impl::step() {
  choose();
  if (direction == Direction::bottom_up) return step_bottom_up();
  if (is_for_team()) {
    narrow_levels = 0;
    if (state.graph.sense() == Sense::symmetric && is_wide(state, frontier_edges)) {
      return step_wide();
    }
    return step_top_down();
  }
  if (++narrow_levels > kManyNarrowLevels && state.plain()) return step_narrow();
  step_alone();
}

/// Whether a top-down step is worth waking anybody.
bool Search::Impl::is_for_team() const {
  const double work = frontier_edges + static_cast<double>(frontier_size);
  return work >= static_cast<double>(options.team_edges);
}

/// A bottom-up step whose `unreached` vertices all find a parent at once.
double Search::Impl::least_bottom_up_work(double unreached) const {
  return kBitmapWord * static_cast<double>(state.vertices()) / kWordBits + kVertex * unreached;
}

double Search::Impl::bottom_up_work(double edges) const {
  const double walked = edges > 0 ? left() * unwalked / edges : unwalked;
  return least_bottom_up_work(left()) + kEdge * std::min(unwalked, walked);
}

/// Edges of a frontier from which on the next step is bottom-up, whatever else there is: with e of
/// them top-down work is more than bottom-up work if it is more than every edge would be, or more
/// than what u · m / e leaves, which is an equation of the second degree.
EdgeCount Search::Impl::enough_edges() const {
  const double all = options.alpha * bottom_up_work(0) / kTopDown;
  const double fixed = options.alpha * least_bottom_up_work(left()) / (2 * kTopDown);
  const double walked = options.alpha * kEdge * left() * unwalked / kTopDown;
  const double enough = std::min(all, fixed + std::sqrt(fixed * fixed + walked));
  constexpr double kMost = 1e18;
  if (state.graph.sense() == Sense::directed || enough >= kMost) return ~EdgeCount{0};
  return static_cast<EdgeCount>(enough);
}

/// Sets the direction, and brings the frontier into a form that it takes.
void Search::Impl::choose() {
  if (state.graph.sense() == Sense::directed) return;
  const double top_down = kTopDown * frontier_edges;
  const double bottom_up = options.alpha * bottom_up_work(frontier_edges);
  if (form == Form::set) {
    if (top_down < bottom_up) leave_bottom_up();
  } else if (top_down > bottom_up && (state.workers.size() == 1 || is_for_team())) {
    // All threads do a bottom-up step.
    direction = Direction::bottom_up;
  }
}

Level& Search::Impl::add_level(Direction d, Crew crew) {
  return result.levels.emplace_back(Level{d, crew, frontier_size, 0});
}

/// The threads' counts of a step.
void Search::Impl::add_up(Level& level) {
  for (const auto& worker : state.workers) {
    level.looked_at += std::exchange(worker->looked_at, 0);
  }
}

void Search::Impl::step_alone() {
  gather();
  Level& level = add_level(Direction::top_down, Crew::caller);
  level.looked_at = top_down_alone(state, queue);
  unwalked -= static_cast<double>(level.looked_at);
  frontier_size = queue.frontier().size();
  frontier_edges = edges_of_few();
  result.reached += frontier_size;
}

void Search::Impl::step_narrow() {
  gather();
  if (!narrow) narrow.emplace(state);
  const std::size_t known = result.levels.size();
  constexpr double kAnyWork = 1e300;
  const bool turns = state.graph.sense() == Sense::symmetric;
  narrow->run(queue,
              {.most_edges = kNarrow * options.team_edges,
               .work_of_edge = kTopDown,
               .fixed_work = turns ? options.alpha * least_bottom_up_work(0) : kAnyWork,
               .work_of_vertex = options.alpha * kVertex},
              result.reached, result.levels);
  for (std::size_t l = known; l < result.levels.size(); ++l) {
    unwalked -= static_cast<double>(result.levels[l].looked_at);
  }
  narrow_levels = 0;
  frontier_size = queue.frontier().size();
  frontier_edges = edges_of_few();
}

/// Edges of the caller's frontier. They are counted only where their number may matter: a graph of
/// large diameter has thousands of levels of which the largest degree says that it does not.
double Search::Impl::edges_of_few() const {
  const double most = static_cast<double>(frontier_size * state.most_degree);
  const bool of_caller =
      most + static_cast<double>(frontier_size) < static_cast<double>(options.team_edges);
  if (of_caller && kTopDown * most < options.alpha * least_bottom_up_work(left())) return most;
  return static_cast<double>(count_edges(state, queue.frontier(), ~EdgeCount{0}));
}

/// Into the caller's queue.
void Search::Impl::gather() {
  if (form == Form::queues && !alone) {
    queue.clear();
    for (const auto& worker : state.workers) {
      for (const Vertex v : worker->queue.frontier()) queue.push(v);
    }
    queue.advance();
  }
  form = Form::mine;
}

/// Into the threads' queues.
void Search::Impl::scatter() {
  if (form == Form::mine && !alone) {
    for (const auto& worker : state.workers) worker->queue.advance();
    for (const Vertex v : queue.frontier()) {
      state.workers[state.owners.owner_of(v)]->queue.push(v);
    }
    for (const auto& worker : state.workers) {
      worker->queue.advance();
      measure_frontier(state, *worker, ~EdgeCount{0});
    }
  }
  form = Form::queues;
}

void Search::Impl::step_top_down() {
  scatter();
  Level& level = add_level(Direction::top_down, Crew::team);
  state.measured.store(0, std::memory_order_relaxed);
  unwalked -= frontier_edges;
  const EdgeCount enough = enough_edges();
  {
    KINJO_PHASE("top-down");
    run_over(state.team, [&](const Place& me) {
      Worker& mine = state.worker(me);
      if (alone) {
        mine.looked_at = top_down_alone(state, mine.queue);
        mine.frontier_edges = count_edges(state, mine.queue.frontier(), enough);
      } else {
        top_down_together(state, me);
        measure_frontier(state, mine, enough);
      }
    });
  }
  add_up(level);
  frontier_size = 0;
  for (const auto& worker : state.workers) frontier_size += worker->queue.frontier().size();
  frontier_edges = edges_of_threads();
  result.reached += frontier_size;
}

/// Leaves the frontier as a set, as a bottom-up step does, which is likely to follow.
void Search::Impl::step_wide() {
  scatter();
  Level& level = add_level(Direction::top_down, Crew::team);
  unwalked -= frontier_edges;
  if (alone) chunk_frontier(*state.workers[0]);
  state.measured.store(0, std::memory_order_relaxed);
  const EdgeCount enough = enough_edges();
  {
    KINJO_PHASE("top-down");
    run_over(state.team, [&](const Place& me) { top_down_wide(state, me, enough); });
  }
  become_set(level);
  frontier_edges = edges_of_threads();
}

/// What the threads found is in `frontier`.
void Search::Impl::become_set(Level& level) {
  form = Form::set;
  direction = Direction::bottom_up;
  add_up(level);
  frontier_size = 0;
  for (const auto& worker : state.workers) frontier_size += std::exchange(worker->found, 0);
  result.reached += frontier_size;
}

void Search::Impl::step_bottom_up() {
  const Input input = form == Form::set ? Input::set : Input::queues;
  if (form == Form::mine) scatter();
  Level& level = add_level(Direction::bottom_up, Crew::team);
  for (auto& those : state.dealers) {
    for (WordDealer& dealer : those) dealer.next.store(0, std::memory_order_relaxed);
  }
  const std::size_t parts = state.owners.parts();
  if (parts > 1) {
    KINJO_PHASE("exchange");
    run_over(state.team, [&](const Place& me) { exchange_frontier(state, me, input); });
  }
  {
    KINJO_PHASE("bottom-up");
    run_over(state.team, [&](const Place& me) {
      if (parts == 1 && input == Input::queues) {
        exchange_frontier(state, me, input);
        state.team.barrier(me);
      }
      bottom_up(state, me);
    });
  }
  std::swap(state.frontier, state.next);
  become_set(level);
  frontier_edges = static_cast<double>(frontier_size) * static_cast<double>(state.graph.entries()) /
                   static_cast<double>(std::max<std::uint64_t>(state.connected, 1));
}

/// What the threads have counted of the frontier.
double Search::Impl::edges_of_threads() const {
  double edges = 0;
  for (const auto& worker : state.workers) edges += static_cast<double>(worker->frontier_edges);
  return edges;
}

void Search::Impl::leave_bottom_up() {
  direction = Direction::top_down;
  form = Form::queues;
  {
    KINJO_PHASE("queue");
    run_over(state.team, [&](const Place& me) {
      Worker& mine = state.worker(me);
      queue_frontier(state, me);
      measure_frontier(state, mine, ~EdgeCount{0});
    });
  }
  frontier_edges = edges_of_threads();
}

template <class Parent>
void Search::Impl::finish(std::span<Parent> parents) {
  const auto all = [&](const auto& f) {
    if (state.vertices() >= kManyVertices || state.owners.parts() > 1)
      return run_over(state.team, f);
    for (const Place& place : state.team.mapping()) f(place);
  };
  {
    KINJO_PHASE("unreached");
    all([&](const Place& me) { mark_unreached(state, me); });
  }
  under_way = false;
  if (writes_directly<Parent>()) return;
  KINJO_PHASE("translate");
  all([&](const Place& me) { translate(state, me, parents); });
  if constexpr (sizeof(Parent) == sizeof(VertexId)) {
    if (state.graph.ids().empty()) return;
    all([&](const Place& me) { call_by_ids(state, me, parents); });
  }
}

Search::Search(const Graph& graph, Team& team, const SearchOptions& options)
    : impl_(std::make_unique<Impl>(graph, team, options)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

SearchResult Search::run(std::uint64_t root, std::span<std::int32_t> parents) {
  return impl_->run(root, parents);
}
SearchResult Search::run(std::uint64_t root, std::span<std::int64_t> parents) {
  return impl_->run(root, parents);
}

}  // namespace kinjo::graph
