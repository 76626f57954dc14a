/// Ends of fragments (mates.hpp) that nothing can join any more.
///
/// An end needs one more edge. It is stuck where its undecided edges all lead to vertices inside
/// fragments, and then the state is dead, often long before the end leaves the frontier: where all
/// vertices have entered before many edges are decided, most states are.
///
/// What can have become so are ends near an edge that was decided: its own, or those next to one of
/// its vertices, which may be inside now. So a few of them are looked at after each item, in states
/// that change there. Those that stay where they are (specification.hpp) are looked at where they
/// change next. Ends with many undecided edges are hardly ever stuck, and are left out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "paths/frontier.hpp"
#include "paths/undecided_edges.hpp"

namespace kinjo::paths::detail {

/// A vertex that is stuck if it is an end and all its neighbours by undecided edges are inside.
/// They are in the frontier, as it is.
struct MaybeStuck {
  static constexpr std::size_t kMostEdges = 2;

  std::span<const std::uint16_t> all_neighbours() const {
    return std::span(neighbours).first(edges);
  }

  std::uint16_t slot = 0, edges = 0;
  std::array<std::uint16_t, kMostEdges> neighbours{};  ///< their slots
};

/// Those that are looked at after an item.
struct MaybeStuckList {
  /// At one item; others wait for the next.
  static constexpr std::size_t kMost = 8;

  std::span<const MaybeStuck> all() const { return std::span(list).first(count); }

  unsigned count = 0;
  std::array<MaybeStuck, kMost> list{};
};

/// Goes from item to item and says who is looked at.
class StuckEnds {
 public:
  /// Keeps a reference to `undecided`.
  explicit StuckEnds(const UndecidedEdges& undecided);

  /// What states do at an item, and so which ends are looked at there.
  enum class States {
    change,  ///< all that wait
    stay,    ///< those near this item, who also wait on, as states that stay are not looked at
    pass,    ///< none, as a vertex hands its slot over to another; they wait
  };
  /// After an item, which is decided; `settled` are vertices that may have come inside besides the
  /// ends of the edge.
  MaybeStuckList step(const Step& step, States states, std::span<const Vertex> settled);

 private:
  struct Place {
    std::uint16_t slot = 0;
    bool is_in = false, waits = false;
  };

  void enter(const End& end, Vertex partner);
  void look_near(Vertex v);
  void look_at(Vertex v);
  bool may_be_stuck(Vertex v) const;
  void add(Vertex v, MaybeStuckList& list) const;

  const UndecidedEdges& undecided_;
  std::vector<std::uint32_t> outside_;  ///< of each vertex, edges to vertices that have not entered
  std::vector<Place> places_;           ///< by vertex
  std::vector<Vertex> waiting_;         ///< to be looked at
  std::size_t here_ = 0;                ///< where those begin in `waiting_` that are near this item
};

}  // namespace kinjo::paths::detail
