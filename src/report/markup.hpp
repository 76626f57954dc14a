/// Text that goes into XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace kinjo {

/// `text` with the characters that XML and HTML reserve written as entities; bytes that are not
/// UTF-8, and characters that XML does not allow, become U+FFFD.
std::string escape_markup(std::string_view text);

enum class Weight { normal, bold };

/// The most that a line of `text` is wide in a sans-serif font of `size`: by the letters of DejaVu
/// Sans, the widest of those that pictures ask for; what is not ASCII counts as wide as it is high.
double text_width(std::string_view text, double size, Weight weight = Weight::normal);

/// `text` if it is not wider than `width`, else as much of it as fits with an ellipsis, else
/// nothing.
std::string fitted_text(std::string_view text, double width, double size,
                        Weight weight = Weight::normal);

}  // namespace kinjo
