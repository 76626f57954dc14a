/// The order of edges that is chosen where nobody says which.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// The vertices of the largest frontier that there are states for.
inline constexpr std::uint32_t kMostSlots = 254;

/// Whether a sweep in this order meets no more than about so many states, of a few words each.
using HasFewStates =
    std::function<bool(const std::vector<std::uint32_t>& order, std::uint64_t states)>;

/// `EdgeOrder::automatic`. Costs are estimates, often far too high where degrees differ much. So
/// where a search would take long, and `has_few_states` can be asked, the best order so far is
/// tried first, for a tenth of the time, and an eighth of the work is done before all of it. Where
/// no order has a frontier of `kMostSlots` the edges stay as they stand.
std::vector<std::uint32_t> automatic_order(const Network& network, Vertex first,
                                           const HasFewStates& has_few_states);

}  // namespace kinjo::paths::detail
