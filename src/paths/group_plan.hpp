/// Which items a sweep over levels (level_sweep.hpp) decides together, and what it knows of them
/// beforehand. Some of that takes longer to find out than to count a few states, so it is found out
/// before a group when there are many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "paths/groups.hpp"
#include "paths/repeats.hpp"
#include "paths/sweep_options.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class GroupPlan {
 public:
  GroupPlan(const S& specification, const SweepOptions& options)
      : specification_(specification), options_(options) {
    const bool in_groups = options.measure == Measure::sets;
    groups_ = in_groups ? groups_of(specification, {}) : single_items(specification.items());
    // What is recorded does not leave memory.
    may_repeat_ = in_groups && options.spill.empty();
    may_merge_ = options.merges;
  }

  const S& specification() const { return specification_; }
  const std::vector<Group>& groups() const { return groups_; }
  const Repeats& repeats() const { return repeats_; }

  /// Finds out before a group who are twins, if there are so many states that it pays. Groups from
  /// there on are others then.
  void find_twins(std::size_t group, std::size_t states) {
    if (!may_merge_ || states < options_.least_to_merge) return;
    may_merge_ = false;
    if constexpr (requires { specification_.merge_twins(group); }) {
      const bool any = specification_.merge_twins(groups_[group].last);
      if (any && options_.measure == Measure::sets) regroup(group, {});
    }
  }
  /// Likewise what repeats.
  void find_repeats(std::size_t group, std::size_t states) {
    if (!may_repeat_ || states < options_.least_to_record) return;
    may_repeat_ = false;
    const std::vector<std::uint32_t> classes = classes_of(specification_);
    // Of rows that repeat few are others.
    if (classes.empty() || 4 * (1 + std::ranges::max(classes)) > 3 * classes.size()) return;
    regroup(group, classes);
    repeats_ = repeats_of(classes, groups_);
  }

 private:
  void regroup(std::size_t first, const std::vector<std::uint32_t>& classes) {
    groups_.resize(first);
    groups_ = groups_of(specification_, classes, std::move(groups_));
  }

  S specification_;
  const SweepOptions& options_;
  std::vector<Group> groups_;
  Repeats repeats_;
  bool may_repeat_, may_merge_;  ///< and nobody knows yet
};

}  // namespace kinjo::paths::detail
