/// A mapping as a table, and in the words of other programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kinjo/mapping.hpp>

#include "report/table.hpp"

namespace kinjo {

/// One row for each thread.
Table mapping_table(const Mapping& mapping);

/// How other programs are told a placement. The variables come as `NAME=value` lines for `env`, the
/// others as a command to put before a program.
enum class PlacementSyntax { omp_places, gomp_cpu_affinity, kmp_affinity, taskset, numactl, srun };

/// Reads e.g. `OMP_PLACES` or `taskset`, in capitals or not.
std::optional<PlacementSyntax> parse_placement_syntax(std::string_view text);

/// Throws `Error` for policy `none`, which has no CPUs to name.
void require_cpus(const Mapping& mapping);

/// The mapping in that syntax. Throws `Error` for policy `none`, which has no CPUs to name.
std::string placement_text(const Mapping& mapping, PlacementSyntax syntax);

}  // namespace kinjo
