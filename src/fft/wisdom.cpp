/// Cuts that were found by trying, as text.
#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/fft_plan.hpp>

namespace kinjo::fft {

namespace {

constexpr std::string_view kHead = "kinjo-fft-wisdom 1";

[[noreturn]] void refuse(std::size_t line, std::string_view what) {
  throw Error(Errc::bad_input, fmt::format("fft wisdom, line {}: {}", line, what));
}

/// `MACHINE, … : N TYPE = CUT`
std::pair<Wisdom::Key, Cut> read_line(std::string_view text, std::size_t line) {
  const std::size_t colon = text.find(": "), equal = text.find(" = ");
  if (colon == std::string_view::npos || equal == std::string_view::npos || equal < colon) {
    refuse(line, "expected 'PLACE: LENGTH TYPE = CUT'");
  }
  Wisdom::Key key;
  key.place = text.substr(0, colon);
  const std::string_view what = text.substr(colon + 2, equal - colon - 2);
  const auto [end, error] = std::from_chars(what.data(), what.data() + what.size(), key.n);
  const std::string_view type = what.substr(static_cast<std::size_t>(end - what.data()));
  if (error != std::errc() || (type != " double" && type != " float")) {
    refuse(line, fmt::format("'{}': expected a length and 'double' or 'float'", what));
  }
  key.element_bytes = type == " double" ? sizeof(double) : sizeof(float);
  try {
    return {key, Cut::parse(text.substr(equal + 3))};
  } catch (const Error& e) {
    refuse(line, e.what());
  }
}

std::size_t product(const Cut& cut) {
  return std::accumulate(cut.factors.begin(), cut.factors.end(), std::size_t{1},
                         std::multiplies<>());
}

}  // namespace

Wisdom Wisdom::parse(std::string_view text) {
  Wisdom wisdom;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == 1) {
      if (content != kHead) refuse(1, fmt::format("expected '{}'", kHead));
      continue;
    }
    const auto [key, cut] = read_line(content, line);
    try {
      wisdom.remember(key, cut);
    } catch (const Error& e) {
      refuse(line, e.what());
    }
  }
  return wisdom;
}

std::string Wisdom::to_string() const {
  std::string text = fmt::format("{}\n", kHead);
  for (const auto& [key, cut] : cuts_) {
    text += fmt::format("{}: {} {} = {}\n", key.place, key.n,
                        key.element_bytes == sizeof(float) ? "float" : "double", cut.to_string());
  }
  return text;
}

std::optional<Cut> Wisdom::find(const Key& key) const {
  const auto found = cuts_.find(key);
  if (found == cuts_.end()) return std::nullopt;
  return found->second;
}

void Wisdom::remember(const Key& key, const Cut& cut) {
  if (key.place.empty() || key.place.find_first_of(":\n") != std::string::npos) {
    throw Error(Errc::invalid_argument,
                fmt::format("the place '{}' is empty or holds a colon or a line's end", key.place));
  }
  if (product(cut) != key.n) {
    throw Error(Errc::invalid_argument, fmt::format("the cut '{}' makes a line of {}: expected {}",
                                                    cut.to_string(), product(cut), key.n));
  }
  cuts_[key] = cut;
}

}  // namespace kinjo::fft
