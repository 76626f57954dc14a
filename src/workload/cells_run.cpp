#include "workload/cells_run.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <kinjo/comm_start.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "comm/apps/wire.hpp"

namespace kinjo {

namespace {

comm::PingpongOptions pingpong_options(const CellsSettings& settings) {
  return {.sizes = settings.sizes, .rounds = settings.rounds};
}

comm::ShiftGemmOptions gemm_options(const CellsSettings& settings, std::size_t cells) {
  return {.size = settings.sizes.front(),
          .forms = settings.forms,
          .rounds = settings.rounds,
          .verify = settings.verify,
          .tracing = settings.tracing,
          .ahead = cells_ahead(settings, cells)};
}

comm::ScgOptions scg_options(const CellsSettings& settings) {
  return {.size = settings.sizes.front(),
          .forms = settings.forms,
          .rounds = settings.rounds,
          .verify = settings.verify,
          .tracing = settings.tracing};
}

std::size_t heap_bytes(const CellsSettings& settings, std::size_t cells) {
  const int count = static_cast<int>(cells);
  switch (settings.app) {
    case CellsApp::pingpong:
      return comm::pingpong_heap_bytes(pingpong_options(settings));
    case CellsApp::gemm:
      return comm::shift_gemm_heap_bytes(gemm_options(settings, cells), count);
    case CellsApp::scg:
      break;
  }
  return comm::scg_heap_bytes(scg_options(settings), count);
}

/// Of cell 0's own memory, beside the cells' heaps.
double verifying_bytes(const CellsSettings& settings) {
  if (settings.app == CellsApp::pingpong || !settings.verify) return 0;
  const auto n = static_cast<double>(settings.sizes.front());
  const double matrices = settings.app == CellsApp::gemm ? 3 : 6;
  return matrices * n * n * sizeof(double);
}

comm::WorldOptions world_options(const CellsSettings& settings, std::size_t cells) {
  comm::WorldOptions options{.heap_bytes = heap_bytes(settings, cells)};
  // Registered by every program alike, so that it is always the same.
  comm::add_pingpong_handlers(options);
  return options;
}

/// The program in one cell.
CellsOutcome run_cell(const CellsSettings& settings, comm::World& world) {
  CellsOutcome outcome{.cell = world.cell(), .cells = static_cast<std::size_t>(world.cells())};
  switch (settings.app) {
    case CellsApp::pingpong:
      outcome.pingpong = comm::pingpong(world, pingpong_options(settings), 0);
      break;
    case CellsApp::gemm:
      outcome.gemm = comm::shift_gemm(world, gemm_options(settings, outcome.cells));
      break;
    case CellsApp::scg:
      outcome.scg = comm::scg(world, scg_options(settings));
      break;
  }
  return outcome;
}

CellsOutcome run_in_threads(const CellsSettings& settings, const Mapping& mapping) {
  CellsOutcome outcome;
  Team team(mapping, {.bind = settings.bind});
  comm::run_threads(team, world_options(settings, mapping.size()),
                    [&](comm::World& world, const Place&) {
                      CellsOutcome own = run_cell(settings, world);
                      if (world.cell() == 0) outcome = std::move(own);
                    });
  return outcome;
}

/// Of several failures the one that brought the others about.
void throw_failure(const std::vector<comm::CellEnd>& ends) {
  const comm::CellEnd* first = nullptr;
  for (const comm::CellEnd& end : ends) {
    if (end.error.empty()) continue;
    if (first == nullptr || (first->because_of_another && !end.because_of_another)) first = &end;
  }
  if (first != nullptr) throw Error(first->code, first->error);
}

/// The result of cell 0 as bytes, by the program.
std::string pack(const CellsSettings& settings, const CellsOutcome& outcome) {
  if (outcome.cell != 0) return "";
  if (settings.app == CellsApp::pingpong) return comm::detail::pack(outcome.pingpong);
  if (settings.app == CellsApp::gemm) return comm::detail::pack(outcome.gemm);
  return comm::detail::pack(outcome.scg);
}

template <class T>
void unpack(const std::string& bytes, T& value) {
  value = comm::detail::unpack<T>(bytes);
}

CellsOutcome run_in_processes(const CellsSettings& settings, const Mapping& mapping) {
  const auto ends = comm::run_processes(
      mapping, world_options(settings, mapping.size()),
      [&](comm::World& world, const Place&) { return pack(settings, run_cell(settings, world)); },
      {}, settings.bind);
  throw_failure(ends);
  CellsOutcome outcome{.cells = mapping.size()};
  const std::string& bytes = ends.front().output;
  if (settings.app == CellsApp::pingpong) {
    unpack(bytes, outcome.pingpong);
  } else if (settings.app == CellsApp::gemm) {
    unpack(bytes, outcome.gemm);
  } else {
    unpack(bytes, outcome.scg);
  }
  return outcome;
}

}  // namespace

const char* to_string(CellsApp app) noexcept {
  switch (app) {
    case CellsApp::pingpong:
      return "pingpong";
    case CellsApp::gemm:
      return "gemm";
    case CellsApp::scg:
      break;
  }
  return "scg";
}

const char* to_string(CellsTransport transport) noexcept {
  switch (transport) {
    case CellsTransport::threads:
      return "threads";
    case CellsTransport::processes:
      return "processes";
    case CellsTransport::joined:
      break;
  }
  return "launched";
}

int cells_ahead(const CellsSettings& settings, std::size_t cells) {
  constexpr std::size_t kMost = 15;
  if (settings.ahead > 0) return settings.ahead;
  const bool crowded = cells > std::max(1U, std::thread::hardware_concurrency());
  if (settings.transport == CellsTransport::joined || !crowded) return 1;
  return static_cast<int>(std::clamp<std::size_t>(cells - 1, 1, kMost));
}

namespace {

double bytes_here(const CellsSettings& settings, std::size_t cells, const CellsHere& here) {
  if (settings.sizes.empty() || std::ranges::find(settings.sizes, 0U) != settings.sizes.end()) {
    throw Error(Errc::invalid_argument, "size 0: expected at least 1");
  }
  // Every cell has a ring from each, of which it looks at the first page.
  constexpr double kRing = 4096;
  const auto count = static_cast<double>(here.cells);
  return count * (static_cast<double>(heap_bytes(settings, cells)) + count * kRing) +
         (here.first ? verifying_bytes(settings) : 0);
}

}  // namespace

double cells_bytes(const CellsSettings& settings, std::size_t cells) {
  return bytes_here(settings, cells, {.cells = cells, .first = true});
}

void check_cells_memory(const CellsSettings& settings, std::size_t cells, std::uint64_t limit) {
  check_cells_memory(settings, cells, {.cells = cells, .first = true}, limit);
}

void check_cells_memory(const CellsSettings& settings, std::size_t cells, const CellsHere& here,
                        std::uint64_t limit) {
  // Products of sizes are computed as doubles first: a size that no machine has must not wrap.
  const auto n = static_cast<double>(*std::ranges::max_element(settings.sizes));
  const double least = settings.app == CellsApp::pingpong ? n : n * n * sizeof(double);
  const double bytes = least > 1e15 ? least : bytes_here(settings, cells, here);
  const std::uint64_t allowed = limit != 0 ? limit : available_memory_bytes();
  if (allowed == 0 || bytes <= static_cast<double>(allowed)) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("{} of {} takes {}: {} {}", to_string(settings.app), n,
                  detail::format_bytes(static_cast<std::uint64_t>(std::min(bytes, 1e19))),
                  detail::format_bytes(allowed), limit != 0 ? "may be taken" : "are available"));
}

CellsOutcome run_cells(const CellsSettings& settings, const Mapping& mapping) {
  return settings.transport == CellsTransport::processes ? run_in_processes(settings, mapping)
                                                         : run_in_threads(settings, mapping);
}

CellsOutcome join_cells(const CellsSettings& settings, std::size_t cells) {
  comm::World world = comm::join(world_options(settings, cells));
  CellsOutcome outcome = run_cell(settings, world);
  world.barrier();
  return outcome;
}

}  // namespace kinjo
