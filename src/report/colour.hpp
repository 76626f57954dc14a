/// Colours that survive colour blindness and print.
#pragma once

#include <cstddef>
#include <string>

namespace kinjo {

/// One colour as SVG writes it, `#rrggbb`.
using Colour = std::string;

/// Colours for things of different kinds, that the colour-blind can tell apart (Okabe and Ito's
/// eight; after that they repeat). In a grey print some are alike: give lines `category_dashes`
/// too, and boxes a label.
Colour category_colour(std::size_t index);

/// Dashes for lines of different kinds, as SVG's stroke-dasharray; the first is solid. After six
/// they repeat, so that with the colours they make 24 different lines.
std::string category_dashes(std::size_t index);

/// A colour for a share from 0 to 1 on a map of even steps in lightness, dark to light (cividis);
/// what is outside is clamped.
Colour share_colour(double share);

/// `colour` mixed with white: 0 leaves it as it is, 1 is white.
Colour lighter(const Colour& colour, double share);

/// Black or white, whichever can be read on `background`.
Colour ink_on(const Colour& background);

}  // namespace kinjo
