/// Small helpers for reading text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::detail {

/// `text` without white space and NUL bytes at its ends (dumps of /sys have both).
std::string_view trim(std::string_view text);

/// The parts between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` with a question mark for each control character and each byte that is no UTF-8, so that a
/// name that somebody else gave stays on its line, moves no cursor, and is text to whoever reads
/// it.
std::string printable(std::string_view text);

/// At most 60 bytes of `text`, then `…` if there are more: so that a message stays one line to
/// read.
std::string shortened(std::string_view text);

/// Words as a POSIX shell reads them, quoted where they have to be.
std::string shell_text(const std::vector<std::string>& words);

/// All of `text` as a number, or nothing.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// The same for digits in hexadecimal, without a `0x` before them.
template <class Number>
std::optional<Number> parse_hex(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// Fowler, Noll and Vo's hash (FNV-1a) of 64 bits, of what went into `hash` and then `text`: short,
/// and the same on every machine. For accidents, not attacks.
inline std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 14695981039346656037u) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// A count of bytes for people: `64 MiB`, `1.5 GiB`, `512 B`.
std::string format_bytes(std::uint64_t bytes);

/// Reads `64M`, `1.5GiB`, `4096`: a number and an optional unit K, M, G, T with powers of 1024.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// Reads a count of things: `1000`, `48K`, `1M`, `2G` (powers of 1024), or a power such as `2^20`.
/// Nothing for what is none, is 0, or exceeds 2⁶².
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The same the other way round, for people: `48K`, `1M`, `1000`.
std::string format_count(std::uint64_t count);

/// The whole content of a small file (at most `limit` bytes), or nothing if it cannot be read.
std::optional<std::string> read_small_file(const std::string& path, std::size_t limit = 1 << 20);

/// errno's name, e.g. `EPERM`; its number where it has none.
std::string errno_name(int error);

}  // namespace kinjo::detail
