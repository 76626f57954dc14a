#include "cells_result.hpp"

#include <fmt/format.h>

#include "report/cells_text.hpp"

namespace kinjo::cli {

namespace {

std::string rounds(std::size_t count) {
  return fmt::format("medians of {} round{}", count, count == 1 ? "" : "s");
}

std::string placed(const CellsSettings& settings, const Mapping* mapping) {
  if (mapping == nullptr) return "placed by their launcher";
  return fmt::format("{}, {}", to_string(settings.transport), mapping->policy().name());
}

}  // namespace

std::string cells_title(const CellsSettings& settings, const CellsOutcome& outcome) {
  return fmt::format("{} of {}, {} cell{}", to_string(settings.app), settings.sizes.front(),
                     outcome.cells, outcome.cells == 1 ? "" : "s");
}

std::string cells_text(const std::vector<Record>& records, const CellsSettings& settings,
                       const CellsOutcome& outcome, const Mapping* mapping) {
  if (settings.app == CellsApp::pingpong) {
    return fmt::format("Cells 0 and {} ({}; {}): one way, {}\n", outcome.cells - 1,
                       placed(settings, mapping), to_string(outcome.pingpong.path),
                       rounds(settings.rounds)) +
           pingpong_table(records).to_text();
  }
  return fmt::format("{} ({}); {}, beside the same work without communication\n",
                     cells_title(settings, outcome), placed(settings, mapping),
                     rounds(settings.rounds)) +
         cells_table(records).to_text() + "\nWhat each cell did, the mean of the rounds:\n" +
         cells_times_table(records, mapping).to_text();
}

std::vector<Timeline> cells_timelines(const CellsOutcome& outcome) {
  std::vector<Timeline> runs;
  for (const comm::ShiftGemmResult& result : outcome.gemm) {
    runs.push_back({to_string(result.form), result.traced_seconds, result.waits});
  }
  for (const comm::ScgResult& result : outcome.scg) {
    runs.push_back({to_string(result.form), result.traced_seconds, result.waits});
  }
  return runs;
}

}  // namespace kinjo::cli
