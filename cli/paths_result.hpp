/// What `kinjo paths` found, as text and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kinjo/paths.hpp>

#include "measure/record.hpp"
#include "paths_options.hpp"
#include "tune/signals.hpp"
#include "workload/paths_run.hpp"

namespace kinjo::cli {

struct PathsResult {
  PathsInput input;
  std::optional<paths::Family> family;  ///< not for grids' own way, nor of a saved diagram
  std::optional<PathsRun> run;
  std::vector<Count> by_length;                    ///< if it was asked for
  std::optional<std::vector<paths::Set>> members;  ///< likewise, of items
  Record record;                                   ///< what was measured
  std::vector<std::string> names;                  ///< of a saved diagram's items
};

/// Whether a member is told by its vertices, as paths and cycles of a graph are, or by its edges'
/// names.
bool lists_vertices(const PathsResult& result);

/// What edges are called, in the order in which they are decided: `a-b`, or `a-b-k` where
/// any two join the same vertices, k from 0 for each two, as NetworkX numbers a multigraph's.
std::vector<std::string> edge_names(const PathsResult& result);

/// The number alone, or a line for each length (`length count`), or a line for each member: the
/// vertices of a path or a cycle in their order, else its edges by their names.
std::string paths_text(const PathsResult& result);
/// A record (kinjo-record/1), with counts as strings under `result`.
std::string paths_json(const PathsResult& result);
/// The same rows as the text.
std::string paths_csv(const PathsResult& result);

/// Tells what was found: the last thing that is done. What goes to standard output is nobody's
/// file.
void tell(const PathsOptions& options, const PathsResult& result, const detail::Signals& signals);

/// Says that somebody asked to stop, and what has become of the work; the exit status.
int end_interrupted(detail::Signals& signals, const char* what);

}  // namespace kinjo::cli
