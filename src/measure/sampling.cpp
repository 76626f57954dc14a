#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <kinjo/binding.hpp>

#include "measure/load.hpp"

namespace kinjo {

namespace {

constexpr double kStepsInASample = 1e4;
constexpr double kWideSpread = 0.1;

/// A warning, or nothing.
std::string judge_spread(const Summary& s) {
  const double width = (s.high - s.low) / std::abs(s.median);
  if (!(width > kWideSpread)) return "";
  return fmt::format("the bounds of the median lie more than {:.0f} % of it apart",
                     100 * kWideSpread);
}

}  // namespace

double now_seconds() noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double clock_step_seconds() {
  using Clock = std::chrono::steady_clock;
  Clock::duration least = Clock::duration::max();
  for (int i = 0; i < 100; ++i) {
    const auto start = Clock::now();
    auto next = Clock::now();
    while (next == start) next = Clock::now();
    least = std::min(least, next - start);
  }
  return std::chrono::duration<double>(least).count();
}

double least_sample_seconds(const ProbeOptions& options) {
  static const double step = clock_step_seconds();
  return std::max(options.sample_seconds, kStepsInASample * step);
}

std::size_t calibrate_repetitions(const TimedWork& work, double seconds) {
  constexpr std::size_t kMost = std::size_t{1} << 40;
  std::size_t repetitions = 1;
  while (repetitions < kMost) {
    // Once may take long because others had the CPU.
    double took = work(repetitions);
    for (int look = 1; look < 3 && took >= seconds; ++look) {
      took = std::min(took, work(repetitions));
    }
    if (took >= seconds) return repetitions;
    // A little more than the proportion says, so that the next try is the last one; not more than
    // eightfold, since a short time is mostly overhead.
    const double factor = took > 0 ? std::clamp(1.2 * seconds / took, 1.2, 8.0) : 8.0;
    repetitions = static_cast<std::size_t>(std::ceil(static_cast<double>(repetitions) * factor));
  }
  return kMost;
}

Figure figure_of(std::span<const double> samples, const std::string& unit) {
  const Summary summary = summarize(samples);
  return {.summary = summary, .unit = unit, .warning = judge_spread(summary)};
}

Figure take_samples(const ProbeOptions& options, const std::string& unit,
                    const std::function<double()>& sample) {
  sample();
  const CpuSet& cpus = initial_affinity();
  const LoadLook before = read_load("", cpus);
  const double end = now_seconds() + options.budget_seconds;
  std::vector<double> samples;
  const std::size_t least = std::max<std::size_t>(options.samples, 1);
  while (samples.size() < least || now_seconds() < end) samples.push_back(sample());
  Figure figure = figure_of(samples, unit);
  // Others may disturb every sample alike, which the spread does not show.
  const std::string load = load_warning(before, read_load("", cpus), cpus.count());
  if (!load.empty()) figure.warning += figure.warning.empty() ? load : "; " + load;
  return figure;
}

Figure measure(const ProbeOptions& options, const std::string& unit, const TimedWork& work,
               const std::function<double(double seconds)>& value) {
  const std::size_t repetitions = calibrate_repetitions(work, least_sample_seconds(options));
  return take_samples(options, unit,
                      [&] { return value(work(repetitions) / static_cast<double>(repetitions)); });
}

}  // namespace kinjo
