#include "cells_launch.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <kinjo/comm_start.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "comm/launch.hpp"
#include "command.hpp"
#include "launch/ranks.hpp"
#include "observe/watch.hpp"

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

/// The number of the signal that has arrived, 0 for one that whoever started this process wants
/// ignored (nohup).
int take_signal(const detail::SignalFile& signals) {
  signalfd_siginfo arrived{};
  if (read(signals.file(), &arrived, sizeof arrived) != sizeof arrived) return 0;
  const int number = static_cast<int>(arrived.ssi_signo);
  struct sigaction now {};
  return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN ? 0 : number;
}

/// Starts all and waits for them. Of a signal that ends this process it dies when they have ended.
std::vector<comm::ProcessEnd> launch(const Mapping& mapping,
                                     const std::vector<std::string>& command) {
  std::vector<comm::ProcessEnd> ends;
  int signal = 0;
  {
    const detail::SignalFile signals;
    const auto arrived = [&] { return (signal = take_signal(signals)) != 0; };
    ends = comm::detail::launch_all(mapping, command, {signals.file(), arrived});
  }
  if (signal != 0) raise(signal);
  return ends;
}

int run(const Options& options) {
  if (options.command.empty()) {
    throw Error(Errc::invalid_argument,
                "no command: expected one after --, as in kinjo cells launch -- ./program");
  }
  const Topology& machine = Topology::this_machine();
  return status_of(launch(options.placement.mapping(machine), options.command));
}

}  // namespace

std::size_t launched_cells() {
  // kinjo's own begins with cell:count; Open MPI, then a step of Slurm.
  if (const char* own = std::getenv("KINJO_CELLS")) {
    const auto parts = detail::split(own, ':');
    if (parts.size() > 1) return detail::parse_number<std::size_t>(parts[1]).value_or(1);
  }
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}) {
    if (const char* text = std::getenv(name)) {
      if (const auto count = detail::parse_number<std::size_t>(text)) return *count;
    }
  }
  return 1;
}

CellsHere launched_here(std::size_t cells) {
  CellsHere here{.cells = cells, .first = true};
  const char* const own = std::getenv("KINJO_CELLS");
  // Of cell:count:… or of the number by which PMIx knows this process.
  if (const char* text = own != nullptr ? own : std::getenv("PMIX_RANK")) {
    here.first = detail::parse_number<std::size_t>(detail::split(text, ':').front()) == 0;
  }
  if (own != nullptr) return here;
  try {
    const auto rank = detail::launched_rank([](const char* name) { return std::getenv(name); });
    if (rank) here.cells = std::min(cells, rank->rank.size);
  } catch (const Error&) {
    // Damaged variables say nothing.
  }
  return here;
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
