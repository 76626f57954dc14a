/// What is known of a family before it is counted or built: which specification tells it.
#pragma once

#include <memory>
#include <variant>

#include <kinjo/paths.hpp>

#include "paths/degrees.hpp"
#include "paths/labels.hpp"
#include "paths/mates.hpp"

namespace kinjo::paths {

namespace detail {

using Steps = std::variant<std::shared_ptr<const MateSteps>, std::shared_ptr<const LabelSteps>,
                           std::shared_ptr<const DegreeSteps>>;

/// Calls `f` with a specification whose states have room for the frontier of these steps.
template <class F>
decltype(auto) with_specification(const std::shared_ptr<const MateSteps>& steps, F&& f) {
  const std::uint32_t slots = steps->frontier.slots;
  if (slots <= Mates<4, 1>::kSlots) return f(Mates<4, 1>(steps));
  if (slots <= Mates<5, 2>::kSlots) return f(Mates<5, 2>(steps));
  if (slots <= Mates<6, 6>::kSlots) return f(Mates<6, 6>(steps));
  return f(Mates<8, 32>(steps));
}

template <Joining kJoining, class F>
decltype(auto) with_labels(const std::shared_ptr<const LabelSteps>& steps, F&& f) {
  const std::uint32_t slots = steps->frontier.slots;
  if (slots <= Labels<4, 1, kJoining>::kSlots) return f(Labels<4, 1, kJoining>(steps));
  if (slots <= Labels<5, 2, kJoining>::kSlots) return f(Labels<5, 2, kJoining>(steps));
  if (slots <= Labels<6, 6, kJoining>::kSlots) return f(Labels<6, 6, kJoining>(steps));
  return f(Labels<8, 32, kJoining>(steps));
}

template <class F>
decltype(auto) with_specification(const std::shared_ptr<const LabelSteps>& steps, F&& f) {
  switch (steps->joining) {
    case Joining::forest:
      return with_labels<Joining::forest>(steps, f);
    case Joining::spanning_tree:
      return with_labels<Joining::spanning_tree>(steps, f);
    case Joining::components:
      break;
  }
  return with_labels<Joining::components>(steps, f);
}

template <class F>
decltype(auto) with_specification(const std::shared_ptr<const DegreeSteps>& steps, F&& f) {
  const std::uint32_t slots = steps->frontier.slots;
  const unsigned edges = steps->most;
  if (edges <= Degrees<2, 1>::kMostEdges && slots <= Degrees<2, 1>::kSlots) {
    return f(Degrees<2, 1>(steps));
  }
  if (edges <= Degrees<4, 2>::kMostEdges && slots <= Degrees<4, 2>::kSlots) {
    return f(Degrees<4, 2>(steps));
  }
  return f(Degrees<8, 32>(steps));
}

}  // namespace detail

struct Family::Impl {
  Kind kind = Kind::path;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> positions;
  std::size_t state_bytes = 0;
  /// It has no member, whatever the edges: a vertex without edges ought to have some.
  bool empty = false;
  detail::Steps steps;

  const detail::Frontier& frontier() const {
    return std::visit([](const auto& s) -> const detail::Frontier& { return s->frontier; }, steps);
  }
};

}  // namespace kinjo::paths
