#include "report/line_style.hpp"

#include <algorithm>
#include <array>

namespace kinjo {

namespace {

// Indices of category_colour: those that are dark enough on white come first.
constexpr std::array<std::size_t, 6> kOrder = {0, 3, 2, 5, 1, 4};
constexpr std::array kMarkers = {Marker::square, Marker::triangle, Marker::diamond, Marker::cross,
                                 Marker::ring};
constexpr std::array<std::string_view, 3> kNamed = {"scatter", "compact", "compact-plus"};

constexpr double kLegendFont = 12;
constexpr double kLegendRow = 20;

}  // namespace

LineStyle line_style(const std::string& policy, const std::vector<std::string>& policies) {
  if (policy == "none") return {"#000000", "2 3", Marker::circle};
  const auto named = std::ranges::find(kNamed, policy);
  auto rank = static_cast<std::size_t>(named - kNamed.begin());
  for (const std::string& each : policies) {
    if (named != kNamed.end() || each == policy) break;
    if (each != "none" && std::ranges::find(kNamed, each) == kNamed.end()) ++rank;
  }
  return {category_colour(kOrder[rank % kOrder.size()]), category_dashes(rank / kOrder.size()),
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
    case Marker::circle:
      svg.circle(at, kHalf, style.colour);
      break;
    case Marker::ring:
      svg.circle(at, kHalf, "#ffffff", outline);
      break;
    case Marker::square:
      polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
      break;
    case Marker::triangle:
      polygon({{0, -1.3}, {1.2, 0.9}, {-1.2, 0.9}});
      break;
    case Marker::diamond:
      polygon({{0, -1.4}, {1.2, 0}, {0, 1.4}, {-1.2, 0}});
      break;
    case Marker::cross:
      svg.line({at.x - kHalf, at.y - kHalf}, {at.x + kHalf, at.y + kHalf}, outline);
      svg.line({at.x - kHalf, at.y + kHalf}, {at.x + kHalf, at.y - kHalf}, outline);
      break;
  }
  // The pointer need not hit the marker itself.
  if (!tip.empty()) svg.circle(at, 10, "transparent", {"", 0, ""}, tip);
}

PolicyLegend::PolicyLegend(std::vector<std::string> policies, double width)
    : policies_(std::move(policies)) {
  for (const std::string& policy : policies_) {
    column_ = std::max(column_, text_width(policy, kLegendFont) + 40);
  }
  column_ = std::min(column_, width);
  columns_ = policies_.empty() ? 1 : static_cast<std::size_t>(width / column_);
}

double PolicyLegend::height() const {
  return kLegendRow * static_cast<double>((policies_.size() + columns_ - 1) / columns_);
}

void PolicyLegend::draw(Svg& svg, Point corner) const {
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    const Point at{corner.x + 8 + column_ * static_cast<double>(i % columns_),
                   corner.y + kLegendRow * (static_cast<double>(i / columns_) + 0.5)};
    draw_marker(svg, at, line_style(policies_[i], policies_));
    svg.text({at.x + 12, at.y + kLegendFont / 3},
             fitted_text(policies_[i], column_ - 30, kLegendFont), {.size = kLegendFont});
  }
}

}  // namespace kinjo
