#include "report/line_style.hpp"

#include <algorithm>
#include <array>

namespace kinjo {

namespace {

// Indices of category_colour: those that are dark enough on white come first.
constexpr std::array<std::size_t, 6> kOrder = {0, 3, 2, 5, 1, 4};
constexpr std::array kMarkers = {Marker::square, Marker::triangle, Marker::diamond, Marker::cross,
                                 Marker::ring};

}  // namespace

LineStyle line_style(const std::string& policy, const std::vector<std::string>& policies) {
  if (policy == "none") return {"#000000", "2 3", Marker::circle};
  std::size_t rank = 0;
  for (const std::string& each : policies) {
    if (each == policy) break;
    if (each != "none") ++rank;
  }
  return {category_colour(kOrder[rank % kOrder.size()]),
          rank == 0 ? "" : category_dashes(rank / kOrder.size()),
          kMarkers[rank % kMarkers.size()]};
}

void draw_marker(Svg& svg, Point at, const LineStyle& style, std::string_view tip) {
  constexpr double kHalf = 4;
  const auto polygon = [&](std::initializer_list<Point> offsets) {
    std::vector<Point> points;
    for (const Point& p : offsets) points.push_back({at.x + p.x * kHalf, at.y + p.y * kHalf});
    svg.area(points, style.colour, 1);
  };
  const Stroke outline{style.colour, 2, ""};
  switch (style.marker) {
    case Marker::circle: svg.circle(at, kHalf, style.colour); break;
    case Marker::ring: svg.circle(at, kHalf, "#ffffff", outline); break;
    case Marker::square: polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}); break;
    case Marker::triangle: polygon({{0, -1.3}, {1.2, 0.9}, {-1.2, 0.9}}); break;
    case Marker::diamond: polygon({{0, -1.4}, {1.2, 0}, {0, 1.4}, {-1.2, 0}}); break;
    case Marker::cross:
      svg.line({at.x - kHalf, at.y - kHalf}, {at.x + kHalf, at.y + kHalf}, outline);
      svg.line({at.x - kHalf, at.y + kHalf}, {at.x + kHalf, at.y - kHalf}, outline);
      break;
  }
  // The pointer need not hit the marker itself.
  if (!tip.empty()) svg.circle(at, 10, "transparent", {"", 0, ""}, tip);
}

}  // namespace kinjo
