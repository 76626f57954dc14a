/// Cuts that were found by trying, as text.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/fft_plan.hpp>

#include "base/text.hpp"
#include "fft/cutting.hpp"

namespace kinjo::fft {

namespace {

constexpr std::string_view kHead = "kinjo-fft-wisdom 3";
/// Their places name a machine without its caches and vector instructions.
constexpr std::string_view kOldHeads[] = {"kinjo-fft-wisdom 1", "kinjo-fft-wisdom 2"};
constexpr std::string_view kBetweenCuts = " / ";

[[noreturn]] void refuse(std::size_t line, std::string_view what) {
  throw Error(Errc::bad_input, fmt::format("fft wisdom, line {}: {}", line, what));
}

void check_head(std::string_view head) {
  if (head == kHead) return;
  if (std::ranges::find(kOldHeads, head) == std::end(kOldHeads)) {
    refuse(1, fmt::format("expected '{}'", kHead));
  }
  refuse(1, fmt::format("'{}' does not say for which caches and vector instructions its cuts are: "
                        "expected '{}', measured anew",
                        head, kHead));
}

/// What stands before the line's end, which is taken off with it; or all of it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

/// `512x512 double real`: a shape, a type, and what is transformed; false if it is none.
bool read_transform(std::string_view text, Wisdom::Key& key) {
  const std::vector<std::string_view> words = kinjo::detail::split(text, ' ');
  if (words.size() < 2 || words.size() > 3) return false;
  for (const std::string_view length : kinjo::detail::split(words[0], 'x')) {
    const auto n = kinjo::detail::parse_number<std::size_t>(length);
    if (!n || *n == 0) return false;
    key.shape.push_back(*n);
  }
  if (words[1] != "double" && words[1] != "float") return false;
  key.element_bytes = words[1] == "double" ? sizeof(double) : sizeof(float);
  key.input = words.size() == 3 ? Input::real : Input::complex;
  return words.size() == 2 || words[2] == "real";
}

Wisdom::Cuts read_cuts(std::string_view text) {
  Wisdom::Cuts cuts;
  while (true) {
    const std::size_t end = text.find(kBetweenCuts);
    cuts.push_back(Cut::parse(text.substr(0, end)));
    if (end == std::string_view::npos) return cuts;
    text.remove_prefix(end + kBetweenCuts.size());
  }
}

/// `MACHINE, …: SHAPE TYPE [real] = CUT [/ CUT]…`
std::pair<Wisdom::Key, Wisdom::Cuts> read_line(std::string_view text, std::size_t line) {
  const std::size_t colon = text.find(": ");
  // A place may hold an equals sign, too.
  const std::size_t equal = colon == std::string_view::npos ? colon : text.find(" = ", colon);
  if (equal == std::string_view::npos) refuse(line, "expected 'PLACE: SIZE TYPE = CUT'");
  Wisdom::Key key;
  key.place = text.substr(0, colon);
  // ": = " has its equals sign where the transform should be.
  const std::string_view what =
      equal < colon + 2 ? std::string_view{} : text.substr(colon + 2, equal - colon - 2);
  if (!read_transform(what, key)) {
    refuse(line, fmt::format("'{}': expected a size and 'double' or 'float', and 'real' if it is",
                             kinjo::detail::printable(what)));
  }
  try {
    return {key, read_cuts(text.substr(equal + 3))};
  } catch (const Error& e) {
    refuse(line, e.what());
  }
}

std::string text_of(const Wisdom::Key& key) {
  return fmt::format("{} {}{}", fmt::join(key.shape, "x"),
                     key.element_bytes == sizeof(float) ? "float" : "double",
                     key.input == Input::real ? " real" : "");
}

std::string text_of(const Wisdom::Cuts& cuts) {
  std::string text;
  for (const Cut& cut : cuts) {
    text += fmt::format("{}{}", text.empty() ? "" : kBetweenCuts, cut.to_string());
  }
  return text;
}

}  // namespace

Wisdom Wisdom::parse(std::string_view text) {
  Wisdom wisdom;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view content = take_line(text);
    if (line == 1) {
      check_head(content);
      continue;
    }
    const auto [key, cuts] = read_line(content, line);
    try {
      wisdom.remember(key, cuts);
    } catch (const Error& e) {
      refuse(line, e.what());
    }
  }
  return wisdom;
}

std::string Wisdom::to_string() const {
  std::string text = fmt::format("{}\n", kHead);
  for (const auto& [key, cuts] : cuts_) {
    text += fmt::format("{}: {} = {}\n", key.place, text_of(key), text_of(cuts));
  }
  return text;
}

std::optional<Wisdom::Cuts> Wisdom::find(const Key& key) const {
  const auto found = cuts_.find(key);
  if (found == cuts_.end()) return std::nullopt;
  return found->second;
}

void Wisdom::remember(const Key& key, const Cuts& cuts) {
  const auto refuse = [](const std::string& what) { throw Error(Errc::invalid_argument, what); };
  if (key.place.empty() || key.place.find_first_of(":\n") != std::string::npos) {
    refuse(fmt::format("the place '{}' is empty or holds a colon or a line's end",
                       kinjo::detail::printable(key.place)));
  }
  detail::check_element_bytes(key.element_bytes);
  const std::vector<Line> lines = lines_of(key.shape, {}, key.input);
  if (cuts.size() != lines.size()) {
    refuse(fmt::format("{} cut{}: expected one for each of {} axes", cuts.size(),
                       cuts.size() == 1 ? "" : "s", lines.size()));
  }
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (!cuts[i].factors.empty()) detail::check_cut(cuts[i], lines[i], 2 * key.element_bytes);
  }
  cuts_[key] = cuts;
}

void Wisdom::remember(const Wisdom& other) {
  for (const auto& [key, cuts] : other.cuts_) cuts_[key] = cuts;
}

}  // namespace kinjo::fft
