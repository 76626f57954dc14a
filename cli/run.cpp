/// kinjo run: starts an unmodified program with its threads pinned and its memory placed.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <kinjo/binding.hpp>

#include "command.hpp"
#include "launch/launch.hpp"
#include "launch/ranks.hpp"

namespace kinjo::cli {

namespace {

struct RunOptions {
  PlacementOptions placement;
  std::string bind = "cpu";
  std::string memory;  ///< empty: as inherited
  std::string openmp = "auto";
  std::string ranks = "auto";
  bool verbose = false;
  std::vector<std::string> command;
};

/// The CPUs that this process could use if nobody had bound it: the kernel cuts a mask of all CPUs
/// to those of the control group. Where it refuses, all that there are.
CpuSet usable_cpus(const Topology& machine) {
  try {
    const CpuSet before = thread_affinity();
    set_thread_affinity(machine.all_cpus());
    const CpuSet usable = thread_affinity();
    set_thread_affinity(before);
    return usable;
  } catch (const Error&) {
    return machine.all_cpus();
  }
}

/// The table of a process that is one of several: its part of the table for all.
Mapping map_rank(const RunOptions& options, const Topology& machine,
                 const detail::LaunchedRank& launched) {
  const auto explain = [&](const std::string& line) {
    if (!options.verbose) return;
    note(fmt::format("rank {} of {} on this machine, by {}: {}", launched.rank.rank,
                     launched.rank.size, launched.source, line));
  };
  const CpuSet usable = launched.asked ? machine.all_cpus() : usable_cpus(machine);
  const CpuSet& mask = machine.allowed_cpus();
  if (!launched.asked && detail::has_own_part(mask, usable, launched.rank.size)) {
    explain(fmt::format("its launcher has bound it to CPUs {} of {}, which are not divided again",
                        mask.to_string(), usable.to_string()));
    return options.placement.mapping(machine);
  }
  const Mapping mapping = options.placement.mapping(machine, launched.rank);
  if (!mapping.binds()) {
    explain("policy none divides nothing");
  } else {
    explain(fmt::format("its part of policy {} is {}", options.placement.policy,
                        mapping.policy().name()));
  }
  return mapping;
}

/// Reads the options in the order in which faults of theirs are to be told.
detail::LaunchRequest read_request(const RunOptions& options) {
  const BindLevel level = parse_bind_level(options.bind);
  const detail::OpenMp openmp = detail::parse_openmp(options.openmp);
  const auto launched =
      detail::parse_ranks(options.ranks, [](const char* name) { return std::getenv(name); });
  const Topology& machine = Topology::this_machine();
  detail::LaunchRequest request{options.command,
                                launched && launched->rank.size > 1
                                    ? map_rank(options, machine, *launched)
                                    : options.placement.mapping(machine),
                                level};
  request.openmp = openmp;
  if (!options.memory.empty()) request.memory = detail::parse_memory(options.memory, machine);
  request.tell_threads = !options.placement.threads.empty();
  request.verbose = options.verbose;
  return request;
}

/// Returns only if the program could not be started, with the status to end with.
int run(const RunOptions& options) {
  try {
    const detail::Launch launch(read_request(options));
    const auto failure = launch.become(note);
    note(failure.message);
    return failure.status;
  } catch (const detail::LaunchError& error) {
    note(error.what());
    return error.status();
  }
}

const char* const kFooter =
    "Example: two threads on different nodes, memory dealt page by page to all nodes\n"
    "  kinjo run --policy scatter --threads 2 --memory interleave -- ./solve in.dat\n\n"
    "Example: each MPI rank on its own part of the machine, with its threads together\n"
    "  mpirun -n 4 --bind-to none kinjo run -- ./solve in.dat\n\n"
    "Exit status: the program's own; 125 if kinjo fails, 126 if the program cannot\n"
    "be executed, 127 if it is not found. See docs/run.md for what cannot be pinned.";

void add_options(CLI::App& command, RunOptions& options) {
  options.placement.add_to(command);
  command.add_option("--bind", options.bind, "what a thread is held to: cpu, core or node")
      ->envname("KINJO_BIND")
      ->capture_default_str();
  command
      .add_option("--memory", options.memory,
                  "local, interleave, interleave:NODES, bind:NODES or preferred:NODES; default: as "
                  "inherited")
      ->envname("KINJO_MEMORY")
      ->type_name("POLICY");
  command
      .add_option("--openmp", options.openmp,
                  "whether it is an OpenMP program, pinned by its own runtime: auto, yes or no")
      ->capture_default_str();
  command
      .add_option("--ranks", options.ranks,
                  "which of several processes on this machine it is: auto (as MPI or Slurm say), "
                  "off, or R/N")
      ->capture_default_str();
  command.add_flag("-v,--verbose", options.verbose, "say what is pinned where, and how");
  command
      .add_option("CMD", options.command,
                  "the program and its arguments; options that follow -- are the program's own")
      ->required()
      ->type_name("ARGS");
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run", "Start a program with its threads pinned and its memory placed");
  const auto options = std::make_shared<RunOptions>();
  add_options(*command, *options);
  command->footer(kFooter);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
