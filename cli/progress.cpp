#include "progress.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "command.hpp"

namespace kinjo::cli {

namespace {
constexpr std::size_t kWidth = 30;
constexpr const char* kWipe = "\r\033[K";
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

/// Clears the bar's line, then lets the signal end the program as if nobody had looked.
void wipe_and_end(int signal) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kWipe, std::strlen(kWipe));
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Sets `wanted` where `present` is what happens on a signal.
void change(void (*present)(int), void (*wanted)(int)) {
  for (const int signal : kEnding) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == present) {
      std::signal(signal, wanted);
    }
  }
}

}  // namespace

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {
  if (terminal_) change(SIG_DFL, wipe_and_end);
}

ProgressBar::~ProgressBar() {
  wipe();
  if (terminal_) change(wipe_and_end, SIG_DFL);
}

void ProgressBar::wipe() {
  if (terminal_) std::fputs(kWipe, stderr);
}

void ProgressBar::restart() { start_ = std::chrono::steady_clock::now(); }

void ProgressBar::show(const Progress& progress) {
  if (!terminal_ || progress.total == 0) return;
  const auto now = std::chrono::steady_clock::now();
  // What is made ready before the first of some steps that are alike is not repeated.
  if (progress.done == 0 && progress.share < 0) start_ = now;
  const std::chrono::duration<double> taken = now - start_;
  const double steps = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const double done = progress.share < 0 ? steps : progress.share;
  const auto filled = std::min(kWidth, static_cast<std::size_t>(done * kWidth));
  std::string left = "";
  if (done > 0) left = fmt::format(", {:.0f} s left", taken.count() * (1 - done) / done);
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
