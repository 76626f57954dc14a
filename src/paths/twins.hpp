/// Vertices of the frontier whose undecided edges lead to the same vertices: twins, as all are that
/// remain of a complete graph.
///
/// To exchange two of them in a state changes nothing of what may follow, so for numbers of sets
/// (not for the sets themselves) such states are one. Who counts may write whatever it prefers of
/// those that differ in that alone, which leaves of exponentially many states of a complete graph
/// as many as a polynomial says.
///
/// An edge that is decided may part twins and make others; states are gone over where there are
/// more than before or behind it (for a complete graph, when the last edge of a vertex has been
/// decided), and once where twins are looked for: until the next such place there may be many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paths/frontier.hpp"

namespace kinjo::paths::detail {

/// Slots in classes of two and more, those of each in order.
class TwinClasses {
 public:
  /// Of a slot that is in none.
  static constexpr std::uint16_t kNone = 0xFFFF;

  TwinClasses() = default;
  /// Of a frontier of so many slots.
  explicit TwinClasses(std::size_t slots) : class_of_(slots, kNone) {}
  void add(std::span<const std::uint16_t> slots, bool have_last_edge);
  /// See repeats.hpp.
  void sign(std::vector<std::uint64_t>& signature) const;

  /// Of twins.
  std::size_t pairs() const;
  std::size_t slots() const { return class_of_.size(); }
  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::uint16_t> of(std::size_t number) const {
    return std::span(slots_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }
  /// Whether those of a class have one undecided edge each, and need not be visited.
  bool have_last_edge(std::size_t number) const { return have_last_edge_[number]; }
  std::uint16_t class_of(std::size_t slot) const { return class_of_[slot]; }

 private:
  std::vector<std::uint16_t> slots_;
  std::vector<std::uint16_t> begins_{0};
  std::vector<std::uint16_t> class_of_;
  std::vector<bool> have_last_edge_;
};

/// By item, what can be exchanged after it.
class Twins {
 public:
  /// From an item on, and after this one wherever it is, if there are so many pairs at least.
  /// `kind` says by vertex what else must be equal; if it is empty, nothing.
  Twins(const Frontier& frontier, std::size_t first, const std::vector<bool>& kind,
        std::size_t fewest_pairs);

  /// All that there are.
  const std::vector<TwinClasses>& all() const { return classes_; }
  /// Their number, or none where states are not gone over.
  std::size_t after(std::size_t item) const { return by_item_[item]; }
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  std::vector<TwinClasses> classes_;
  std::vector<std::uint32_t> by_item_;
};

}  // namespace kinjo::paths::detail
