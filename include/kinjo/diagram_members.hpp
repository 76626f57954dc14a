/// Members of a family by chance and by weight.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <kinjo/diagram.hpp>

namespace kinjo::paths {

/// Draws sets of a family, each as likely as any other: at every node one number decides, by the
/// shares of the sets on its branches (Knuth, 7.1.4). Shares are known to 2⁻⁵⁰, so the
/// probabilities of all sets together are off by less than items · 2⁻⁵⁰. Made in one pass over the
/// diagram; takes 8 bytes for each node, and 16 for each of as many levels as branches reach over
/// while it is made.
class Sampler {
 public:
  /// Throws `Error`: `invalid_argument` for a family of no set, `out_of_memory` where the diagram
  /// and what the sampler takes are more than `memory_limit` bytes; 0: than what the system has
  /// available.
  explicit Sampler(const Diagram& diagram, std::uint64_t seed = 1, std::uint64_t memory_limit = 0);
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  /// The set that comes next: those of numbers 0, 1, 2, …
  Set next() { return draw(drawn_++); }
  /// The set of a number, which is a function of the seed and the number. May be called from any
  /// thread.
  Set draw(std::uint64_t number) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

/// The sets of a family from the lightest on. What remains of a branch is known to be at best so
/// heavy, so a set is found by a walk from the root to ⊤ and leaves for later what it did not
/// take (Lawler, 1972). Takes 8 bytes for each node, and for each set that was had as many short
/// entries as it has nodes on its way.
class ByWeight {
 public:
  /// Negative weights make the heaviest come first. Throws `Error`: `invalid_argument` unless there
  /// is one finite weight for each item, `out_of_memory` where the diagram and what this takes are
  /// more than `memory_limit` bytes; 0: than what the system has available.
  ByWeight(const Diagram& diagram, std::span<const double> weights, std::uint64_t memory_limit = 0);
  ~ByWeight();
  ByWeight(ByWeight&&) noexcept;
  ByWeight& operator=(ByWeight&&) noexcept;

  /// The next set, or nothing after the last. Throws `Error` (`out_of_memory`) as above, and then
  /// the set is still the next one.
  std::optional<WeightedSet> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinjo::paths
