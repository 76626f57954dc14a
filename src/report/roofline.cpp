#include "report/roofline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "report/axes.hpp"
#include "report/label_placer.hpp"
#include "report/legend.hpp"

namespace kinjo {

namespace {

constexpr double kWidth = 840;
constexpr double kLeft = 70;
constexpr double kRight = 820;
constexpr double kTop = 44;
constexpr double kBottom = 470;
constexpr double kSize = 11;
constexpr double kRadius = 4.5;

using Roofs = std::span<const Roof>;
using Points = std::span<const RooflinePoint>;

struct Axes {
  Scale x;
  Scale y;
  /// Degrees by which lines of one bandwidth rise; negative, as y runs downwards.
  double slope = 0;
};

struct Range {
  double low = INFINITY;
  double high = 0;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

double highest(Roofs roofs, Roof::Kind kind) {
  double value = 0;
  for (const Roof& roof : roofs) {
    if (roof.kind == kind) value = std::max(value, roof.value);
  }
  return value;
}

double lowest(Roofs roofs, Roof::Kind kind) {
  double value = INFINITY;
  for (const Roof& roof : roofs) {
    if (roof.kind == kind) value = std::min(value, roof.value);
  }
  return value;
}

/// Intensities: around all points and all ridges, where a bandwidth meets a peak.
Range intensities(Roofs roofs, Points points) {
  Range range;
  for (const RooflinePoint& point : points) range.include(point.flops_per_byte);
  const double peak = highest(roofs, Roof::Kind::peak);
  const double bandwidth = lowest(roofs, Roof::Kind::bandwidth);
  if (peak > 0 && std::isfinite(bandwidth)) range.include(peak / bandwidth);
  if (range.high == 0) range.include(1);
  range.low = std::min(range.low / 2, range.high / 100);
  range.high *= 4;
  return range;
}

Axes axes_for(Roofs roofs, Points points) {
  const Range x = intensities(roofs, points);
  Range y;
  for (const RooflinePoint& point : points) y.include(point.gflops);
  for (const Roof& roof : roofs) {
    if (roof.kind == Roof::Kind::peak) {
      y.include(roof.value);
    } else {
      y.include(roof.value * x.low);
    }
  }
  if (highest(roofs, Roof::Kind::peak) == 0) {
    y.include(std::max(y.high, highest(roofs, Roof::Kind::bandwidth) * x.high / 4));
  }
  const Range shown{y.low / 2, std::max(y.high * 2, y.low * 10)};
  const double x_unit = (kRight - kLeft) / std::log(x.high / x.low);
  const double y_unit = (kBottom - kTop) / std::log(shown.high / shown.low);
  return {.x = Scale(ScaleKind::logarithmic, x.low, x.high, kLeft, kRight),
          .y = Scale(ScaleKind::logarithmic, shown.low, shown.high, kBottom, kTop),
          .slope = -std::atan2(y_unit, x_unit) * 180 / std::numbers::pi};
}

void draw_axes(Svg& svg, const Axes& axes) {
  const Stroke grid{.colour = "#e2e2e2"};
  const auto xs = log_ticks(axes.x.low(), axes.x.high(), 10);
  const auto ys = log_ticks(axes.y.low(), axes.y.high(), 10);
  for (double x : xs) {
    svg.line({axes.x.at(x), kTop}, {axes.x.at(x), kBottom}, grid);
    svg.text({axes.x.at(x), kBottom + 15}, short_number(x),
             {.size = kSize, .anchor = Anchor::middle});
  }
  for (double y : ys) {
    svg.line({kLeft, axes.y.at(y)}, {kRight, axes.y.at(y)}, grid);
    svg.text({kLeft - 6, axes.y.at(y) + 4}, short_number(y),
             {.size = kSize, .anchor = Anchor::end});
  }
  svg.rectangle({kLeft, kTop}, kRight - kLeft, kBottom - kTop, "none", {.colour = "#666666"});
  svg.text({(kLeft + kRight) / 2, kBottom + 34}, "operations for each byte moved (FLOP/byte)",
           {.size = 12, .anchor = Anchor::middle});
  svg.text({18, (kTop + kBottom) / 2}, "GFLOP/s",
           {.size = 12, .anchor = Anchor::middle, .rotate = -90});
  svg.text({10, 22}, "Roofline", {.size = 14, .bold = true});
}

Stroke stroke_of(const Roof& roof) {
  return roof.threads == Roof::Threads::one
             ? Stroke{.colour = "#777777", .width = 1.25, .dashes = "6 3"}
             : Stroke{.colour = "#222222", .width = 1.5};
}

std::string roof_text(const Roof& roof) {
  const char* threads = roof.threads == Roof::Threads::one ? "one thread" : "all threads";
  if (roof.kind == Roof::Kind::peak) {
    return fmt::format("peak, {}: {} GFLOP/s", threads, short_number(roof.value));
  }
  return fmt::format("{} {}, {}: {} GB/s", roof.name, roof.what, threads, short_number(roof.value));
}

/// Where a bandwidth's line begins and ends: in the picture, and below the peak of as many threads.
struct Span {
  double from = 0;
  double to = 0;
};

Span span_of(const Roof& roof, Roofs roofs, const Axes& axes) {
  double top = axes.y.high();
  for (const Roof& other : roofs) {
    if (other.kind == Roof::Kind::peak && other.threads == roof.threads) top = other.value;
  }
  return {std::max(axes.x.low(), axes.y.low() / roof.value),
          std::min(axes.x.high(), top / roof.value)};
}

/// A peak begins where the steepest of its bandwidths reaches it.
double peak_begin(const Roof& peak, Roofs roofs, const Axes& axes) {
  double bandwidth = 0;
  for (const Roof& roof : roofs) {
    if (roof.kind == Roof::Kind::bandwidth && roof.threads == peak.threads) {
      bandwidth = std::max(bandwidth, roof.value);
    }
  }
  return bandwidth > 0 ? std::max(axes.x.low(), peak.value / bandwidth) : axes.x.low();
}

/// A bound as a line; nothing where it lies outside of the picture.
std::optional<std::pair<Point, Point>> line_of(const Roof& roof, Roofs roofs, const Axes& axes) {
  if (roof.kind == Roof::Kind::peak) {
    const double y = axes.y.at(roof.value);
    return std::pair{Point{axes.x.at(peak_begin(roof, roofs, axes)), y}, Point{kRight, y}};
  }
  const Span span = span_of(roof, roofs, axes);
  if (span.from >= span.to) return std::nullopt;
  return std::pair{Point{axes.x.at(span.from), axes.y.at(span.from * roof.value)},
                   Point{axes.x.at(span.to), axes.y.at(span.to * roof.value)}};
}

/// Above the right end of a peak and on to the left, each place also below the line.
std::vector<Point> peak_places(const Point& begin, const Point& end) {
  std::vector<Point> places;
  for (double x = end.x - 6; x > begin.x; x -= 20) {
    places.push_back({x, end.y - 4});
    places.push_back({x, end.y + 12});
  }
  return places;
}

/// Above a rising line from its low end on, then below it.
std::vector<Point> bandwidth_places(const Point& begin, const Point& end) {
  const double length = std::hypot(end.x - begin.x, end.y - begin.y);
  const Point step{(end.x - begin.x) / length, (end.y - begin.y) / length};
  std::vector<Point> places;
  for (double side : {-4.0, 12.0}) {
    for (double at = 8; at < length; at += 12) {
      places.push_back(
          {begin.x + at * step.x - side * step.y, begin.y + at * step.y + side * step.x});
    }
  }
  return places;
}

void draw_lines(Svg& svg, Roofs roofs, const Axes& axes) {
  svg.open_group("roofs");
  for (const Roof& roof : roofs) {
    if (const auto line = line_of(roof, roofs, axes)) {
      svg.line(line->first, line->second, stroke_of(roof));
    }
  }
  svg.close_group();
}

/// The bounds' names, off all lines.
void label_lines(Svg& svg, Roofs roofs, const Axes& axes, LabelPlacer& labels) {
  for (const Roof& roof : roofs) {
    const auto line = line_of(roof, roofs, axes);
    if (!line) continue;
    const auto& [begin, end] = *line;
    labels.take(Quad{{begin, end, {end.x, end.y + 0.5}, {begin.x, begin.y + 0.5}}});
  }
  for (const Roof& roof : roofs) {
    const auto line = line_of(roof, roofs, axes);
    if (!line) continue;
    if (roof.kind == Roof::Kind::peak) {
      labels.write(svg, peak_places(line->first, line->second), roof_text(roof),
                   {.size = kSize, .anchor = Anchor::end});
    } else {
      labels.write(svg, bandwidth_places(line->first, line->second), roof_text(roof),
                   {.size = kSize - 1, .rotate = axes.slope});
    }
  }
}

using Colours = std::map<std::string, Colour>;

/// Policies in the order in which they come.
std::vector<LegendEntry> policies_legend(Points points, Colours& colours) {
  std::vector<LegendEntry> entries;
  for (const RooflinePoint& point : points) {
    const auto [at, fresh] = colours.try_emplace(point.policy, category_colour(colours.size()));
    if (fresh) entries.push_back({.fill = at->second, .text = "points of policy " + point.policy});
  }
  return entries;
}

std::string tip_of(const RooflinePoint& point) {
  return fmt::format("{} {}, {}, {} thread{}: {} GFLOP/s at {} FLOP/byte", point.workload,
                     point.metric, point.policy, point.threads, point.threads == 1 ? "" : "s",
                     short_number(point.gflops), short_number(point.flops_per_byte));
}

/// Around a point, the nearest first.
std::vector<Point> places_beside(Point at, double width) {
  std::vector<Point> places;
  for (double away : {8.0, 20.0, 34.0, 50.0}) {
    places.push_back({at.x + away, at.y + 4});
    places.push_back({at.x - away - width, at.y + 4});
    places.push_back({at.x - width / 2, at.y + away + 8});
    places.push_back({at.x - width / 2, at.y - away});
    places.push_back({at.x + away * 0.7, at.y + away});
    places.push_back({at.x - away * 0.7 - width, at.y + away});
  }
  return places;
}

/// Points, then their names, which may lie on lines, but on paper of their own.
void draw_points(Svg& svg, Points points, const Axes& axes, const Colours& colours,
                 LabelPlacer& labels) {
  // What differs in its policy or number of threads alone lies in one column and has one label.
  std::map<std::pair<std::string, double>, Point> highest_of;
  svg.open_group("points");
  for (const RooflinePoint& point : points) {
    const Point at{axes.x.at(point.flops_per_byte), axes.y.at(point.gflops)};
    svg.circle(at, kRadius, colours.at(point.policy), {.colour = "#ffffff"}, tip_of(point));
    labels.take(at, kRadius);
    const auto [entry, fresh] =
        highest_of.try_emplace({point.workload + ' ' + point.metric, point.flops_per_byte}, at);
    if (at.y < entry->second.y) entry->second = at;
  }
  const TextStyle style{.size = kSize, .bold = true};
  for (const auto& [key, at] : highest_of) {
    const auto places = places_beside(at, text_width(key.first, kSize, Weight::bold));
    if (const auto place = labels.claim(places, key.first, style)) {
      svg.area(text_quad(*place, key.first, style), "#ffffff", 0.8);
      svg.text(*place, key.first, style);
    }
  }
  svg.close_group();
}

}  // namespace

std::optional<Svg> roofline_svg(Roofs roofs, Points points) {
  if (roofs.empty() && points.empty()) return std::nullopt;
  const Axes axes = axes_for(roofs, points);
  Colours colours;
  const auto legend = policies_legend(points, colours);
  std::string description =
      "Operations a second over operations for each byte moved, both logarithmic.";
  for (const Roof& roof : roofs) description += ' ' + roof_text(roof) + '.';
  Svg svg(kWidth, kBottom + 50 + legend_height(legend, kRight - kLeft), "Roofline", description);
  draw_axes(svg, axes);
  draw_lines(svg, roofs, axes);
  LabelPlacer labels({kLeft, kTop}, {kRight, kBottom});
  draw_points(svg, points, axes, colours, labels);
  label_lines(svg, roofs, axes, labels);
  draw_legend(svg, {kLeft, kBottom + 48}, kRight - kLeft, legend);
  return svg;
}

}  // namespace kinjo
