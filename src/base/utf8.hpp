/// Characters of a text that somebody else gave, which may be no UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinjo::detail {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Character {
  char32_t code = kReplacement;
  std::size_t bytes = 1;  ///< one for a byte that begins no character

  /// Whether it may stand in a text: it is none of UTF-16's halves, nor beyond all.
  bool is_text() const { return is_whole && (code < 0xD800 || code >= 0xE000) && code <= 0x10FFFF; }
  bool is_whole = false;  ///< as UTF-8 writes one
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text);

/// What follows the byte order mark that some editors begin a text with.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace kinjo::detail
