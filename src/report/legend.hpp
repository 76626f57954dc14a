/// What the colours and marks of a picture mean.
#pragma once

#include <string>
#include <vector>

#include "report/svg.hpp"

namespace kinjo {

struct LegendEntry {
  Colour fill;           ///< of the sample; empty: words alone
  bool crossed = false;  ///< the sample has a cross
  std::string text;
};

/// `text` in lines that are not wider than `width`; a word that is wider gets a line and is cut.
std::vector<std::string> wrapped_text(const std::string& text, double width, double size);

/// Entries below each other, their texts wrapped to `width`. `legend_height` is what `draw_legend`
/// needs from its corner downwards.
double legend_height(const std::vector<LegendEntry>& entries, double width);
void draw_legend(Svg& svg, Point corner, double width, const std::vector<LegendEntry>& entries);

/// The two diagonals of a box.
void draw_cross(Svg& svg, Point corner, double width, double height);

}  // namespace kinjo
