/// Programs of cells under one configuration: how they are started, and what comes back to one
/// place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/comm_apps.hpp>
#include <kinjo/mapping.hpp>

namespace kinjo {

enum class CellsApp { pingpong, gemm, scg };
const char* to_string(CellsApp app) noexcept;

/// How cells come to be.
enum class CellsTransport {
  threads,    ///< of this process
  processes,  ///< copies of this one
  joined,     ///< this process is one of them: somebody else has started all
};
const char* to_string(CellsTransport transport) noexcept;

struct CellsSettings {
  CellsApp app = CellsApp::gemm;
  std::vector<std::size_t> sizes = {1024};  ///< of `pingpong` several; else the first
  std::vector<comm::Form> forms = {comm::Form::put};
  CellsTransport transport = CellsTransport::threads;
  std::size_t rounds = 3;
  bool verify = false;
  comm::Tracing tracing = comm::Tracing::on;
  BindLevel bind = BindLevel::cpu;  ///< of threads and processes
  int ahead = 0;  ///< of `gemm` as `ShiftGemmOptions` has it; 0: as `cells_ahead` finds right
};

/// To how many cells `gemm` puts a block at a time: as the settings say; else to one, but where
/// more cells than there are CPUs copy with the CPUs that would compute, to all others, at most
/// 15.
int cells_ahead(const CellsSettings& settings, std::size_t cells);

/// What has come of it; of the program that was asked for.
struct CellsOutcome {
  int cell = 0;  ///< that this process is; cell 0 alone has results
  std::size_t cells = 0;
  comm::PingpongResult pingpong;
  std::vector<comm::ShiftGemmResult> gemm;
  std::vector<comm::ScgResult> scg;
};

/// What of all cells takes memory of this host.
struct CellsHere {
  std::size_t cells = 0;  ///< so many of them
  bool first = true;      ///< cell 0, which verifies, is one
};

/// Bytes that all cells together take, and cell 0 for verifying. Throws `Error`
/// (`invalid_argument`) for sizes that nothing can be computed of.
double cells_bytes(const CellsSettings& settings, std::size_t cells);

/// Throws `Error` (`out_of_memory`) if they take more than `limit` bytes or, where that is 0, than
/// the system has.
void check_cells_memory(const CellsSettings& settings, std::size_t cells, std::uint64_t limit);
/// The same where only some of the cells are `here`.
void check_cells_memory(const CellsSettings& settings, std::size_t cells, const CellsHere& here,
                        std::uint64_t limit);

/// Runs it with a cell for each row of the mapping. Throws what a cell threw.
CellsOutcome run_cells(const CellsSettings& settings, const Mapping& mapping);

/// Runs it as one of `cells` cells that somebody else has started; that number decides how much
/// memory each takes.
CellsOutcome join_cells(const CellsSettings& settings, std::size_t cells);

}  // namespace kinjo
