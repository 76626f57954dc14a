#include "base/utf8.hpp"

#include <array>

namespace kinjo::detail {

namespace {

/// The length that a first byte announces, 0 if it can be none.
std::size_t announced_bytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

}  // namespace

Character first_character(std::string_view text) {
  static constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = announced_bytes(first);
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {};
    code = code << 6 | (next & 0x3F);
  }
  // A longer form than needed is no character.
  if (code < kLeast[bytes]) return {};
  return {.code = code, .bytes = bytes, .is_whole = true};
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

}  // namespace kinjo::detail
