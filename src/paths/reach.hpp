/// What edges lead to from a vertex.
#pragma once

#include <vector>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// By vertex, whether edges lead there from `from`; none of them ends in one of `avoided`.
std::vector<bool> reached_from(const Network& network, Vertex from,
                               const std::vector<bool>& avoided);

}  // namespace kinjo::paths::detail
