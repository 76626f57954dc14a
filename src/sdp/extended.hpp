/// The rest of the way in extended precision (sdp/reference.hpp), where doubles did not suffice and
/// the time for it is bounded.
#pragma once

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// The same options without extended precision where the problem is too large for it.
Options affordable(const Problem& problem, Options options);

/// Whether it says something that is proved.
bool is_certain(Status status);

/// Whether extended precision is wanted. Not where iterations have run out, or somebody asked to
/// stop.
bool wants_extended(const Options& options, Status status);

/// Goes on from the solution, and, where that leads nowhere, once more with F_0 and c divided by
/// their sizes: beside F_i and X of other sizes their rounding decides.
void finish_extended(const Problem& problem, const Options& options, Solution& solution);

}  // namespace kinjo::sdp::detail
