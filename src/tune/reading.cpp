#include "tune/reading.hpp"

#include <cctype>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

/// Quotients of numbers between these, and their places on an axis, are finite.
constexpr double kLeastMetric = 1e-100, kMostMetric = 1e100;

std::shared_ptr<const re2::RE2> compile(const std::string& option, const std::string& text) {
  auto pattern = std::make_shared<const re2::RE2>(text, re2::RE2::Quiet);
  if (pattern->ok()) return pattern;
  throw Error(Errc::invalid_argument,
              fmt::format("{} '{}' is no regular expression: {}", option, text, pattern->error()));
}

template <class F>
void for_each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    f(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Length of the number at the start of `text`, 0 if there is none: 12, 1.5, .5, 3e-7, 0x1f.
std::size_t number_length(std::string_view text) {
  std::size_t n = text.starts_with('.') ? 2 : 1;
  if (text.size() < n || !is_digit(text[n - 1])) return 0;
  while (n < text.size()) {
    const char c = text[n], before = text[n - 1];
    const bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
    if (!std::isxdigit(static_cast<unsigned char>(c)) && c != '.' && c != 'x' && !sign) break;
    ++n;
  }
  return n;
}

/// The same with a sign before it.
std::size_t signed_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t n = number_length(text.substr(sign));
  return n == 0 ? 0 : sign + n;
}

/// The same at the end of a word or inside it, whose letters are no digits: 12 of thread12done.
std::size_t length_in_word(std::string_view text) {
  std::size_t n = 0;
  const auto pass_digits = [&] {
    while (n < text.size() && is_digit(text[n])) ++n;
  };
  pass_digits();
  while (n > 0 && n + 1 < text.size() && text[n] == '.' && is_digit(text[n + 1])) {
    ++n;
    pass_digits();
  }
  return n;
}

/// Length of the numbers at the start of `text` that nothing but commas parts, 0 if there are none:
/// 1,234 may be one number or two, and a program with more threads may have more of either.
/// `before` is what stands in front of them: the minus of 0-3 is no sign.
std::size_t numbers_length(std::string_view text, char before) {
  std::size_t n = is_letter(before)  ? length_in_word(text)
                  : is_digit(before) ? number_length(text)
                                     : signed_length(text);
  while (n > 0 && n < text.size() && text[n] == ',') {
    const std::size_t next = signed_length(text.substr(n + 1));
    if (next == 0) break;
    n += 1 + next;
  }
  return n;
}

/// The line with `#` for numbers and one blank for all white space.
std::string mask(std::string_view line) {
  std::string masked;
  for (std::size_t i = 0; i < line.size();) {
    if (const std::size_t n = numbers_length(line.substr(i), i > 0 ? line[i - 1] : ' ')) {
      masked += '#';
      i += n;
      continue;
    }
    const char c = line[i++];
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      masked += c;
    } else if (!masked.empty() && masked.back() != ' ') {
      masked += ' ';
    }
  }
  masked.erase(masked.find_last_not_of(' ') + 1);
  return masked;
}

std::string without_matches(std::string_view line, const re2::RE2& pattern) {
  std::string text(line);
  re2::RE2::GlobalReplace(&text, pattern, "");
  return text;
}

/// The group of the last match in `line` that is not empty: `.*` also matches the nothing at the
/// end.
std::optional<std::string> last_group(const re2::RE2& pattern, std::string_view line) {
  std::optional<std::string> last;
  const re2::StringPiece text(line.data(), line.size());
  re2::StringPiece found[2];
  for (std::size_t at = 0; at <= line.size();) {
    if (!pattern.Match(text, at, line.size(), re2::RE2::UNANCHORED, found, 2)) break;
    const auto end = static_cast<std::size_t>(found[0].data() - line.data()) + found[0].size();
    if (!found[0].empty()) last = std::string(found[1].data(), found[1].size());
    at = found[0].empty() ? end + 1 : end;
  }
  return last;
}

}  // namespace

LinePattern::LinePattern(const std::string& option, const std::string& text)
    : text_(text), pattern_(compile(option, text)) {}

std::size_t LinePattern::groups() const {
  return static_cast<std::size_t>(pattern_->NumberOfCapturingGroups());
}

LinePattern parse_metric_pattern(const std::string& text) {
  LinePattern pattern("--metric", text);
  if (pattern.groups() == 1) return pattern;
  throw Error(Errc::invalid_argument,
              fmt::format("--metric '{}' has {} groups: expected one, around the number, e.g. "
                          "'Triad: +([0-9.]+)'",
                          text, pattern.groups()));
}

std::optional<double> find_metric_value(const LinePattern& pattern, std::string_view output) {
  std::optional<std::string> last;
  for_each_line(output, [&](std::string_view line) {
    if (auto found = last_group(pattern.regex(), line)) last = std::move(found);
  });
  if (!last) return std::nullopt;
  const std::string_view text = trim(*last);
  const auto value = parse_number<double>(text.substr(text.starts_with('+') ? 1 : 0));
  const bool is_positive = value && std::isfinite(*value) && *value > 0;
  if (is_positive && *value >= kLeastMetric && *value <= kMostMetric) return value;
  throw Error(Errc::bad_input,
              fmt::format("--metric '{}' found '{}': expected a {}", pattern.text(),
                          printable(last->substr(0, 80)),
                          is_positive ? "number from 1e-100 to 1e100" : "positive number"));
}

std::string digest_output(std::string_view output, const std::optional<LinePattern>& ignore) {
  std::uint64_t digest = detail::fnv1a("");
  std::set<std::uint64_t> lines;
  for_each_line(output, [&](std::string_view line) {
    if (ignore) {
      digest = detail::fnv1a(without_matches(line, ignore->regex()) + '\n', digest);
    } else {
      lines.insert(detail::fnv1a(mask(line)));
    }
  });
  for (const std::uint64_t line : lines) digest = detail::fnv1a(std::to_string(line), digest);
  return fmt::format("{:016x}", digest);
}

}  // namespace kinjo::detail
