/// Scalable vector graphics, written as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/colour.hpp"
#include "report/markup.hpp"

namespace kinjo {

struct Stroke {
  Colour colour = "#333333";
  double width = 1;    ///< 0: none
  std::string dashes;  ///< as SVG's stroke-dasharray; empty: solid
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Colour colour = "#111111";
  Anchor anchor = Anchor::start;
  bool bold = false;
  double rotate = 0;  ///< degrees, clockwise, about the point where it is written
};

struct Point {
  double x = 0;
  double y = 0;
};

/// A picture of `width` × `height` user units with a title and a description for those who cannot
/// see it. Everything is drawn in the order of the calls; text is escaped. Coordinates are finite,
/// and are written with two decimals.
class Svg {
 public:
  Svg(double width, double height, std::string_view title, std::string_view description);

  /// `tip` is shown by browsers when the pointer rests on the shape; empty: none.
  void rectangle(Point corner, double width, double height, const Colour& fill,
                 const Stroke& stroke = {}, std::string_view tip = {});
  void line(Point from, Point to, const Stroke& stroke = {});
  void polyline(std::span<const Point> points, const Stroke& stroke);
  /// A closed shape without an outline, e.g. the band of a spread.
  void area(std::span<const Point> points, const Colour& fill, double opacity);
  void circle(Point centre, double radius, const Colour& fill, const Stroke& stroke = {},
              std::string_view tip = {});
  /// One line of text; `at` is on its base line.
  void text(Point at, std::string_view text, const TextStyle& style = {});
  /// Things that belong together, with a class for style sheets and tests.
  void open_group(std::string_view css_class);
  void close_group();

  /// The picture, to be placed into a page (without the XML declaration). Its title and description
  /// have ids made from what it shows, so that different pictures of one page have different ids.
  std::string inline_text() const;
  /// The picture as a file of its own, on white paper.
  std::string file_text() const;

 private:
  std::string markup(std::string_view paper) const;

  double width_;
  double height_;
  std::string title_;  // escaped, as the next
  std::string description_;
  std::string body_;
  int open_groups_ = 0;
};

}  // namespace kinjo
