/// The frame of a chart with one quantity upwards: axes with units, ticks and grid.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/axes.hpp"
#include "report/svg.hpp"

namespace kinjo {

/// Where a chart's lines may be, in user units; y grows downwards.
struct PlotArea {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
};

/// A unit in which values are short: they are multiplied by `factor` and named `unit`.
struct ShownUnit {
  double factor = 1;
  std::string unit;
};

/// Milliseconds for small times, powers of a thousand for what is very large or small.
ShownUnit shown_unit(double largest, const std::string& unit);

/// Whether values of a unit are times.
bool is_time(const std::string& unit);

/// An axis from 0, or a logarithmic one where the values differ more than thirtyfold, times
/// fivefold (they are halved where rates are doubled); both bounds are round values around `low`
/// and `high`.
Scale value_scale(double low, double high, const std::string& unit, const PlotArea& area);

/// Grid lines with their values at the left, and the axis' name above.
void draw_value_axis(Svg& svg, const Scale& scale, const PlotArea& area, const std::string& name);

/// Moves positions apart by at least `gap`, as little as possible, and keeps them between `low` and
/// `high` where there is room; the order of equal ones is that of the list.
std::vector<double> spread_apart(std::vector<double> positions, double gap, double low,
                                 double high);

inline constexpr double kChartFont = 13;

}  // namespace kinjo
