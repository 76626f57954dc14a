/// The kernel's list syntax for CPU and node sets: `0-3,8,10-14:2`.
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

struct Run {
  int first = 0;
  int last = 0;
  int stride = 1;
};

/// One element of a list: `7`, `0-3` or `0-14:2`.
std::optional<Run> parse_run(std::string_view text) {
  Run run;
  const auto colon = text.find(':');
  if (colon != text.npos) {
    const auto stride = parse_number<int>(text.substr(colon + 1));
    if (!stride || *stride < 1) return std::nullopt;
    run.stride = *stride;
    text = text.substr(0, colon);
  }
  const auto dash = text.find('-');
  const auto first = parse_number<int>(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_number<int>(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last > kMaxIndex) return std::nullopt;
  if (colon != text.npos && dash == text.npos) return std::nullopt;
  run.first = *first;
  run.last = *last;
  return run;
}

}  // namespace

Words parse_list(std::string_view text, std::string_view what) {
  Words words;
  for (std::string_view part : split(trim(text), ',')) {
    if (trim(text).empty()) break;
    const auto run = parse_run(trim(part));
    if (!run) {
      throw Error(Errc::bad_input,
                  fmt::format("malformed {} '{}' at '{}': expected numbers and ranges up to {}, "
                              "e.g. 0-3,8 or 0-14:2",
                              what, text, part, kMaxIndex));
    }
    // Wider than a member, since a stride may lead past the largest of them.
    for (long i = run->first; i <= run->last; i += run->stride) {
      const auto word = static_cast<std::size_t>(i) / 64;
      if (word >= words.size()) words.resize(word + 1);
      words[word] |= std::uint64_t{1} << (i % 64);
    }
  }
  return words;
}

void refuse_member(int member) {
  throw Error(Errc::invalid_argument,
              fmt::format("{} is no member of a set of CPUs or nodes: expected 0 to {}", member,
                          kMaxIndex));
}

std::string format_list(const Words& words) {
  const auto has = [&](std::size_t i) {
    return i / 64 < words.size() && ((words[i / 64] >> (i % 64)) & 1);
  };
  std::string text;
  for (std::size_t i = 0; i < words.size() * 64; ++i) {
    if (!has(i)) continue;
    std::size_t last = i;
    while (has(last + 1)) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", i) : fmt::format("{}-{}", i, last);
    i = last;
  }
  return text;
}

}  // namespace kinjo::detail
