#include "report/markup.hpp"

#include <array>
#include <cstdint>

#include "base/utf8.hpp"

namespace kinjo {

namespace {

using detail::Character;
using detail::kReplacement;

bool allowed_in_xml(const Character& character) {
  const char32_t code = character.code;
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return character.is_text() && code != 0xFFFE && code != 0xFFFF;
}

/// The first character of a text that is not empty. One that XML forbids is replaced by one.
Character first_character(std::string_view text) {
  Character character = detail::first_character(text);
  if (!allowed_in_xml(character)) character.code = kReplacement;
  return character;
}

/// What stands for a character that cannot stand for itself, else nothing.
std::string_view entity_of(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case kReplacement:
      return "\xEF\xBF\xBD";
    default:
      return {};
  }
}

/// Widths of ' ' to '~' in hundredths of the font's size, rounded up.
using Widths = std::array<std::uint8_t, 95>;
constexpr Widths kNormal = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
constexpr Widths kBold = {35,  46, 53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37,
                          70,  70, 70, 70, 70, 70,  70, 70,  70, 70, 40, 40, 84, 84,  84, 59,
                          100, 78, 77, 74, 84, 69,  69, 83,  84, 38, 38, 78, 64, 100, 84, 86,
                          74,  86, 78, 73, 69, 82,  78, 111, 78, 73, 73, 46, 37, 46,  84, 50,
                          50,  68, 72, 60, 72, 68,  44, 72,  72, 35, 35, 67, 35, 105, 72, 69,
                          72,  72, 50, 60, 48, 72,  66, 93,  65, 66, 59, 72, 37, 72,  84};

double width_of(char32_t code, double size, Weight weight) {
  if (code < ' ' || code > '~') return size;
  const Widths& widths = weight == Weight::bold ? kBold : kNormal;
  return widths[code - ' '] * size / 100;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view entity = entity_of(character.code);
    escaped += entity.empty() ? text.substr(0, character.bytes) : entity;
    text.remove_prefix(character.bytes);
  }
  return escaped;
}

double text_width(std::string_view text, double size, Weight weight) {
  double width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += width_of(character.code, size, weight);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string fitted_text(std::string_view text, double width, double size, Weight weight) {
  if (text_width(text, size, weight) <= width) return std::string(text);
  double used = width_of(U'…', size, weight);
  if (used > width) return {};
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    used += width_of(next.code, size, weight);
    if (used > width) break;
    bytes += next.bytes;
  }
  return bytes == 0 ? std::string() : std::string(text.substr(0, bytes)) + "…";
}

}  // namespace kinjo
