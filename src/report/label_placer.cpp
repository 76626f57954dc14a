#include "report/label_placer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kinjo {

namespace {

/// Whether a line across one of `a`'s sides separates the boxes.
bool separated_by_sides_of(const Quad& a, const Quad& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Point& p = a[i];
    const Point& q = a[(i + 1) % a.size()];
    const auto along = [&](const Point& r) { return r.x * (q.y - p.y) - r.y * (q.x - p.x); };
    const auto [a_low, a_high] = std::ranges::minmax(a, {}, along);
    const auto [b_low, b_high] = std::ranges::minmax(b, {}, along);
    if (along(a_high) <= along(b_low) || along(b_high) <= along(a_low)) return true;
  }
  return false;
}

}  // namespace

bool overlap(const Quad& a, const Quad& b) {
  return !separated_by_sides_of(a, b) && !separated_by_sides_of(b, a);
}

Quad text_quad(Point at, std::string_view text, const TextStyle& style) {
  const double width = text_width(text, style.size, style.bold ? Weight::bold : Weight::normal);
  const double left = style.anchor == Anchor::start    ? 0
                      : style.anchor == Anchor::middle ? -width / 2
                                                       : -width;
  const double above = -0.8 * style.size;
  const double below = 0.25 * style.size;
  const double angle = style.rotate * std::numbers::pi / 180;
  Quad quad = {{{left, above}, {left + width, above}, {left + width, below}, {left, below}}};
  for (Point& p : quad) {
    p = {at.x + p.x * std::cos(angle) - p.y * std::sin(angle),
         at.y + p.x * std::sin(angle) + p.y * std::cos(angle)};
  }
  return quad;
}

void LabelPlacer::take(Point centre, double radius) {
  take({{{centre.x - radius, centre.y - radius},
         {centre.x + radius, centre.y - radius},
         {centre.x + radius, centre.y + radius},
         {centre.x - radius, centre.y + radius}}});
}

bool LabelPlacer::is_free(const Quad& quad) const {
  const bool inside = std::ranges::all_of(quad, [&](const Point& p) {
    return p.x >= low_.x && p.x <= high_.x && p.y >= low_.y && p.y <= high_.y;
  });
  return inside &&
         std::ranges::none_of(taken_, [&](const Quad& other) { return overlap(quad, other); });
}

std::optional<Point> LabelPlacer::claim(const std::vector<Point>& places, std::string_view text,
                                        const TextStyle& style) {
  for (const Point& place : places) {
    const Quad quad = text_quad(place, text, style);
    if (!is_free(quad)) continue;
    take(quad);
    return place;
  }
  return std::nullopt;
}

bool LabelPlacer::write(Svg& svg, const std::vector<Point>& places, std::string_view text,
                        const TextStyle& style) {
  const auto place = claim(places, text, style);
  if (place) svg.text(*place, text, style);
  return place.has_value();
}

}  // namespace kinjo
