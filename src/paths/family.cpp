#include "paths/family.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "paths/few_states.hpp"
#include "paths/memory_bound.hpp"
#include "paths/order/automatic.hpp"
#include "paths/reach.hpp"

namespace kinjo::paths {

namespace {

using detail::DegreeSteps;
using detail::Frontier;
using detail::Inheritance;
using detail::Joining;
using detail::LabelSteps;
using detail::MateRules;
using detail::MateSteps;
using detail::Shape;

/// Slots that the widest states have for mates; labels and numbers of edges have two more.
using detail::kMostSlots;
static_assert(kMostSlots == detail::Mates<8, 32>::kSlots);

/// What a kind is called where one is asked for by its name: with ends or without is not told.
const char* asked_as(Kind kind) {
  if (kind == Kind::hamiltonian_path || kind == Kind::hamiltonian_cycle) return "hamiltonian";
  return kind == Kind::spanning_tree ? "tree" : to_string(kind);
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

bool has_ends(Kind kind) { return kind == Kind::path || kind == Kind::hamiltonian_path; }
bool has_mates(Kind kind) {
  return has_ends(kind) || kind == Kind::cycle || kind == Kind::hamiltonian_cycle;
}
bool visits_all(Kind kind) {
  return kind == Kind::hamiltonian_path || kind == Kind::hamiltonian_cycle;
}

void check_vertex(const Network& network, Vertex v, const char* what) {
  if (v < network.vertices) return;
  refuse(fmt::format("vertex {} {}: the graph has {} vertices", v, what, network.vertices));
}

void check(const Problem& problem) {
  const Network& network = problem.network;
  for (const Edge& edge : network.edges) {
    check_vertex(network, std::max(edge.from, edge.to), "as the end of an edge");
    if (edge.from == edge.to) {
      refuse(
          fmt::format("there is a loop at vertex '{}': loops belong to no family and must be "
                      "left out",
                      network.name(edge.from)));
    }
  }
  if (has_ends(problem.kind)) {
    check_vertex(network, problem.from, "as the beginning of paths");
    check_vertex(network, problem.to, "as the end of paths");
  }
  if (problem.kind == Kind::hamiltonian_path && problem.from == problem.to) {
    refuse("a Hamiltonian path has two different ends; for Hamiltonian cycles give none");
  }
  if (!problem.through.empty() && !has_mates(problem.kind)) {
    refuse(fmt::format("vertices to go through are for paths and cycles, not for {}",
                       asked_as(problem.kind)));
  }
  if (problem.components > 1 && problem.kind != Kind::components) {
    refuse(fmt::format("a number of components is for {}, not for {}", asked_as(Kind::components),
                       asked_as(problem.kind)));
  }
  if (!problem.degrees.empty() && problem.kind != Kind::degrees) {
    refuse(fmt::format("numbers of edges of a vertex are for {}, not for {}",
                       asked_as(Kind::degrees), asked_as(problem.kind)));
  }
  if (problem.kind == Kind::degrees &&
      (problem.degrees.empty() || std::ranges::max(problem.degrees) > 255)) {
    refuse("degrees: expected the numbers of edges that a vertex may have, each up to 255");
  }
}

/// By vertex, whether it is in a list.
std::vector<bool> members(const Network& network, const std::vector<Vertex>& list,
                          const char* what) {
  std::vector<bool> is_in(network.vertices);
  for (const Vertex v : list) {
    check_vertex(network, v, what);
    is_in[v] = true;
  }
  return is_in;
}

/// The problem's graph without what is to be avoided.
class Remainder {
 public:
  explicit Remainder(const Problem& problem)
      : avoided_(members(problem.network, problem.avoid, "to be avoided")) {
    network_.vertices = problem.network.vertices;
    network_.edges.reserve(problem.network.edges.size());
    positions_.reserve(problem.network.edges.size());
    for (std::uint32_t e = 0; e < problem.network.edges.size(); ++e) {
      const Edge& edge = problem.network.edges[e];
      if (avoided_[edge.from] || avoided_[edge.to]) continue;
      network_.edges.push_back(edge);
      positions_.push_back(e);
    }
    count_degrees();
  }

  const Network& network() const { return network_; }
  std::uint32_t position(std::uint32_t edge) const { return positions_[edge]; }
  bool avoided(Vertex v) const { return avoided_[v]; }
  /// Vertices that are there and have no edges.
  std::uint64_t isolated() const {
    std::uint64_t count = 0;
    for (Vertex v = 0; v < network_.vertices; ++v) count += !avoided_[v] && degree_[v] == 0;
    return count;
  }
  bool has_edges(Vertex v) const { return degree_[v] > 0; }

  /// Leaves out the edges that cannot be reached from `v`.
  void keep_component_of(Vertex v);

 private:
  void count_degrees() {
    degree_.assign(network_.vertices, 0);
    for (const Edge& edge : network_.edges) {
      ++degree_[edge.from];
      ++degree_[edge.to];
    }
  }

  Network network_;
  std::vector<std::uint32_t> positions_;
  std::vector<bool> avoided_;
  std::vector<std::uint32_t> degree_;
};

void Remainder::keep_component_of(Vertex v) {
  const std::vector<bool> reached = detail::reached_from(network_, v, avoided_);
  std::size_t kept = 0;
  for (std::size_t e = 0; e < network_.edges.size(); ++e) {
    if (!reached[network_.edges[e].from]) continue;
    network_.edges[kept] = network_.edges[e];
    positions_[kept++] = positions_[e];
  }
  network_.edges.resize(kept);
  positions_.resize(kept);
  count_degrees();
}

/// Builds a family out of what remains of a problem's graph.
class Maker {
 public:
  explicit Maker(const Problem& problem) : problem_(problem), remainder_(problem) {
    // Simpath's definition: with one terminal the mates of all vertices are free, and closing any
    // cycle is a success.
    if (problem.kind == Kind::path && problem.from == problem.to) {
      kind_ = Kind::cycle;
      remainder_.keep_component_of(problem.from);
    }
  }

  std::shared_ptr<const Family::Impl> make() {
    Order order = choose_order();
    if (order_ != order) arrange(std::move(order));
    return std::make_shared<const Family::Impl>(std::move(family_));
  }

 private:
  using Order = std::vector<std::uint32_t>;

  Order choose_order() {
    if (problem_.order != EdgeOrder::automatic) {
      return order_edges(remainder_.network(), problem_.order, first_vertex());
    }
    return detail::automatic_order(
        remainder_.network(), first_vertex(),
        [&](const Order& order, std::uint64_t states) { return is_little(order, states); });
  }
  /// Whether the family in this order, which it then has, has at most about as many states as are
  /// met in the time of so many small ones, and levels take little memory.
  bool is_little(const Order& order, std::uint64_t states) {
    try {
      arrange(order);
      // Of a small state, as if it had so many bytes more; and of two levels with their tables.
      constexpr std::uint64_t kTimeOfBytes = 32, kLittle = std::uint64_t{32} << 20, kOfTable = 20;
      const std::uint64_t bytes = family_.state_bytes;
      return family_.empty ||
             detail::has_few_states(family_.steps, states * kTimeOfBytes / (kTimeOfBytes + bytes),
                                    kLittle / (bytes + kOfTable));
    } catch (const Error&) {
      order_.reset();  // another order may do; if not, it is told then
      return false;
    }
  }

  /// Decides the edges in this order.
  void arrange(Order order) {
    family_ = {.kind = problem_.kind};
    family_.edges.reserve(order.size());
    family_.positions.reserve(order.size());
    for (const std::uint32_t edge : order) {
      family_.edges.push_back(remainder_.network().edges[edge]);
      family_.positions.push_back(remainder_.position(edge));
    }
    const auto inheritance = has_mates(kind_) ? Inheritance::allowed : Inheritance::none;
    Frontier frontier = detail::make_frontier(remainder_.network(), order, inheritance, kMostSlots);
    if (has_mates(kind_)) {
      family_.steps = mates(std::move(frontier));
    } else if (kind_ == Kind::matching || kind_ == Kind::degrees) {
      family_.steps = degrees(std::move(frontier));
    } else {
      family_.steps = labels(std::move(frontier));
    }
    family_.state_bytes = std::visit(
        [](const auto& steps) {
          return detail::with_specification(steps, [](const auto& s) { return sizeof(s.root()); });
        },
        family_.steps);
    order_ = std::move(order);
  }

  /// Where a breadth-first order begins.
  Vertex first_vertex() const {
    if (has_ends(problem_.kind)) return problem_.from;
    const auto& edges = remainder_.network().edges;
    return edges.empty() ? 0 : edges.front().from;
  }

  std::shared_ptr<const MateSteps> mates(Frontier frontier) {
    MateRules rules{.shape = has_ends(kind_) ? Shape::path : Shape::cycle,
                    .terminal = std::vector<bool>(problem_.network.vertices),
                    .required = members(problem_.network, problem_.through, "to go through")};
    if (has_ends(kind_)) rules.terminal[problem_.from] = rules.terminal[problem_.to] = true;
    for (Vertex v = 0; v < problem_.network.vertices; ++v) {
      if (rules.required[v] && remainder_.avoided(v)) {
        refuse(fmt::format("vertex '{}' is both to be avoided and to be visited",
                           problem_.network.name(v)));
      }
      if (visits_all(kind_) && !remainder_.avoided(v)) rules.required[v] = true;
      const bool wanted = rules.required[v] || rules.terminal[v];
      if (wanted && !remainder_.has_edges(v)) family_.empty = true;
    }
    if (family_.edges.empty()) family_.empty = true;
    return std::make_shared<const MateSteps>(std::move(frontier), std::move(rules));
  }

  std::shared_ptr<const LabelSteps> labels(Frontier frontier) {
    // Vertices without edges are components; those with edges make the others.
    const std::uint64_t alone = remainder_.isolated();
    const bool any = !family_.edges.empty();
    LabelSteps steps{.frontier = std::move(frontier)};
    if (kind_ == Kind::spanning_tree) {
      steps.joining = Joining::spanning_tree;
      family_.empty = alone + (any ? 1 : 0) != 1;
    } else if (kind_ == Kind::components) {
      steps.joining = Joining::components;
      family_.empty =
          problem_.components < alone + (any ? 1 : 0) || (!any && problem_.components != alone);
      steps.components = problem_.components - alone;
    }
    return std::make_shared<const LabelSteps>(std::move(steps));
  }

  std::shared_ptr<const DegreeSteps> degrees(Frontier frontier) {
    DegreeSteps steps{.frontier = std::move(frontier), .allowed = 0b11};
    if (kind_ == Kind::degrees) {
      steps.allowed.reset();
      for (const unsigned edges : problem_.degrees) steps.allowed.set(edges);
      steps.most = std::ranges::max(problem_.degrees);
    }
    family_.empty = remainder_.isolated() > 0 && !steps.allowed[0];
    return std::make_shared<const DegreeSteps>(std::move(steps));
  }

  const Problem& problem_;
  Remainder remainder_;
  Kind kind_ = problem_.kind;
  std::optional<Order> order_;  ///< that the family has, if it has one
  Family::Impl family_;
};

}  // namespace

const char* to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::path:
      return "path";
    case Kind::cycle:
      return "cycle";
    case Kind::hamiltonian_path:
      return "hamiltonian-path";
    case Kind::hamiltonian_cycle:
      return "hamiltonian-cycle";
    case Kind::forest:
      return "forest";
    case Kind::spanning_tree:
      return "spanning-tree";
    case Kind::matching:
      return "matching";
    case Kind::components:
      return "components";
    case Kind::degrees:
      return "degrees";
  }
  return "?";
}

Family::Family(const Problem& problem) {
  detail::check_graph(problem.network, 0);
  check(problem);
  impl_ = Maker(problem).make();
}

Kind Family::kind() const { return impl_->kind; }
const std::vector<Edge>& Family::edges() const { return impl_->edges; }
const std::vector<std::uint32_t>& Family::positions() const { return impl_->positions; }
const std::vector<std::uint32_t>& Family::frontier_sizes() const { return impl_->frontier().sizes; }
std::size_t Family::state_bytes() const { return impl_->state_bytes; }

}  // namespace kinjo::paths
