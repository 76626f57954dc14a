#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "command.hpp"

namespace kinjo::cli {

namespace {
constexpr std::size_t kWidth = 30;
constexpr const char* kWipe = "\r\033[K";
}  // namespace

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (terminal_) std::fputs(kWipe, stderr);
}

void ProgressBar::show(const Progress& progress) {
  if (!terminal_ || progress.total == 0) return;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  const double done = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const auto filled = std::min(kWidth, progress.done * kWidth / progress.total);
  std::string left = "";
  if (progress.done > 0) left = fmt::format(", {:.0f} s left", taken.count() * (1 - done) / done);
  std::fputs(fmt::format("{}[{}{}] {}/{}{}  {}", kWipe, std::string(filled, '#'),
                         std::string(kWidth - filled, '.'), progress.done, progress.total, left,
                         progress.now)
                 .c_str(),
             stderr);
}

void StageBar::begin(const std::string& now) {
  now_ = now;
  bar_.show({begun_++, total_, now_});
}

void StageBar::say(const std::string& text) {
  bar_.wipe();
  note(text);
  if (begun_ > 0) bar_.show({begun_ - 1, total_, now_});
}

}  // namespace kinjo::cli
