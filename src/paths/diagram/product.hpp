/// Families made of one or two diagrams, as specifications: a state is where a walk stands in each
/// of them, its sets so far being the same.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "paths/diagram/data.hpp"
#include "paths/specification.hpp"

namespace kinjo::paths::detail {

/// Where a walk in a diagram comes to by deciding about an item. It may stand at the node of a
/// later one, which has sets without this one only.
class Walk {
 public:
  explicit Walk(const DiagramData& diagram) : diagram_(&diagram) {}
  const DiagramData& diagram() const { return *diagram_; }
  NodeRef skip(std::size_t item, NodeRef at) const {
    return at >= diagram_->first[item] ? (*diagram_)[at].lo() : at;
  }
  NodeRef take(std::size_t item, NodeRef at) const {
    return at >= diagram_->first[item] ? (*diagram_)[at].hi() : kBottom;
  }

 private:
  const DiagramData* diagram_;
};

enum class SetOperation {
  either,    ///< A ∪ B
  both,      ///< A ∩ B
  only_a,    ///< A ∖ B
  only_one,  ///< A △ B
};

/// Sets of two families over the same items, both of which must live as long.
template <SetOperation kOperation>
class Product {
 public:
  using State = detail::State<2>;

  Product(const DiagramData& a, const DiagramData& b) : a_(a), b_(b) {}
  std::size_t items() const { return a_.diagram().items(); }
  State root() const { return settle({a_.diagram().root, b_.diagram().root}); }
  /// What is decided before the first item.
  Outcome begin() const { return outcome(root()); }

  Outcome skip(std::size_t item, State& state) const {
    state = settle({a_.skip(item, state[0]), b_.skip(item, state[1])});
    return outcome(state);
  }
  Outcome take(std::size_t item, State& state) const {
    state = settle({a_.take(item, state[0]), b_.take(item, state[1])});
    return outcome(state);
  }
  auto at(std::size_t item) const { return AtItem(*this, item); }
  bool stays(std::size_t) const { return false; }

 private:
  /// States that no set follows become one.
  static State settle(State state) {
    const bool a = state[0] != kBottom, b = state[1] != kBottom;
    const bool none = kOperation == SetOperation::both     ? !a || !b
                      : kOperation == SetOperation::only_a ? !a
                                                           : !a && !b;
    return none ? State{kBottom, kBottom} : state;
  }
  static Outcome outcome(const State& state) {
    if (state[0] == kBottom && state[1] == kBottom) return Outcome::dead;
    if (state[0] >= kFirstNode || state[1] >= kFirstNode) return Outcome::alive;
    const bool a = state[0] == kTop, b = state[1] == kTop;
    const bool member = kOperation == SetOperation::either   ? a || b
                        : kOperation == SetOperation::both   ? a && b
                        : kOperation == SetOperation::only_a ? a && !b
                                                             : a != b;
    return member ? Outcome::accepted : Outcome::dead;
  }

  Walk a_, b_;
};

/// What is asked of an item.
enum class Demand : std::uint8_t { none, in, out };

/// The sets of a family, which must live as long, that meet demands.
class Restriction {
 public:
  using State = detail::State<1>;

  Restriction(const DiagramData& diagram, std::vector<Demand> demands)
      : walk_(diagram), demands_(std::move(demands)), to_come_(demands_.size() + 1) {
    for (std::size_t item = demands_.size(); item-- > 0;) {
      to_come_[item] = to_come_[item + 1] + (demands_[item] == Demand::in ? 1 : 0);
    }
  }
  std::size_t items() const { return demands_.size(); }
  State root() const { return {walk_.diagram().root}; }
  Outcome begin() const { return outcome(0, root()[0]); }

  Outcome skip(std::size_t item, State& state) const {
    if (demands_[item] == Demand::in) return Outcome::dead;
    return outcome(item + 1, state[0] = walk_.skip(item, state[0]));
  }
  Outcome take(std::size_t item, State& state) const {
    if (demands_[item] == Demand::out) return Outcome::dead;
    return outcome(item + 1, state[0] = walk_.take(item, state[0]));
  }
  auto at(std::size_t item) const { return AtItem(*this, item); }
  bool stays(std::size_t) const { return false; }

 private:
  Outcome outcome(std::size_t item, NodeRef at) const {
    if (at >= kFirstNode) return Outcome::alive;
    return at == kTop && to_come_[item] == 0 ? Outcome::accepted : Outcome::dead;
  }

  Walk walk_;
  std::vector<Demand> demands_;
  std::vector<std::size_t> to_come_;  ///< by item: those from it on that must be in
};

}  // namespace kinjo::paths::detail
