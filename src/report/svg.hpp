/// Scalable vector graphics, written as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kinjo {

/// One colour as SVG writes it, `#rrggbb`.
using Colour = std::string;

/// Colours for things of different kinds, that the colour-blind and a grey print can tell apart
/// (Okabe and Ito's eight; after that they repeat).
Colour category_colour(std::size_t index);

/// A colour for a share from 0 to 1 on a map of even steps in lightness, dark to light (cividis);
/// what is outside is clamped.
Colour share_colour(double share);

/// Black or white, whichever can be read on `background`.
Colour ink_on(const Colour& background);

struct Stroke {
  Colour colour = "#333333";
  double width = 1;
  std::string dashes;  ///< as SVG's stroke-dasharray; empty: solid
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Colour colour = "#111111";
  Anchor anchor = Anchor::start;
  bool bold = false;
  double rotate = 0;  ///< degrees, about the point where it is written
};

struct Point {
  double x = 0;
  double y = 0;
};

/// A picture of `width` × `height` user units with a title and a description for those who cannot
/// see it. Everything is drawn in the order of the calls; text is escaped.
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
  void text(Point at, std::string_view text, const TextStyle& style = {});
  /// Things that belong together, with a class for style sheets and tests.
  void open_group(std::string_view css_class);
  void close_group();

  /// The picture, to be placed into a page (without the XML declaration).
  std::string inline_text() const;
  /// The picture as a file of its own.
  std::string file_text() const;

 private:
  double width_;
  double height_;
  std::string head_;
  std::string body_;
  int open_groups_ = 0;
};

/// `text` with the characters that XML and HTML reserve written as entities; bytes that are not
/// UTF-8, and characters that XML does not allow, become U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace kinjo
