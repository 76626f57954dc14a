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

/// The style of a policy: `none` is black, `scatter`, `compact` and `compact-plus` always look the
/// same, and the others differ by their rank in the list of a page's policies.
LineStyle line_style(const std::string& policy, const std::vector<std::string>& policies);

/// A marker of about 8 × 8 units; resting the pointer near it shows `tip`.
void draw_marker(Svg& svg, Point at, const LineStyle& style, std::string_view tip = {});

/// Markers with their policies' names, side by side and then below each other. `height` is what
/// `draw` needs below its corner.
class PolicyLegend {
 public:
  PolicyLegend(std::vector<std::string> policies, double width);
  double height() const;
  void draw(Svg& svg, Point corner) const;

 private:
  std::vector<std::string> policies_;
  double column_ = 0;
  std::size_t columns_ = 1;
};

}  // namespace kinjo
