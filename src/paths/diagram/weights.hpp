/// What is common to all that takes weights.
#pragma once

#include <span>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// Throws `Error` (`invalid_argument`) unless there is one finite weight for each item.
void check_weights(const DiagramData& diagram, std::span<const double> weights);

/// The sum of a set's weights, from the last item to the first.
double weight_of(const Set& set, std::span<const double> weights);

}  // namespace kinjo::paths::detail
