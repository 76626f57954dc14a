/// kinjo run: starts an unmodified program with its threads pinned and its memory placed.
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "launch/launch.hpp"

namespace kinjo::cli {

namespace {

struct RunOptions {
  PlacementOptions placement;
  std::string bind = "cpu";
  std::string memory;  ///< empty: as inherited
  std::string openmp = "auto";
  bool verbose = false;
  std::vector<std::string> command;
};

/// Reads the options in the order in which faults of theirs are to be told.
detail::LaunchRequest read_request(const RunOptions& options) {
  const BindLevel level = parse_bind_level(options.bind);
  const detail::OpenMp openmp = detail::parse_openmp(options.openmp);
  const auto machine = Topology::discover();
  detail::LaunchRequest request{options.command, options.placement.mapping(machine), level};
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
    "  kinjo run --policy scatter --threads 2 --memory interleave -- ./solve input.dat\n\n"
    "Exit status: the program's own; 125 if kinjo fails, 126 if the program cannot be executed,\n"
    "127 if it is not found. See docs/run.md for what cannot be pinned.";

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
