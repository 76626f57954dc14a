/// What a program's output says: a figure of merit, and whether it is the same output as another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace kinjo::detail {

/// A regular expression in RE2's syntax, tried line by line. It takes time in proportion to the
/// text, whatever the expression: neither an output nor an expression can hang a sweep.
class LinePattern {
 public:
  /// Throws `Error` (`invalid_argument`) that names `option` and the fault.
  LinePattern(const std::string& option, const std::string& text);
  const std::string& text() const { return text_; }
  std::size_t groups() const;
  const re2::RE2& regex() const { return *pattern_; }

 private:
  std::string text_;
  std::shared_ptr<const re2::RE2> pattern_;
};

/// Reads `--metric`: a pattern with one group. Throws `Error` that says so.
LinePattern parse_metric_pattern(const std::string& text);

/// The number in the group of the last match in `output`. Throws `Error` (`bad_input`) if what
/// matched is no positive number from 1e-100 to 1e100; nothing if nothing matches.
std::optional<double> find_metric_value(const LinePattern& pattern, std::string_view output);

/// A digest of what an output says. Without a pattern: of its set of lines, with every number
/// (signs, groups of thousands and numbers inside words included) and every list of numbers that
/// commas join replaced by one sign, and white space folded, so that times, thread numbers and the
/// order in which threads speak do not matter. With one: of all its text without what matches.
std::string digest_output(std::string_view output, const std::optional<LinePattern>& ignore);

}  // namespace kinjo::detail
