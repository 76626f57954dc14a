#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace kinjo::detail {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank(" \t\r\n\0", 5);
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_control =
        character.code < ' ' || (character.code >= 0x7F && character.code < 0xA0);
    if (is_control || !character.is_text()) {
      line += '?';
    } else {
      line += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return line;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;  // whole characters
  return std::string(text.substr(0, end)) + "…";
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  std::string number = fmt::format("{:.{}f}", value, value >= 100 ? 0 : 1);
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + ' ' + kUnits[unit];
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  text = trim(text);
  const auto end = text.find_first_not_of("0123456789.");
  const auto number = parse_number<double>(text.substr(0, end));
  std::string_view unit = end == text.npos ? "" : trim(text.substr(end));
  if (!number) return std::nullopt;
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const auto power = std::string_view("KMGT").find(unit[0]);
    const std::string_view rest = unit.substr(1);
    if (power == std::string_view::npos || (!rest.empty() && rest != "iB" && rest != "B")) {
      return std::nullopt;
    }
    for (std::size_t p = 0; p <= power; ++p) factor *= 1024;
  }
  const double bytes = *number * factor;
  if (!(bytes >= 0) || bytes > 9e18) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  const auto caret = text.find('^');
  const bool has_unit = !text.empty() && std::string_view("KMG").find(text.back()) != text.npos;
  std::uint64_t factor = 1, times = 0;
  if (caret != text.npos) {
    const auto base = parse_number<std::uint64_t>(text.substr(0, caret));
    const auto exponent = parse_number<std::uint64_t>(text.substr(caret + 1));
    if (!base || !exponent) return std::nullopt;
    factor = *base;
    times = factor > 1 ? *exponent : std::min<std::uint64_t>(*exponent, 1);
    text = "1";
  } else if (has_unit) {
    factor = 1024;
    times = std::string_view("KMG").find(text.back()) + 1;
    text.remove_suffix(1);
  }
  auto count = parse_number<std::uint64_t>(text);
  for (; count && times > 0; --times) {
    if (factor != 0 && *count > kMost / factor) return std::nullopt;
    *count *= factor;
  }
  return count && *count > 0 && *count <= kMost ? count : std::nullopt;
}

std::string format_count(std::uint64_t count) {
  const char* unit = "";
  for (const char* larger : {"K", "M", "G"}) {
    if (count < 1024 || count % 1024 != 0) break;
    count /= 1024;
    unit = larger;
  }
  return fmt::format("{}{}", count, unit);
}

std::optional<std::string> read_small_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             std::fclose);
  if (!file) return std::nullopt;
  // In blocks, so that a small file costs what it holds and not what it might.
  std::string text;
  std::size_t asked = 0, got = 0;
  do {
    const std::size_t before = text.size();
    asked = std::min<std::size_t>(limit - before, 1 << 12);
    text.resize(before + asked);
    got = std::fread(text.data() + before, 1, asked, file.get());
    text.resize(before + got);
  } while (got == asked && asked > 0);
  if (std::ferror(file.get())) return std::nullopt;
  return text;
}

namespace {

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string shell_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string errno_name(int error) {
  const char* name = strerrorname_np(error);
  return name ? name : fmt::format("errno {}", error);
}

}  // namespace kinjo::detail
