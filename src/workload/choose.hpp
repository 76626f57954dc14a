/// Values of parameters by their names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "workload/numbers.hpp"

namespace kinjo {

/// The entry of a small dictionary. Throws `Error` (`invalid_argument`) that lists its names.
template <class T>
T choose(const std::string& what, const std::string& name,
         std::initializer_list<std::pair<const char*, T>> choices) {
  std::string names;
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", text);
  }
  throw Error(Errc::invalid_argument,
              fmt::format("unknown {} '{}': expected one of {}", what, name, names));
}

inline std::uint64_t choose_whole(const std::string& name, std::string_view value,
                                  std::uint64_t least, std::uint64_t most) {
  const auto number = detail::parse_number<std::uint64_t>(value);
  if (number && *number >= least && *number <= most) return *number;
  throw Error(Errc::invalid_argument, fmt::format("{} '{}': expected a whole number from {} to {}",
                                                  name, detail::printable(value), least, most));
}

inline Pages choose_pages(const std::string& name) {
  return choose<Pages>(
      "pages", name,
      {{"normal", Pages::normal}, {"transparent", Pages::transparent}, {"huge", Pages::huge}});
}

inline Precision choose_precision(const std::string& name, const std::string& value) {
  return choose<Precision>(name, value,
                           {{"double", Precision::double_}, {"float", Precision::single_}});
}

}  // namespace kinjo
