/// One honest sentence on which placement wins.
#pragma once

#include <span>
#include <string>

#include "measure/record.hpp"

namespace kinjo {

/// Compares the record with the best median of `metric` (more is better) with every record of
/// another policy. Only if its paired ratios exclude 1 against each is it named as the winner;
/// otherwise the sentence says that no difference was measured. Records whose verification failed
/// are left out. Samples must be paired by round.
std::string placement_verdict(std::span<const Record> records, const std::string& metric);

}  // namespace kinjo
