/// What a program's output says: a figure of merit, and whether it is the same output as another.
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace kinjo::detail {

/// A regular expression (ECMAScript's syntax) that is tried line by line; of a line the first 4096
/// bytes count, for the matcher's memory grows with what it looks at.
class LinePattern {
 public:
  /// Throws `Error` (`invalid_argument`) that names `option` and the fault.
  LinePattern(const std::string& option, const std::string& text);
  const std::string& text() const { return text_; }
  std::size_t groups() const { return pattern_.mark_count(); }
  const std::regex& regex() const { return pattern_; }

 private:
  std::string text_;
  std::regex pattern_;
};

/// Reads `--metric`: a pattern with one group. Throws `Error` that says so.
LinePattern parse_metric_pattern(const std::string& text);

/// The number in the group of the last match in `output`. Throws `Error` (`bad_input`) if what
/// matched is no positive number; nothing if nothing matches.
std::optional<double> find_metric_value(const LinePattern& pattern, std::string_view output);

/// A digest of what an output says. Without a pattern: of its set of lines, with every number
/// replaced by one sign and white space folded, so that times, thread numbers and the order in
/// which threads speak do not matter. With one: of all its text without what matches.
std::string digest_output(std::string_view output, const std::optional<LinePattern>& ignore);

}  // namespace kinjo::detail
