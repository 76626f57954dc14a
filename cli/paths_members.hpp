/// The members of a family that are listed or drawn.
#pragma once

#include <vector>

#include <kinjo/diagram.hpp>

#include "paths_options.hpp"
#include "tune/signals.hpp"

namespace kinjo::cli {

/// What `--enumerate` or `--sample` asks for of a diagram with so many sets; fewer if somebody asks
/// to stop. Throws `Error` (`out_of_memory`) where so many may not be kept beside the diagram.
std::vector<paths::Set> take_members(const PathsOptions& options, const Count& count,
                                     const paths::Diagram& diagram, detail::Signals& signals);

}  // namespace kinjo::cli
