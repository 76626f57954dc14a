/// The report: one HTML page that holds everything, figures, tables and raw records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "measure/profile.hpp"
#include "measure/record.hpp"
#include "measure/verdict.hpp"
#include "report/local_shares.hpp"
#include "report/picture.hpp"

namespace kinjo {

/// One computation's, or one program's, part of a report.
struct ReportSection {
  /// `stream`, of one of several graphs `paths grid:8`, or the command as it was given.
  std::string workload;
  std::vector<Record> records;     ///< one for each configuration that was tried
  std::optional<Verdict> verdict;  ///< its indices are those of `records`
  std::string sentence;            ///< the verdict in words
  /// How to ask for the best placement by other means: what it is for (`OMP_PLACES`, `numactl`,
  /// `srun`, `kinjo run`) and the line to paste.
  std::vector<std::pair<std::string, std::string>> lines;
  /// Who waits when, of a program of cells.
  std::optional<Picture> waits = std::nullopt;
};

struct Report {
  std::string title;
  /// What all sections together say; where there is one, the head shows it instead of theirs.
  std::string summary = {};
  std::string command;  ///< that makes it again
  std::string made;     ///< when, ISO 8601 with offset
  Topology machine;
  std::vector<Mapping> mappings;  ///< those of all records that bind, each once
  std::vector<ReportSection> sections;
  std::optional<MachineProfile> profile;
  /// What the laboratory has counted of the sections' workloads; without workloads: nothing.
  LocalShares shares;
};

/// A page without anything that it would have to fetch, readable without JavaScript.
std::string report_html(const Report& report);

}  // namespace kinjo
