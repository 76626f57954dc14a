/// The verdict as a matrix: workload × policy, each cell against the unpinned default.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/colour.hpp"
#include "report/page.hpp"
#include "report/picture.hpp"
#include "report/svg.hpp"

namespace kinjo {

/// What a policy reached in a workload.
struct VerdictCell {
  enum class State {
    better,         ///< the bounds of the gain lie above 1
    worse,          ///< they lie below 1
    no_difference,  ///< they hold 1
    unconfirmed,    ///< they do not, but of too few rounds, or of those of the choice alone
    alone,          ///< there is no default to compare with
    baseline,       ///< it is the default that the others are compared with
    failed,         ///< no configuration of the policy gave a result
    not_measured,
  };
  std::string policy;
  State state = State::not_measured;
  const Record* best = nullptr;  ///< the configuration with the best median
  std::string median;            ///< of `best`, with its unit
  double gain = 1;               ///< against the default, over 1 where it is better
  double low = 1;                ///< bounds of the gain
  double high = 1;
  std::vector<std::string> failures;  ///< why configurations of the policy failed, each once
  std::size_t failed = 0;             ///< how many did
};

/// The metric by which a section is judged, and how.
struct Judgement {
  std::string metric;
  Better better = Better::higher;
  const Record* baseline = nullptr;  ///< null where there is nothing to compare with
};

/// The verdict's own, or without one the first metric against policy `none` with most threads;
/// times are better lower.
Judgement judgement_of(const ReportSection& section);

/// A cell for each policy. The cell of the verdict's best configuration shows the verdict's gain.
/// The others show the median of ratios paired by round, with bounds that do not account for the
/// choice of the best thread count; so none is called better unless the verdict says that the best
/// one is: it stays unconfirmed.
std::vector<VerdictCell> verdict_cells(const ReportSection& section,
                                       const std::vector<std::string>& policies);

/// A row for each section, a column for each policy.
Svg verdict_svg(std::span<const ReportSection> sections, const std::vector<std::string>& policies);

/// The same with its caption and its table.
Picture verdict_picture(std::span<const ReportSection> sections,
                        const std::vector<std::string>& policies);

/// A colour for a gain: blue above 1, orange below, white at 1; full at twice and half.
Colour gain_colour(double gain);

}  // namespace kinjo
