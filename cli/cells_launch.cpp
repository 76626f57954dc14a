#include "cells_launch.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <kinjo/comm_start.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  PlacementOptions placement;
  std::vector<std::string> command;
};

/// The status of the cell that failed first; a note for it.
int status_of(const std::vector<comm::ProcessEnd>& ends) {
  for (const comm::ProcessEnd& end : ends) {
    if (end.status == 0) continue;
    note(fmt::format("cell {} has ended with status {}", end.cell, end.status));
    return end.status;
  }
  return kDone;
}

int run(const Options& options) {
  if (options.command.empty()) {
    throw Error(Errc::invalid_argument,
                "no command: expected one after --, as in kinjo cells launch -- ./program");
  }
  const Topology& machine = Topology::this_machine();
  return status_of(comm::launch(options.placement.mapping(machine), options.command));
}

}  // namespace

std::size_t launched_cells() {
  // kinjo's own is cell:count:file; Open MPI, then a step of Slurm.
  if (const char* own = std::getenv("KINJO_CELLS")) {
    const auto parts = detail::split(own, ':');
    if (parts.size() == 3) return detail::parse_number<std::size_t>(parts[1]).value_or(1);
  }
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}) {
    if (const char* text = std::getenv(name)) {
      if (const auto count = detail::parse_number<std::size_t>(text)) return *count;
    }
  }
  return 1;
}

void add_cells_launch(CLI::App& cells, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      cells.add_subcommand("launch", "Start a program once for each cell, pinned, on this machine");
  options->placement.add_to(*command, "cells");
  command->add_option("CMD", options->command, "the program and its arguments, after --");
  command->footer("Example: kinjo cells launch --cells 4 -- ./halo");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
