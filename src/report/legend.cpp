#include "report/legend.hpp"

#include "base/text.hpp"

namespace kinjo {

namespace {

constexpr double kSize = 11;
constexpr double kLine = 15;
constexpr double kSample = 14;
constexpr double kIndent = 22;

double text_room(const LegendEntry& entry, double width) {
  return width - (entry.fill.empty() ? 0 : kIndent);
}

}  // namespace

std::vector<std::string> wrapped_text(const std::string& text, double width, double size) {
  std::vector<std::string> lines;
  for (std::string_view word : detail::split(text, ' ')) {
    if (!lines.empty()) {
      const std::string longer = lines.back() + ' ' + std::string(word);
      if (text_width(longer, size) <= width) {
        lines.back() = longer;
        continue;
      }
    }
    lines.push_back(fitted_text(word, width, size));
  }
  return lines;
}

double legend_height(const std::vector<LegendEntry>& entries, double width) {
  double height = 0;
  for (const LegendEntry& entry : entries) {
    const auto lines = wrapped_text(entry.text, text_room(entry, width), kSize);
    height += kLine * static_cast<double>(lines.size()) + 3;
  }
  return height;
}

void draw_cross(Svg& svg, Point corner, double width, double height) {
  const Stroke stroke{.colour = "#999999"};
  svg.line(corner, {corner.x + width, corner.y + height}, stroke);
  svg.line({corner.x, corner.y + height}, {corner.x + width, corner.y}, stroke);
}

void draw_legend(Svg& svg, Point corner, double width, const std::vector<LegendEntry>& entries) {
  svg.open_group("legend");
  for (const LegendEntry& entry : entries) {
    if (!entry.fill.empty()) {
      svg.rectangle(corner, kSample, kSample - 2, entry.fill, {.colour = "#666666"});
      if (entry.crossed) draw_cross(svg, corner, kSample, kSample - 2);
    }
    const double x = corner.x + width - text_room(entry, width);
    for (const std::string& line : wrapped_text(entry.text, text_room(entry, width), kSize)) {
      svg.text({x, corner.y + 10.5}, line, {.size = kSize});
      corner.y += kLine;
    }
    corner.y += 3;
  }
  svg.close_group();
}

}  // namespace kinjo
