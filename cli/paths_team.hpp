/// Who counts what `kinjo paths` is asked for.
#pragma once

#include <optional>

#include <kinjo/team.hpp>

#include "paths_options.hpp"

namespace kinjo::cli {

/// The threads that are asked for. Where nobody asks (no policy, no number, no binding, no record
/// that would name them), the calling thread alone until `grow`: what is little is counted before
/// the machine would be read and threads started.
class PathsTeam {
 public:
  /// Throws `Error` if what is asked for does not exist here.
  explicit PathsTeam(const PathsOptions& options);

  Team& operator*() { return *team_; }
  /// Makes it a thread for each allowed CPU, unless others were asked for.
  void grow();

 private:
  void start();

  const PathsOptions& options_;
  const bool asked_;
  std::optional<Team> team_;
};

}  // namespace kinjo::cli
