#include "report/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/chart.hpp"
#include "report/configuration.hpp"
#include "report/line_style.hpp"

namespace kinjo {

namespace {

constexpr double kWidth = 520;
constexpr double kHeight = 320;
constexpr double kLabelGap = 17;

/// What the drawing of a set needs to know of its values.
struct Frame {
  PlotArea area;
  ShownUnit unit;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::set<std::size_t> numbers;
};

Frame frame_of(const CurveSet& set) {
  Frame frame;
  double label = 0;
  for (const Curve& curve : set.curves) {
    label = std::max(label, text_width(curve.name, kChartFont));
    for (const Curve::Point& point : curve.points) {
      frame.low = std::min(frame.low, point.summary.low);
      frame.high = std::max(frame.high, point.summary.high);
      frame.numbers.insert(point.at);
    }
  }
  frame.unit = shown_unit(std::max(std::fabs(frame.low), std::fabs(frame.high)), set.unit);
  frame.low *= frame.unit.factor;
  frame.high *= frame.unit.factor;
  frame.area = {
      .left = 62, .right = kWidth - std::min(label, 150.0) - 50, .top = 40, .bottom = kHeight - 46};
  return frame;
}

/// What the numbers of an axis are called: each, all of them, and the curves over them.
struct AxisWords {
  const char* title;
  const char* over;
  const char* column;
  const char* curve;
};
AxisWords words_of(CurveAxis axis) {
  switch (axis) {
    case CurveAxis::threads:
      return {"threads", "over threads", "threads", "policy"};
    case CurveAxis::elements:
      return {"elements of a vector", "by size", "elements", "line"};
    case CurveAxis::rows:
      return {"rows and columns", "by size", "rows", "line"};
    case CurveAxis::sums:
      return {"vectors of running sums", "by running sums", "vectors", "line"};
    case CurveAxis::graphs:
      return {"N", "over N", "N", "policy"};
  }
  return {};
}

std::string number_text(CurveAxis axis, std::size_t number) {
  return axis == CurveAxis::elements ? detail::format_count(number) : std::to_string(number);
}

/// `8 threads`, `48K elements`.
std::string phrase(CurveAxis axis, std::size_t number) {
  if (axis == CurveAxis::threads) return thread_count(number);
  if (axis == CurveAxis::graphs) return fmt::format("N = {}", number);
  return fmt::format("{} {}", number_text(axis, number), words_of(axis).column);
}

std::string value_name(const CurveSet& set, const Frame& frame) {
  const std::string name = set.metric == "seconds" ? "time" : set.metric;
  return frame.unit.unit.empty() ? name : name + ", " + frame.unit.unit;
}

std::string tip_of(const CurveSet& set, const Frame& frame, const Curve& curve,
                   const Curve::Point& point) {
  const double factor = frame.unit.factor;
  return fmt::format("{}, {}: {} {} ({} to {})", curve.name, phrase(set.axis, point.at),
                     short_number(point.summary.median * factor),
                     frame.unit.unit.empty() ? set.metric : frame.unit.unit,
                     short_number(point.summary.low * factor),
                     short_number(point.summary.high * factor));
}

void draw_whisker(Svg& svg, double x, double from, double to, const Colour& colour) {
  const Stroke stroke{colour, 1.2, ""};
  svg.line({x, from}, {x, to}, stroke);
  for (double y : {from, to}) svg.line({x - 3, y}, {x + 3, y}, stroke);
}

/// The numbers' axis: doubling threads and sizes lie evenly where the largest is at least four
/// times the smallest, as S1 draws them. Of graphs each next one is some times as much work.
Scale number_scale(CurveAxis axis, const Frame& frame) {
  const auto low = static_cast<double>(*frame.numbers.begin());
  const auto high = static_cast<double>(*frame.numbers.rbegin());
  constexpr double kMargin = 14;  // room for markers that are moved aside
  const bool even = axis == CurveAxis::sums || axis == CurveAxis::graphs;
  const bool spread = !even && high >= 4 * low;
  return {spread ? ScaleKind::logarithmic : ScaleKind::linear, low, high, frame.area.left + kMargin,
          frame.area.right - kMargin};
}

void draw_number_axis(Svg& svg, CurveAxis axis, const Scale& scale, const Frame& frame) {
  const PlotArea& area = frame.area;
  const Stroke dark{"#333333", 1, ""};
  svg.open_group("axis");
  svg.line({area.left, area.bottom}, {area.right, area.bottom}, dark);
  double free_from = 0;
  for (std::size_t number : frame.numbers) {
    const double x = scale.at(static_cast<double>(number));
    const std::string text = number_text(axis, number);
    const double half = text_width(text, kChartFont) / 2;
    svg.line({x, area.bottom}, {x, area.bottom + 5}, dark);
    if (x - half < free_from) continue;
    svg.text({x, area.bottom + 19}, text,
             {.size = kChartFont, .colour = "#333333", .anchor = Anchor::middle});
    free_from = x + half + 4;
  }
  svg.text({(area.left + area.right) / 2, kHeight - 8},
           fmt::format("{}{}", words_of(axis).title,
                       axis == CurveAxis::threads && scale.kind() == ScaleKind::logarithmic
                           ? " (each step doubles)"
                           : ""),
           {.size = kChartFont, .anchor = Anchor::middle, .bold = true});
  svg.close_group();
}

/// A curve's line. `aside` moves all of it so that whiskers of different curves stay apart.
void draw_curve(Svg& svg, const CurveSet& set, const Curve& curve, const LineStyle& style,
                const Frame& frame, const Scale& x, const Scale& y, double aside) {
  std::vector<Point> line;
  std::vector<Point> upper;
  std::vector<Point> band;
  for (const Curve::Point& point : curve.points) {
    const double at = x.at(static_cast<double>(point.at)) + aside;
    line.push_back({at, y.at(point.summary.median * frame.unit.factor)});
    band.push_back({at, y.at(point.summary.low * frame.unit.factor)});
    upper.push_back({at, y.at(point.summary.high * frame.unit.factor)});
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    draw_whisker(svg, line[i].x, band[i].y, upper[i].y, style.colour);
  }
  band.insert(band.end(), upper.rbegin(), upper.rend());
  svg.area(band, style.colour, 0.12);
  svg.polyline(line, {style.colour, 2, style.dashes});
  for (std::size_t i = 0; i < line.size(); ++i) {
    draw_marker(svg, line[i], style, tip_of(set, frame, curve, curve.points[i]));
  }
}

/// A curve's name beside the end of its line, at `y`, joined to it where it had to be moved.
void draw_label(Svg& svg, const Curve& curve, const LineStyle& style, Point end, double right,
                double y) {
  svg.polyline(std::vector<Point>{{end.x + 6, end.y}, {right + 4, y}, {right + 14, y}},
               {style.colour, 1, "1 2"});
  draw_marker(svg, {right + 22, y}, style);
  svg.text({right + 32, y + kChartFont / 3}, fitted_text(curve.name, 150, kChartFont),
           {.size = kChartFont});
}

void draw_lines(Svg& svg, const CurveSet& set, const Frame& frame,
                const std::vector<std::string>& names) {
  const Scale x = number_scale(set.axis, frame);
  const Scale y = value_scale(frame.low, frame.high, set.unit, frame.area);
  draw_value_axis(svg, y, frame.area, value_name(set, frame));
  draw_number_axis(svg, set.axis, x, frame);
  std::vector<double> ends;
  for (const Curve& curve : set.curves) {
    ends.push_back(y.at(curve.points.back().summary.median * frame.unit.factor));
  }
  const auto labels = spread_apart(ends, kLabelGap, 20, kHeight - 12);
  svg.open_group("curves");
  for (std::size_t c = 0; c < set.curves.size(); ++c) {
    const Curve& curve = set.curves[c];
    const LineStyle style = line_style(curve.name, names);
    const double aside = std::clamp(
        5 * (static_cast<double>(c) - static_cast<double>(set.curves.size() - 1) / 2), -12.0, 12.0);
    svg.open_group("curve");
    draw_curve(svg, set, curve, style, frame, x, y, aside);
    const double last = x.at(static_cast<double>(curve.points.back().at)) + aside;
    draw_label(svg, curve, style, {last, ends[c]}, frame.area.right, labels[c]);
    svg.close_group();
  }
  svg.close_group();
}

/// One number makes no curve: each has a column of its own.
void draw_columns(Svg& svg, const CurveSet& set, Frame& frame,
                  const std::vector<std::string>& names) {
  frame.area.right = kWidth - 14;
  const Scale y = value_scale(frame.low, frame.high, set.unit, frame.area);
  draw_value_axis(svg, y, frame.area, value_name(set, frame));
  svg.line({frame.area.left, frame.area.bottom}, {frame.area.right, frame.area.bottom});
  const double step = (frame.area.right - frame.area.left) / static_cast<double>(set.curves.size());
  svg.open_group("curves");
  for (std::size_t c = 0; c < set.curves.size(); ++c) {
    const Curve& curve = set.curves[c];
    const LineStyle style = line_style(curve.name, names);
    const double x = frame.area.left + step * (static_cast<double>(c) + 0.5);
    const auto at = [&](double value) { return y.at(value * frame.unit.factor); };
    const Summary& summary = curve.points.front().summary;
    svg.open_group("curve");
    draw_whisker(svg, x, at(summary.low), at(summary.high), style.colour);
    draw_marker(svg, {x, at(summary.median)}, style,
                tip_of(set, frame, curve, curve.points.front()));
    svg.text({x, frame.area.bottom + 19}, fitted_text(curve.name, step - 6, kChartFont),
             {.size = kChartFont, .anchor = Anchor::middle});
    svg.close_group();
  }
  svg.close_group();
  svg.text({(frame.area.left + frame.area.right) / 2, kHeight - 8},
           fmt::format("{}, with {}", words_of(set.axis).curve,
                       phrase(set.axis, *frame.numbers.begin())),
           {.size = kChartFont, .anchor = Anchor::middle, .bold = true});
}

Table curve_table(const CurveSet& set) {
  const std::string unit = set.unit.empty() ? "" : ", " + set.unit;
  const AxisWords words = words_of(set.axis);
  Table table({words.curve, words.column, "median" + unit, "low", "high", "smallest", "largest",
               "samples"});
  for (const Curve& curve : set.curves) {
    for (const auto& [at, s] : curve.points) {
      table.add({curve.name, std::to_string(at), short_number(s.median), short_number(s.low),
                 short_number(s.high), short_number(s.min), short_number(s.max),
                 std::to_string(s.count)});
    }
  }
  return table;
}

CurveSet& set_for(std::vector<CurveSet>& sets, const Metric& metric, const std::string& variant) {
  const auto at = std::ranges::find_if(sets, [&](const CurveSet& s) {
    return s.metric == metric.name && s.unit == metric.unit && s.variant == variant;
  });
  if (at != sets.end()) return *at;
  return sets.emplace_back(CurveSet{metric.name, metric.unit, variant, {}, CurveAxis::threads});
}

}  // namespace

void add_points(CurveSet& set, const Record& record, const Metric& metric, std::size_t at) {
  const Curve::Point point{at, summarize(metric.samples)};
  for (const std::string& policy : policies_of(record)) {
    auto curve = std::ranges::find(set.curves, policy, &Curve::name);
    if (curve == set.curves.end()) curve = set.curves.insert(curve, Curve{policy, {}});
    const auto place = std::ranges::lower_bound(curve->points, point.at, {}, &Curve::Point::at);
    curve->points.insert(place, point);
  }
}

std::vector<CurveSet> curve_sets(std::span<const Record> records) {
  std::vector<CurveSet> sets;
  const auto variants = variants_of(records);
  for (const std::string& name : metric_names(records)) {
    for (std::size_t r = 0; r < records.size(); ++r) {
      const Metric* metric = measured(records[r], name);
      if (!metric || failure_of(records[r])) continue;
      add_points(set_for(sets, *metric, variants[r]), records[r], *metric, records[r].threads);
    }
  }
  return sets;
}

Picture curve_picture(const CurveSet& set, const std::vector<std::string>& names) {
  Frame frame = frame_of(set);
  const bool lines = frame.numbers.size() > 1;
  const AxisWords words = words_of(set.axis);
  const std::string over = lines ? words.over : fmt::format("by {}", words.curve);
  const std::string variant = set.variant.empty() ? "" : ", " + set.variant;
  const std::string title = fmt::format("{} {}{}", set.metric, over, variant);
  Svg svg(kWidth, kHeight, title,
          fmt::format("Medians of {}{} {}; the table below holds the same figures.", set.metric,
                      set.unit.empty() ? "" : " in " + set.unit,
                      lines ? fmt::format("over the number of {}, a line for each {}", words.column,
                                          words.curve)
                            : fmt::format("side by side, a mark for each {}", words.curve)));
  if (lines) {
    draw_lines(svg, set, frame, names);
  } else {
    draw_columns(svg, set, frame, names);
  }
  return {title, "", svg.inline_text(), curve_table(set)};
}

}  // namespace kinjo
