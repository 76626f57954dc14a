/// What `kinjo where` has to tell, before it is given a form.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "observe/drift.hpp"
#include "observe/expectation.hpp"
#include "observe/process_view.hpp"

namespace kinjo {

/// One look, with what changed since the one before.
struct WhereLook {
  ProcessView view;
  std::optional<Drift> drift;  ///< absent for the first
};

/// An expectation, and the first look that did not meet it, or else the last.
struct WhereExpectation {
  Expectation expectation;
  Finding finding;
  std::size_t look = 0;  ///< from 0
};

struct WhereReport {
  std::vector<std::string> command;  ///< empty for a process that was running
  std::optional<bool> numa_balancing;
  std::vector<WhereLook> looks;  ///< never empty
  std::vector<WhereExpectation> expectations;
};

/// How much is shown.
struct WhereDetail {
  /// Mappings with the most memory that are listed; absent: all.
  std::optional<std::size_t> largest = 5;
  bool every_thread = false;  ///< a row for each, however many
};

}  // namespace kinjo
