#include "observe/expectation.hpp"

#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "observe/locality.hpp"

namespace kinjo {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw Error(Errc::invalid_argument,
              fmt::format("malformed expectation '{}': expected e.g. 'node 0: 95%', 'nodes 0-1: >= "
                          "95%', 'threads on node 0: 100%', 'running threads on nodes 0,2: <= 50%' "
                          "or 'local: 90%'",
                          text));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word : detail::split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// Takes `wanted` from the front of `words`; false if something else stands there.
bool take(std::vector<std::string_view>& words, std::string_view wanted) {
  if (words.empty() || words.front() != wanted) return false;
  words.erase(words.begin());
  return true;
}

/// What stands before the colon; false if it is none of the grammar.
bool parse_what(std::string_view text, Expectation& expectation) {
  std::vector<std::string_view> words = words_of(text);
  if (take(words, "local")) {
    expectation.subject = Expectation::Subject::local;
    return words.empty();
  }
  const bool running = take(words, "running");
  if (take(words, "threads")) {
    expectation.subject =
        running ? Expectation::Subject::running_threads : Expectation::Subject::threads;
    if (!take(words, "on")) return false;
  } else {
    if (running) return false;
    take(words, "memory");
    take(words, "on");
  }
  if (!take(words, "node") && !take(words, "nodes")) return false;
  if (words.size() != 1) return false;
  try {
    expectation.nodes = NodeSet::parse(words[0]);
  } catch (const Error&) {
    return false;
  }
  return !expectation.nodes.empty();
}

/// What stands behind the colon.
bool parse_bound(std::string_view text, Expectation& expectation) {
  text = detail::trim(text);
  if (text.starts_with(">=") || text.starts_with("<=")) {
    if (text[0] == '<') expectation.comparison = Expectation::Comparison::at_most;
    text = detail::trim(text.substr(2));
  }
  if (!text.ends_with('%')) return false;
  text = detail::trim(text.substr(0, text.size() - 1));
  const auto percent = detail::parse_number<double>(text);
  if (!percent || !(*percent >= 0 && *percent <= 100)) return false;
  expectation.percent = *percent;
  return true;
}

/// A part of a whole, in whatever unit.
struct Share {
  double part = 0;
  double whole = 0;
};

Share memory_share(const Expectation& expectation, const MemoryView& memory) {
  Share share{0, static_cast<double>(memory.total())};
  for (int node : expectation.nodes) share.part += static_cast<double>(memory.on(node));
  return share;
}

Share thread_share(const Expectation& expectation, const ProcessView& view) {
  const bool running = expectation.subject == Expectation::Subject::running_threads;
  Share share;
  for (const auto& [node, n] : threads_by_node(view, running ? Counted::running : Counted::all)) {
    share.whole += static_cast<double>(n);
    if (node >= 0 && expectation.nodes.contains(node)) share.part += static_cast<double>(n);
  }
  return share;
}

/// One digit behind the point, or as many as tell it from a bound that it misses.
std::string shown_percent(double percent, double bound) {
  const std::string shown = fmt::format("{:.1f}", percent);
  return percent != bound && shown == fmt::format("{:.1f}", bound) ? fmt::format("{:.6g}", percent)
                                                                   : shown;
}

Finding judge(const Expectation& expectation, double percent, const std::string& counts) {
  // Shares of whole numbers meet the bound exactly or miss it by far more than rounding does.
  constexpr double kRounding = 1e-9;
  const bool satisfied = expectation.comparison == Expectation::Comparison::at_least
                             ? percent >= expectation.percent - kRounding
                             : percent <= expectation.percent + kRounding;
  return {satisfied ? Finding::Verdict::satisfied : Finding::Verdict::violated, percent,
          fmt::format("{} %{}", shown_percent(percent, expectation.percent), counts)};
}

Finding nothing(const char* what) { return {Finding::Verdict::violated, std::nullopt, what}; }

Finding check_memory(const Expectation& expectation, const MemoryView& memory) {
  const Share share = memory_share(expectation, memory);
  if (share.whole == 0) return nothing("no memory");
  return judge(
      expectation, 100 * share.part / share.whole,
      fmt::format(" ({} of {})", detail::format_bytes(static_cast<std::uint64_t>(share.part)),
                  detail::format_bytes(static_cast<std::uint64_t>(share.whole))));
}

Finding check_threads(const Expectation& expectation, const ProcessView& view) {
  const Share share = thread_share(expectation, view);
  if (share.whole == 0) return nothing("no running thread");
  return judge(expectation, 100 * share.part / share.whole,
               fmt::format(" ({} of {})", share.part, share.whole));
}

Finding check_local(const Expectation& expectation, const ProcessView& view) {
  const auto local = locality(view);
  return local ? judge(expectation, 100 * local->if_divided, "") : nothing("no memory");
}

}  // namespace

std::string Expectation::to_string() const {
  const std::string list =
      fmt::format("{} {}", nodes.count() == 1 ? "node" : "nodes", nodes.to_string());
  const std::string what = subject == Subject::local             ? "local"
                           : subject == Subject::threads         ? "threads on " + list
                           : subject == Subject::running_threads ? "running threads on " + list
                                                                 : list;
  return fmt::format("{}: {} {} %", what,
                     comparison == Comparison::at_least ? ">=" : "<=", percent);
}

Expectation parse_expectation(std::string_view text) {
  Expectation expectation;
  const auto colon = text.rfind(':');  // a list with strides, 0-6:2, has its own
  if (colon == text.npos || !parse_what(text.substr(0, colon), expectation) ||
      !parse_bound(text.substr(colon + 1), expectation)) {
    refuse(text);
  }
  return expectation;
}

Finding check(const Expectation& expectation, const ProcessView& view) {
  switch (expectation.subject) {
    case Expectation::Subject::threads:
    case Expectation::Subject::running_threads:
      return check_threads(expectation, view);
    case Expectation::Subject::memory:
    case Expectation::Subject::local:
      break;
  }
  if (!view.memory) return {Finding::Verdict::unknown, std::nullopt, "unknown"};
  return expectation.subject == Expectation::Subject::memory
             ? check_memory(expectation, *view.memory)
             : check_local(expectation, view);
}

}  // namespace kinjo
