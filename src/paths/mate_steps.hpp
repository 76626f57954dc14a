/// What is the same in all states of paths and cycles (mates.hpp): their steps, and what a step
/// asks about its two ends.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "paths/end_bound.hpp"
#include "paths/frontier.hpp"
#include "paths/specification.hpp"
#include "paths/stuck_ends.hpp"

namespace kinjo::paths::detail {

enum class Shape { path, cycle };

/// Which paths or cycles.
struct MateRules {
  Shape shape = Shape::path;
  std::vector<bool> terminal;  ///< by vertex; two of them for paths, none for cycles
  std::vector<bool> required;  ///< by vertex: must not stay untouched
};

/// Vertices that are settled at one item; others wait for the next.
inline constexpr std::size_t kMostSettled = 6;

/// Slots of vertices that are settled at one item.
struct Settled {
  unsigned count = 0;
  std::array<std::uint16_t, kMostSettled> slots{};
};

/// What is the same in all states.
struct MateSteps {
  MateSteps(Frontier frontier, MateRules rules);

  /// See repeats.hpp.
  void sign(std::size_t item, std::vector<std::uint64_t>& signature) const;

  Frontier frontier;
  MateRules rules;
  /// By item: the slots whose vertices must not stay untouched.
  std::vector<SlotSet> required;
  /// By item: the slots of vertices that can no longer be visited if they are untouched after it.
  std::vector<Settled> settled;
  /// By item: the most ends of fragments after it that can all be joined.
  std::vector<unsigned> most_ends;
  /// By item: who is looked at after it.
  std::vector<MaybeStuckList> maybe_stuck;
  /// By item: whether states stay (specification.hpp). Some items change them though they could,
  /// since many of them then become the same, or are found dead.
  std::vector<bool> stay;
  /// The last item at which such a vertex enters; what is complete before has missed it.
  std::size_t last_requirement = 0;
};

/// One end of an edge.
struct MateEnd {
  MateEnd(const MateSteps& steps, const End& end);

  std::uint16_t slot;
  bool enters_as_terminal, leaves, required;
};

/// What there is to know to decide about one edge.
struct MateItem {
  MateItem(const MateSteps& steps, std::size_t item);

  MateEnd a, b;
  Shape shape;
  bool hands_over;
  bool heir_is_terminal;  ///< and then `b` is not said to enter as one
  bool is_last;
  bool stays;
  bool may_complete;
  unsigned slots;  ///< of the frontier
  SlotSet required;
  unsigned settled_count;
  std::array<std::uint16_t, kMostSettled> settled{};
  unsigned most_ends;
  MaybeStuckList maybe_stuck;
};

}  // namespace kinjo::paths::detail
