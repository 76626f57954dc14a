#include "report/svg.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

/// A coordinate without superfluous zeros; the same text in every locale.
std::string number(double value) {
  KINJO_ASSERT(std::isfinite(value));
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string stroke_attributes(const Stroke& stroke) {
  if (stroke.width <= 0) return "";
  std::string text = fmt::format(R"( stroke="{}" stroke-width="{}")", escape_markup(stroke.colour),
                                 number(stroke.width));
  if (!stroke.dashes.empty()) {
    text += fmt::format(R"( stroke-dasharray="{}")", escape_markup(stroke.dashes));
  }
  return text;
}

std::string points_attribute(std::span<const Point> points) {
  std::string text;
  for (const Point& point : points) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(point.x), number(point.y));
  }
  return text;
}

/// The end of a shape's element: with a title inside, or empty.
std::string shape_end(std::string_view element, std::string_view tip) {
  if (tip.empty()) return "/>\n";
  return fmt::format("><title>{}</title></{}>\n", escape_markup(tip), element);
}

const char* anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
    case Anchor::start:
      break;
  }
  return "start";
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : width_(width),
      height_(height),
      title_(escape_markup(title)),
      description_(escape_markup(description)) {
  KINJO_ASSERT(width > 0 && height > 0);
}

void Svg::rectangle(Point corner, double width, double height, const Colour& fill,
                    const Stroke& stroke, std::string_view tip) {
  KINJO_ASSERT(width >= 0 && height >= 0);
  body_ += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}"{})",
                       number(corner.x), number(corner.y), number(width), number(height),
                       escape_markup(fill), stroke_attributes(stroke)) +
           shape_end("rect", tip);
}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  body_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}"{}/>)", number(from.x),
                       number(from.y), number(to.x), number(to.y), stroke_attributes(stroke)) +
           '\n';
}

void Svg::polyline(std::span<const Point> points, const Stroke& stroke) {
  body_ += fmt::format(R"(<polyline points="{}" fill="none"{}/>)", points_attribute(points),
                       stroke_attributes(stroke)) +
           '\n';
}

void Svg::area(std::span<const Point> points, const Colour& fill, double opacity) {
  body_ += fmt::format(R"(<polygon points="{}" fill="{}" fill-opacity="{}"/>)",
                       points_attribute(points), escape_markup(fill), number(opacity)) +
           '\n';
}

void Svg::circle(Point centre, double radius, const Colour& fill, const Stroke& stroke,
                 std::string_view tip) {
  KINJO_ASSERT(radius >= 0);
  body_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}" fill="{}"{})", number(centre.x),
                       number(centre.y), number(radius), escape_markup(fill),
                       stroke_attributes(stroke)) +
           shape_end("circle", tip);
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  std::string extra;
  if (style.anchor != Anchor::start) {
    extra += fmt::format(R"( text-anchor="{}")", anchor_name(style.anchor));
  }
  if (style.bold) extra += R"( font-weight="bold")";
  if (style.rotate != 0) {
    extra += fmt::format(" transform=\"rotate({} {} {})\"", number(style.rotate), number(at.x),
                         number(at.y));
  }
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}" fill="{}"{}>{}</text>)", number(at.x),
                       number(at.y), number(style.size), escape_markup(style.colour), extra,
                       escape_markup(text)) +
           '\n';
}

void Svg::open_group(std::string_view css_class) {
  body_ += fmt::format("<g class=\"{}\">\n", escape_markup(css_class));
  ++open_groups_;
}

void Svg::close_group() {
  KINJO_ASSERT(open_groups_ > 0);
  body_ += "</g>\n";
  --open_groups_;
}

std::string Svg::markup(std::string_view paper) const {
  KINJO_ASSERT(open_groups_ == 0);
  const std::string id = fmt::format(
      "svg-{:016x}", detail::fnv1a(body_, detail::fnv1a(description_, detail::fnv1a(title_))));
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")"
      R"( role="img" aria-labelledby="{2}-title {2}-desc")"
      R"( font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif">)"
      "\n<title id=\"{2}-title\">{3}</title>\n<desc id=\"{2}-desc\">{4}</desc>\n{5}{6}</svg>\n",
      number(width_), number(height_), id, title_, description_, paper, body_);
}

std::string Svg::inline_text() const { return markup(""); }

std::string Svg::file_text() const {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         markup("<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

}  // namespace kinjo
