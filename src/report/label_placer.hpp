/// Labels that do not lie on each other.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "report/svg.hpp"

namespace kinjo {

/// The corners of a box that may be turned.
using Quad = std::array<Point, 4>;

/// Whether two boxes have an inner point in common (axes that separate them are those of their
/// sides).
bool overlap(const Quad& a, const Quad& b);

/// The box that `text` takes when it is written at `at` in `style`.
Quad text_quad(Point at, std::string_view text, const TextStyle& style);

/// Remembers what is taken, and writes a label at the first of several places that is free and
/// within the bounds.
class LabelPlacer {
 public:
  /// Labels lie between these corners.
  LabelPlacer(Point low, Point high) : low_(low), high_(high) {}

  void take(const Quad& quad) { taken_.push_back(quad); }
  /// Takes a square around a point.
  void take(Point centre, double radius);

  /// Takes and returns the first of the places where the label is free, if there is any.
  std::optional<Point> claim(const std::vector<Point>& places, std::string_view text,
                             const TextStyle& style);

  /// Claims a place and writes the label there; returns whether there was one.
  bool write(Svg& svg, const std::vector<Point>& places, std::string_view text,
             const TextStyle& style);

 private:
  bool is_free(const Quad& quad) const;

  Point low_;
  Point high_;
  std::vector<Quad> taken_;
};

}  // namespace kinjo
