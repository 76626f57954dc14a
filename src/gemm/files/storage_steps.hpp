/// The steps of the storage loops, and the units of A and B that they use, by their numbers:
/// however many they are, nothing is kept for each of them.
///
/// Panels of C are numbered in the order of the loops over m and n (outer · S + second, with S
/// panels along the second dimension), and each takes K steps, one after another along k. Panels
/// that an earlier run has finished have no steps; they are ranges, as panels are finished nearly
/// in order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <kinjo/gemm_plan.hpp>

#include "gemm/files/storage_choice.hpp"

namespace kinjo::gemm {

/// The numbers below a size, without some of them.
class Remaining {
 public:
  Remaining() = default;
  /// `gone` are ranges in ascending order that do not meet; what they have from `size` on is left
  /// out.
  Remaining(std::size_t size, std::span<const Range> gone);

  std::size_t count() const;
  /// The i-th of them, from 0 on.
  std::size_t at(std::size_t i) const;
  /// How many are less than `number`.
  std::size_t below(std::size_t number) const;
  std::span<const Range> ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
  std::vector<std::size_t> before_;  ///< how many are in the ranges before each
};

/// A dimension in blocks of the same size, of which the last may be smaller. An empty one is one
/// block.
struct Blocks {
  Dimension dimension = Dimension::m;
  std::size_t size = 0, block = 1;

  std::size_t count() const;
  Range range(std::size_t i) const;
};

class StorageSteps {
 public:
  StorageSteps() = default;
  /// Throws `Error` (`bad_input`) if there are more steps than can be counted.
  StorageSteps(const StorageChoice& choice, const Problem& problem,
               std::span<const Range> finished_panels = {});

  std::size_t panels() const { return outer_.count() * second_.count(); }
  std::size_t in_panel() const { return inner_.count(); }
  /// Steps of all panels, and of those that are left.
  std::size_t all() const { return panels() * in_panel(); }
  std::size_t count() const { return left_.count() * in_panel(); }

  /// The panel of step i of those that are left, and what it goes over.
  std::size_t panel(std::size_t i) const { return left_.at(i / in_panel()); }
  StorageStep step(std::size_t i) const;

  const Blocks& outer() const { return outer_; }
  const Blocks& second() const { return second_; }
  const Blocks& inner() const { return inner_; }
  const Remaining& panels_left() const { return left_; }
  /// Blocks of the outer dimension that have panels left.
  const Remaining& outer_left() const { return outer_left_; }

 private:
  Blocks outer_, second_, inner_;
  Remaining left_, outer_left_;
};

/// The units of the operand that runs along a dimension (m: A, n: B) in the order of their first
/// use. A unit that two steps use one after the other is fetched once; where all that are needed
/// have slots, each is fetched once.
class UnitOrder {
 public:
  /// `steps` is kept.
  UnitOrder(const StorageSteps& steps, Dimension along, bool is_long, std::size_t slots);

  std::size_t fetches() const { return fetches_; }
  /// The fetch that a step uses.
  std::size_t of_step(std::size_t step) const;
  /// The step with which a fetch is needed first.
  std::size_t first_step(std::size_t fetch) const;
  /// What is fetched, along the operand's own dimension and along k.
  struct Unit {
    Range along, inner;
  };
  Unit unit(std::size_t fetch) const;

 private:
  enum class Order {
    by_outer,   ///< all units of a block of the outer dimension, then those of the next
    by_second,  ///< all units of a block of the second dimension, beginning with the first needed
    by_panel,   ///< one for each panel
    by_step,    ///< one for each step
  };
  Order order_of(bool all_stay) const;
  /// How many units are needed, if each is fetched once.
  std::size_t needed() const;
  std::size_t parts() const { return is_long_ ? 1 : steps_.in_panel(); }
  std::size_t first_second() const;

  const StorageSteps& steps_;
  bool is_outer_, is_long_;
  Order order_;
  std::size_t fetches_;
};

}  // namespace kinjo::gemm
