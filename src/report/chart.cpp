#include "report/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace kinjo {

namespace {

constexpr double kLogFrom = 30;  // the ratio from which on small values would lie on the axis
constexpr double kLogTimesFrom = 5;
constexpr std::size_t kMostTicks = 6;

/// The nearest 1, 2 or 5 times a power of ten below or above.
double round_outwards(double value, bool up) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  constexpr std::array kDigits = {1.0, 2.0, 5.0, 10.0};
  if (up) {
    for (double digit : kDigits) {
      if (digit * power >= value * (1 - 1e-9)) return digit * power;
    }
  }
  for (auto digit = kDigits.rbegin(); digit != kDigits.rend(); ++digit) {
    if (*digit * power <= value * (1 + 1e-9)) return *digit * power;
  }
  return power;
}

/// Positions in ascending order are moved into blocks in which each keeps its distance; a block
/// lies about the mean of what its members want.
struct Block {
  double sum = 0;  // of wanted starts of the block
  double count = 0;
  double start(double gap, double low, double high) const {
    const double room = std::max(low, high - gap * (count - 1));
    return std::clamp(sum / count, low, room);
  }
};

}  // namespace

ShownUnit shown_unit(double largest, const std::string& unit) {
  if (unit == "s" && largest > 0) {
    if (largest < 1e-6) return {1e9, "ns"};
    if (largest < 1e-3) return {1e6, "µs"};
    if (largest < 1) return {1e3, "ms"};
  }
  if (!(largest >= 1e5 || (largest > 0 && largest < 1e-2)) || unit == "s") return {1, unit};
  const int thousands = static_cast<int>(std::floor(std::log10(largest) / 3));
  const std::string power = fmt::format("10^{}", 3 * thousands);
  return {std::pow(10, -3 * thousands), unit.empty() ? power : power + " " + unit};
}

bool is_time(const std::string& unit) {
  return unit == "s" || unit == "ms" || unit == "us" || unit == "µs" || unit == "ns";
}

Scale value_scale(double low, double high, const std::string& unit, const PlotArea& area) {
  if (low > 0 && high > (is_time(unit) ? kLogTimesFrom : kLogFrom) * low) {
    return {ScaleKind::logarithmic, round_outwards(low, false), round_outwards(high, true),
            area.bottom, area.top};
  }
  const double from = low < 0 ? -round_above(-low) : 0;
  return {ScaleKind::linear, from, std::max(round_above(high), from + 1e-300), area.bottom,
          area.top};
}

void draw_value_axis(Svg& svg, const Scale& scale, const PlotArea& area, const std::string& name) {
  const auto ticks = scale.kind() == ScaleKind::linear
                         ? linear_ticks(scale.low(), scale.high(), kMostTicks)
                         : log_ticks(scale.low(), scale.high(), kMostTicks);
  const auto texts = tick_texts(ticks);
  svg.open_group("axis");
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double y = scale.at(ticks[i]);
    svg.line({area.left, y}, {area.right, y}, {"#d9d9d9", 1, ""});
    svg.text({area.left - 6, y + kChartFont / 3}, texts[i],
             {.size = kChartFont, .colour = "#333333", .anchor = Anchor::end});
  }
  svg.text({4, area.top - 16}, fitted_text(name, area.right - 4, kChartFont, Weight::bold),
           {.size = kChartFont, .bold = true});
  svg.close_group();
}

std::vector<double> spread_apart(std::vector<double> positions, double gap, double low,
                                 double high) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return positions[i]; });
  std::vector<Block> blocks;
  for (std::size_t i : order) {
    blocks.push_back({positions[i], 1});
    while (blocks.size() > 1) {
      const Block& last = blocks.back();
      Block& before = blocks[blocks.size() - 2];
      if (last.start(gap, low, high) >= before.start(gap, low, high) + gap * before.count) break;
      before.sum += last.sum - gap * before.count * last.count;
      before.count += last.count;
      blocks.pop_back();
    }
  }
  std::size_t at = 0;
  for (const Block& block : blocks) {
    for (int k = 0; k < static_cast<int>(block.count); ++k) {
      positions[order[at++]] = block.start(gap, low, high) + gap * k;
    }
  }
  return positions;
}

}  // namespace kinjo
