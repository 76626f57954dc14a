#include "paths_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::cli {

paths::GoOn PathsWatch::go_on(const std::string& what) {
  begin(what, false);
  return [this](const paths::Progress& progress) {
    follow(progress);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kBetween) return true;
    last_ = now;
    bar_.show({progress.item, progress.items,
               fmt::format("{}, {} {}, {}", what_, progress.states, reduces_ ? "nodes" : "states",
                           detail::format_bytes(progress.bytes)),
               estimate_ ? estimate_->done() : -1});
    return signals_.interrupted() == 0;
  };
}

void PathsWatch::begin(const std::string& what, bool reduces) {
  what_ = what;
  reduces_ = reduces;
  estimate_.reset();
  // What is reduced comes from the last item on.
  if (reduces) std::ranges::reverse(expected_);
  if (!expected_.empty()) estimate_.emplace(expected_);
  bar_.restart();
}

void PathsWatch::follow(const paths::Progress& progress) {
  if (progress.reduces && !reduces_) begin("reducing", true);
  if (estimate_) estimate_->reach(progress.item, progress.states);
}

}  // namespace kinjo::cli
