/// kinjo paths FILE, where the file is a diagram that was saved: counts, lists, draws, or writes it
/// in another form, without the graph.
#pragma once

#include <string>

#include "paths_options.hpp"

namespace kinjo::cli {

/// By its name's ending: .kzdd, .setset or .zbdd.
bool is_saved_diagram(const std::string& file);

/// Does what is asked for; the exit status. Sets are listed by their edges' names, or where the
/// file has none by their numbers from 1 on, as Graphillion counts. Throws `Error`.
int run_saved(const PathsOptions& options);

}  // namespace kinjo::cli
