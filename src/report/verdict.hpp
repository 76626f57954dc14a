/// One honest sentence on which placement wins.
#pragma once

#include <span>
#include <string>

#include "measure/record.hpp"
#include "measure/verdict.hpp"

namespace kinjo {

/// A verdict on confirmed pairs in words: the best configuration and how much better it is than the
/// baseline, or that no placement differs measurably from it. The verdict's indices are those of
/// `records`.
std::string verdict_sentence(std::span<const Record> records, const Verdict& verdict);

/// The same question for rounds of which none were kept for a confirmation.
///
/// Compares the record with the best median of `metric` (more is better) with every record of
/// another policy. Only if its paired ratios exclude 1 against each is it named as the winner;
/// otherwise the sentence says that no difference was measured. Records whose verification failed
/// are left out. Samples must be paired by round.
std::string placement_verdict(std::span<const Record> records, const std::string& metric);

}  // namespace kinjo
