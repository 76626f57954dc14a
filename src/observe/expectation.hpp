/// What a script expects of a look, e.g. `node 0: 95%`.
///
///     EXPECTATION := [SUBJECT] NODES ':' [OP] NUMBER '%'  |  'local' ':' [OP] NUMBER '%'
///     SUBJECT     := ['memory'] ['on']  |  ['running'] 'threads' 'on'
///     NODES       := ('node' | 'nodes') LIST               LIST as 0-3,8
///     OP          := '>=' | '<='                           none: >=
///
/// `memory` (also if nothing is named): the fraction of the process's bytes that lie on these nodes
/// together. `threads`: the fraction of its threads that run, or ran last, on a CPU of these nodes;
/// `running threads`: of those that run. `local`: `if_divided` of locality.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kinjo/index_set.hpp>

#include "observe/process_view.hpp"

namespace kinjo {

struct Expectation {
  enum class Subject { memory, threads, running_threads, local };
  enum class Comparison { at_least, at_most };
  Subject subject = Subject::memory;
  NodeSet nodes;  ///< empty for `local`
  Comparison comparison = Comparison::at_least;
  double percent = 0;

  /// In the words of the grammar, e.g. `threads on nodes 0-1: >= 100 %`.
  std::string to_string() const;
};

/// Throws `Error` (`invalid_argument`) that quotes the text and shows what is accepted.
Expectation parse_expectation(std::string_view text);

/// What a look says to an expectation.
struct Finding {
  enum class Verdict { satisfied, violated, unknown };
  Verdict verdict = Verdict::unknown;  ///< unknown: the kernel did not show the pages
  std::optional<double> percent;       ///< absent also where there is nothing to count (violated)
  std::string found;                   ///< e.g. `47.3 % (12 MiB of 25.4 MiB)`
};
Finding check(const Expectation& expectation, const ProcessView& view);

}  // namespace kinjo
