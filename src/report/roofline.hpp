/// The roofline as a picture.
#pragma once

#include <optional>
#include <span>

#include "report/roofline_model.hpp"
#include "report/svg.hpp"

namespace kinjo {

/// Operations a second over operations a byte, both logarithmic: the bounds as lines with their
/// names on them (one thread dashed, all threads solid), the points coloured by policy. A point's
/// label stands beside it once for all policies; one for which there is no room is left out, and
/// the tip and `roofline_table` have it. Absent if there is neither a bound nor a point.
std::optional<Svg> roofline_svg(std::span<const Roof> roofs, std::span<const RooflinePoint> points);

}  // namespace kinjo
