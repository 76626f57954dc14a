/// The options of `kinjo paths`, and what they mean together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/diagram_files.hpp>

#include "command.hpp"
#include "workload/paths.hpp"

namespace kinjo::cli {

/// What `kinjo paths` is asked for.
struct PathsOptions {
  PathsSettings settings;
  std::string order = "automatic", method = "automatic", parallel = "merge";
  std::string memory_limit, save, spill;
  bool count = false, by_length = false, verify = false;
  std::optional<std::uint64_t> enumerate, sample;
  std::size_t repeat = 1;
  std::uint64_t seed = 1;
  PlacementOptions placement;
  std::string bind = "cpu";
  OutputOption output;
  Format format = Format::text;

  /// Whether members are asked for, and not only how many.
  bool wants_diagram() const { return wants_members() || !save.empty(); }
  bool wants_members() const { return enumerate || sample; }

  /// Those that say which sets of a graph's edges are meant, and how they are found.
  std::vector<const CLI::Option*> of_graph;
  /// Those that say which threads count.
  std::vector<const CLI::Option*> of_threads;
};

void add_paths_options(CLI::App& command, PathsOptions& options);

/// Throws where two things are asked for that exclude each other, or where what is written would
/// take the place of something else.
void check(const PathsOptions& options);

/// Of a graph. Throws `Error` that says what is accepted.
PathsSettings settings_of(const PathsOptions& options);

/// What `--memory-limit` allows; 0: what the system has.
std::uint64_t memory_limit_of(const PathsOptions& options);
/// The bytes that may be taken under such a limit.
std::uint64_t memory_under(std::uint64_t limit);

/// Whether files of this form tell edges by their names, and not by their numbers alone.
bool has_names(paths::DiagramFormat format);

}  // namespace kinjo::cli
