/// Which of several processes on this machine this one is, as its launcher says it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "placement/ranks.hpp"

namespace kinjo::detail {

/// The value of a variable, or null; getenv(3) is one.
using Lookup = std::function<const char*(const char* name)>;

/// A local rank, and who says so.
struct LaunchedRank {
  Rank rank;
  std::string source;  ///< the variable, or `--ranks`
  bool asked = false;  ///< by the option: a launcher's binding is not looked at
};

/// What the launchers' variables say, the innermost launcher first: Open MPI, then Intel MPI and
/// MPICH, then MVAPICH2, then a step of Slurm. Nothing outside of all of them. Throws `Error`
/// (`bad_input`) that names the variable if one is damaged.
std::optional<LaunchedRank> launched_rank(const Lookup& variable);

/// Reads `--ranks`: `auto` asks the variables, `off` asks nobody, `R/N` is rank R of N. Throws
/// `Error` that says what is accepted.
std::optional<LaunchedRank> parse_ranks(std::string_view text, const Lookup& variable);

/// Slurm's tasks on one node of many, e.g. 1 on node 3 of `2(x3),1`. Throws `Error` (`bad_input`)
/// that quotes the list, if it is malformed or has no such node.
std::size_t slurm_tasks(std::string_view list, std::size_t node, std::string_view name);

}  // namespace kinjo::detail
