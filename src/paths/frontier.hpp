/// Which vertices have both decided and undecided edges, and in which slot of a state each is kept.
///
/// Before an edge is decided its ends are in the frontier: an end whose first edge it is enters, in
/// the lowest slot that is free. After it an end whose last edge it is leaves, and its slot is free
/// for another. So the slots of a state mean the same vertices in all states of a level.
///
/// Where one end enters and the other one leaves, no state has both, and they can do with one slot.
/// That saves a slot of the widest frontier in most orders: the vertices of a grid, for one, leave
/// by the edge by which the vertex below enters.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// One end of an edge that is decided.
struct End {
  Vertex vertex = 0;
  std::uint16_t slot = 0;
  bool enters = false;
  bool leaves = false;
};

/// One edge's decision.
struct Step {
  End a, b;
  bool hands_over = false;  ///< a leaves its slot to b, which enters there
};

/// Appends what a decision can depend on: all of a step but which vertices its ends are.
void sign(const Step& step, std::vector<std::uint64_t>& signature);

using SlotSet = std::bitset<256>;

struct Frontier {
  std::vector<Step> steps;           ///< by item
  std::uint32_t slots = 0;           ///< that are in use at the same time, at most
  std::vector<std::uint32_t> sizes;  ///< of the frontier after each step
};

/// Whether steps may hand over slots, which who makes states must be ready for.
enum class Inheritance { none, allowed };

/// Slots whose vertices are there before an item, and are no ends of it and those up to `end`.
SlotSet kept_slots(const Frontier& frontier, std::size_t item, std::size_t end);

/// The frontier of the network's edges in the order given by their positions `order`, which may
/// leave some out. Throws `Error` (`invalid_argument`) if more than `most` slots are needed.
Frontier make_frontier(const Network& network, const std::vector<std::uint32_t>& order,
                       Inheritance inheritance, std::uint32_t most);

}  // namespace kinjo::paths::detail
