#include "measure/schedule.hpp"

#include <algorithm>

namespace kinjo {

Schedule::Schedule(std::size_t figures, double budget_seconds, const ProbeOptions& options, Now now)
    : figures_(figures),
      budget_seconds_(budget_seconds),
      options_(options),
      now_(std::move(now)),
      start_(now_()) {}

ProbeOptions Schedule::next(std::size_t figures) {
  const double used = now_() - start_;
  const std::size_t left = std::max(figures_, begun_ + 1) - begun_;
  const double share = std::max(0.0, budget_seconds_ - used) *
                       static_cast<double>(std::min(figures, left)) / static_cast<double>(left);
  ProbeOptions options = options_;
  options.budget_seconds = std::min(options.budget_seconds, share);
  if (samples_ > 0 && used > 0) {
    const double fit = share * static_cast<double>(samples_) / used - 1;
    const double most = static_cast<double>(options.samples);
    options.samples = static_cast<std::size_t>(std::clamp(fit, 1.0, most));
  }
  begun_ += figures;
  latest_ = figures;
  samples_ += options.samples + 1;
  return options;
}

}  // namespace kinjo
