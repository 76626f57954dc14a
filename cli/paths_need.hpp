/// What a diagram will need, said before it is taken.
#pragma once

#include "paths_options.hpp"
#include "paths_result.hpp"
#include "paths_watch.hpp"
#include "workload/paths.hpp"

namespace kinjo::cli {

/// Says what nodes a diagram will have and how many bytes these take. Where it is a small part of
/// what there is that is an estimate, which is not told below 16 MiB, else states are counted
/// before: then throws `Error` (`out_of_memory`) if it is not there. Tells `watch` the states to
/// expect, of counts too. False if somebody asked to stop.
bool announce_need(const PathsOptions& options, const PathsSettings& settings, Team& team,
                   PathsWatch& watch, const PathsResult& result);

}  // namespace kinjo::cli
