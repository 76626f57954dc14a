/// How a policy looks in every figure of a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/svg.hpp"

namespace kinjo {

/// The shapes of markers, told apart without colour.
enum class Marker { circle, square, triangle, diamond, cross, ring };

struct LineStyle {
  Colour colour;
  std::string dashes;
  Marker marker = Marker::circle;
};

/// The style of the policy in the list of a page's policies; `none` is always black.
LineStyle line_style(const std::string& policy, const std::vector<std::string>& policies);

/// A marker of about 8 × 8 units; resting the pointer near it shows `tip`.
void draw_marker(Svg& svg, Point at, const LineStyle& style, std::string_view tip = {});

}  // namespace kinjo
