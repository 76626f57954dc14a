#include "report/axes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

/// The smallest of 1, 2, 5 times a power of ten that is at least `value`, above 0.
double round_step(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

std::vector<double> multiples(double low, double high, double step) {
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  // Each tick is computed anew: sums of steps would drift.
  for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n) {
    ticks.push_back(n == 0 ? 0 : n * step);
  }
  return ticks;
}

/// `digits` times the powers of `base` between two values.
std::vector<double> power_ticks(double low, double high, double base,
                                std::initializer_list<double> digits) {
  std::vector<double> ticks;
  const double slack = 1 + 1e-9;
  const double first = std::floor(std::log(low) / std::log(base));
  for (double n = first; std::pow(base, n) <= high * slack; ++n) {
    for (double digit : digits) {
      const double tick = digit * std::pow(base, n);
      if (tick >= low / slack && tick <= high * slack) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

std::string short_number(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::fabs(value);
  if (size > 0 && size < 1e-4) return fmt::format("{:.3g}", value);
  // Rounded first, so that the digits after the third are zeros and need not be written.
  const std::string rounded = fmt::format("{:.2e}", value);
  // The greatest doubles have no such number: they would be rounded to one beyond them.
  return fmt::format("{:.7g}", detail::parse_number<double>(rounded).value_or(value));
}

Scale::Scale(ScaleKind kind, double low, double high, double from, double to)
    : kind_(kind), low_(low), high_(high), from_(from), to_(to) {
  KINJO_ASSERT(std::isfinite(low) && std::isfinite(high) && low < high);
  KINJO_ASSERT(kind == ScaleKind::linear || low > 0);
}

double Scale::at(double value) const {
  double share = 0;
  if (kind_ == ScaleKind::linear) {
    share = (value - low_) / (high_ - low_);
  } else if (value > 0) {
    share = std::log(value / low_) / std::log(high_ / low_);
  }
  return from_ + share * (to_ - from_);
}

std::vector<double> linear_ticks(double low, double high, std::size_t most) {
  KINJO_ASSERT(low < high && most >= 2);
  double step = round_step((high - low) / static_cast<double>(most));
  std::vector<double> ticks = multiples(low, high, step);
  while (ticks.size() > most) {
    step = round_step(step * 1.5);
    ticks = multiples(low, high, step);
  }
  return ticks;
}

std::vector<double> log_ticks(double low, double high, std::size_t most, double base) {
  KINJO_ASSERT(low > 0 && low < high && most >= 2);
  std::vector<double> ticks = power_ticks(low, high, base, {1});
  if (ticks.size() < 3 && base == 10) {
    const std::vector<double> finer = power_ticks(low, high, base, {1, 2, 5});
    if (finer.size() >= 2 && finer.size() <= most) ticks = finer;
  }
  if (ticks.size() < 2) return linear_ticks(low, high, most);
  const std::size_t every = (ticks.size() + most - 1) / most;
  std::vector<double> kept;
  for (std::size_t i = 0; i < ticks.size(); i += every) kept.push_back(ticks[i]);
  return kept;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  std::vector<std::string> texts;
  for (double tick : ticks) texts.push_back(fmt::format("{:.6g}", tick));
  return texts;
}

double round_above(double highest) {
  KINJO_ASSERT(std::isfinite(highest));
  if (highest <= 0) return 1;
  const double step = round_step(highest / 10);
  return std::ceil(highest / step * (1 - 1e-9)) * step;
}

}  // namespace kinjo
