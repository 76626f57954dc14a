/// Formats of files: what a name's ending stands for, and the refusal of what a format cannot hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

/// How the names of a format's files end, one way of them.
template <class Format>
struct Ending {
  std::string_view text;
  Format format;
};

/// The format of the first ending that a path has; nothing if it has none of them.
template <class Format>
std::optional<Format> find_format(std::string_view path, std::span<const Ending<Format>> endings) {
  for (const Ending<Format>& ending : endings) {
    if (path.ends_with(ending.text)) return ending.format;
  }
  return std::nullopt;
}

/// The endings one after the other: `.el .txt .mtx`.
template <class Format>
std::string list_endings(std::span<const Ending<Format>> endings) {
  std::string list;
  for (const Ending<Format>& ending : endings) {
    list += fmt::format("{}{}", list.empty() ? "" : " ", ending.text);
  }
  return list;
}

/// Throws `Error` (`invalid_argument`): `cannot write 'PATH': FAULT`.
[[noreturn]] inline void refuse_writing(const std::string& path, const std::string& fault) {
  throw Error(Errc::invalid_argument, fmt::format("cannot write '{}': {}", printable(path), fault));
}

}  // namespace kinjo::detail
