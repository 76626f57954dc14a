/// How cells come to be: threads of a team, processes of one machine, or processes that `mpirun`,
/// `srun` or `kinjo cells launch` has started on one or several.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/comm.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/team.hpp>

namespace kinjo::comm {

/// Every place of the team is a cell, whose symmetric memory lies on the place's node. Runs
/// `body(world, place)` in all of them and returns when all have. What a cell throws is rethrown
/// here after the others, which get a `CellLost`, have ended.
void run_threads(Team& team, const WorldOptions& options,
                 const std::function<void(World&, const Place&)>& body);

/// What a cell's process has come to.
struct CellEnd {
  std::string output;  ///< what `body` returned
  std::string error;   ///< what it threw, or how the process ended; empty if all went well
  Errc code = Errc::system;
  /// Whether the cell ended only because another was lost.
  bool because_of_another = false;
  int lost_cell = -1;  ///< of the `CellLost` that ended it; itself if its process has ended
};

/// Starts a process for each row of the mapping (a copy of this one, by `fork`), held to its place
/// as tightly as `bind` says, with its symmetric memory on the place's node, and returns what each
/// came to, in the order of the cells. No process and no memory outlives the call, nor the calling
/// process, should that die. What bodies have printed by stdio and `std::cout` is written out by
/// the end of the call. SIGCHLD has its default meaning meanwhile. Call it where this process has
/// no other threads that hold locks. `started`, if given, is called here with the processes'
/// numbers once all run.
std::vector<CellEnd> run_processes(const Mapping& mapping, const WorldOptions& options,
                                   const std::function<std::string(World&, const Place&)>& body,
                                   const std::function<void(const std::vector<int>&)>& started = {},
                                   BindLevel bind = BindLevel::cpu);

/// How this process has been started.
enum class Launcher {
  none,   ///< alone: a world of one cell
  kinjo,  ///< `kinjo cells launch`
  pmix,   ///< `mpirun` of Open MPI, `prterun`, or `srun --mpi=pmix`
};
/// As the launcher's variables of the environment say.
Launcher launcher();

/// The world that this process was started into (once a process, and once a launch: of two programs
/// that one cell of `kinjo cells launch` runs after each other the second is refused). Cells of one
/// host share memory, the others are reached by UCX; PMIx is used to exchange addresses only.
/// Collective. Throws `CellLost` for a cell that has not come within `options.patience`, `Error`
/// (`invalid_argument`) where cells disagree about heap or handlers, or are built with different
/// kinjo, `not_supported` where libucp or libpmix is needed and missing, `usage` for a second
/// program, `bad_input` where the memory that the launch has passed on was closed on the way.
World join(const WorldOptions& options);

/// How a program that `launch` started has ended.
struct ProcessEnd {
  int cell = 0;
  int status = 0;  ///< as a shell tells it: 128 + n for signal n
};

/// Starts `command` once for each row of the mapping, pinned, for `join` to find its place. When
/// one ends with a status other than 0 the others are ended (SIGTERM, then SIGKILL). Returns how
/// each ended. SIGCHLD has its default meaning meanwhile. Throws `Error`, also where a process
/// cannot be pinned or the program not started.
std::vector<ProcessEnd> launch(const Mapping& mapping, const std::vector<std::string>& command);

}  // namespace kinjo::comm
