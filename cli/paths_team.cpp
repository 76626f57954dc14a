#include "paths_team.hpp"

#include <algorithm>

namespace kinjo::cli {

namespace {

bool asks_for_threads(const PathsOptions& options) {
  const auto given = [](const CLI::Option* option) { return option->count() != 0; };
  return options.format == Format::json || std::ranges::any_of(options.of_threads, given);
}

}  // namespace

PathsTeam::PathsTeam(const PathsOptions& options)
    : options_(options), asked_(asks_for_threads(options)) {
  if (asked_) {
    start();
  } else {
    team_.emplace(Mapping::alone(), TeamOptions{.caller = Caller::joins});
  }
}

void PathsTeam::start() {
  team_.reset();  // it holds the calling thread
  team_.emplace(options_.placement.mapping(Topology::this_machine()),
                TeamOptions{.bind = parse_bind_level(options_.bind), .caller = Caller::joins});
}

void PathsTeam::grow() {
  if (!asked_) start();
}

}  // namespace kinjo::cli
