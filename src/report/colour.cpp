#include "report/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.hpp"

namespace kinjo {

namespace {

using Channels = std::array<double, 3>;  // red, green, blue, 0 to 255

Channels channels(const Colour& colour) {
  KINJO_ASSERT(colour.size() == 7 && colour[0] == '#');
  const auto value = static_cast<unsigned>(std::stoul(colour.substr(1), nullptr, 16));
  return {static_cast<double>(value >> 16), static_cast<double>(value >> 8 & 255),
          static_cast<double>(value & 255)};
}

Colour mixed(const Colour& from, const Colour& to, double share) {
  const Channels a = channels(from);
  const Channels b = channels(to);
  std::string text = "#";
  for (std::size_t i = 0; i < a.size(); ++i) {
    text += fmt::format("{:02x}", std::lround(a[i] + (b[i] - a[i]) * share));
  }
  return text;
}

/// Relative luminance as the Web Content Accessibility Guidelines define it.
double luminance(const Colour& colour) {
  static constexpr Channels kWeights = {0.2126, 0.7152, 0.0722};
  const Channels light = channels(colour);
  double sum = 0;
  for (std::size_t i = 0; i < light.size(); ++i) {
    const double share = light[i] / 255;
    sum +=
        kWeights[i] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

Colour category_colour(std::size_t index) {
  static constexpr std::array kColours = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                          "#56b4e9", "#cc79a7", "#000000", "#f0e442"};
  return kColours[index % kColours.size()];
}

std::string category_dashes(std::size_t index) {
  static constexpr std::array kDashes = {"", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2 1 2"};
  return kDashes[index % kDashes.size()];
}

Colour share_colour(double share) {
  static constexpr std::array kCividis = {"#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
                                          "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"};
  constexpr std::size_t kSteps = kCividis.size() - 1;
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(kSteps);
  const auto below = std::min(static_cast<std::size_t>(at), kSteps - 1);
  return mixed(kCividis[below], kCividis[below + 1], at - static_cast<double>(below));
}

Colour lighter(const Colour& colour, double share) {
  return mixed(colour, "#ffffff", std::clamp(share, 0.0, 1.0));
}

Colour ink_on(const Colour& background) {
  // Contrasts are ratios of (luminance + 0.05); black wins where its ratio is the larger one.
  const double light = luminance(background) + 0.05;
  return light / 0.05 >= 1.05 / light ? "#000000" : "#ffffff";
}

}  // namespace kinjo
