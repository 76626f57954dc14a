#include "topology/synthetic_check.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

using Fault = std::optional<std::string>;

/// The levels read so far.
struct Levels {
  long objects = 1;                     ///< of the last one, in the whole machine
  std::vector<std::string_view> names;  ///< as they are written, without those that have none
};

/// `core:8`, or a count alone.
Fault take_level(std::string_view level, Levels& levels) {
  const auto colon = level.find(':');
  const auto count = parse_number<long>(colon == level.npos ? level : level.substr(colon + 1));
  if (!count || *count < 1) {
    return fmt::format("'{}': expected a level with its count, e.g. core:8", level);
  }
  if (*count > kMaxSyntheticObjects || (levels.objects *= *count) > kMaxSyntheticObjects) {
    return fmt::format("'{}' makes more than {} objects: expected a smaller machine", level,
                       kMaxSyntheticObjects);
  }
  levels.names.push_back(colon == level.npos ? std::string_view() : level.substr(0, colon));
  return std::nullopt;
}

/// `indexes=0,2,1,3`: a number for each object. hwloc would ignore a list that is too short.
Fault check_list(std::string_view list, const Levels& levels) {
  std::set<int> seen;
  for (std::string_view item : split(list, ',')) {
    const auto number = parse_number<int>(item);
    if (!number || *number < 0 || *number > kMaxSyntheticIndex || !seen.insert(*number).second) {
      return fmt::format("the index '{}': expected numbers up to {}, each once", item,
                         kMaxSyntheticIndex);
    }
  }
  if (static_cast<long>(seen.size()) == levels.objects) return std::nullopt;
  return fmt::format("{} indexes for {} objects: expected one for each", seen.size(),
                     levels.objects);
}

/// `indexes=numa:core` or `indexes=4*2:1*4`: loops over levels above, or with step and count.
/// hwloc aborts on a level further in and on counts whose product overflows.
Fault check_loops(std::string_view loops, const Levels& levels) {
  const auto above = levels.names.empty() ? levels.names.end() : levels.names.end() - 1;
  long product = 1;
  for (std::string_view loop : split(loops, ':')) {
    const auto star = loop.find('*');
    if (star == loop.npos) {
      if (!loop.empty() && std::find(levels.names.begin(), above, loop) != above) continue;
      return fmt::format("the loop '{}' of indexes: expected a level above, as it is written there",
                         loop);
    }
    const auto step = parse_number<int>(loop.substr(0, star));
    const auto count = parse_number<int>(loop.substr(star + 1));
    if (!step || !count || *step < 1 || *count < 1 || (product *= *count) > levels.objects) {
      return fmt::format("the loop '{}' of indexes: expected STEP*COUNT within {} objects", loop,
                         levels.objects);
    }
  }
  return std::nullopt;
}

/// What stands in parentheses or brackets behind a level.
Fault check_attributes(std::string_view attributes, const Levels& levels) {
  constexpr std::string_view kIndexes = "indexes=";
  const auto at = attributes.find(kIndexes);
  if (at == attributes.npos) return std::nullopt;
  if (attributes.find(kIndexes, at + 1) != attributes.npos) {
    return "indexes= is there twice: expected once";
  }
  std::string_view value = attributes.substr(at + kIndexes.size());
  value = value.substr(0, value.find_first_of(" )]"));
  const bool list = value.find_first_not_of("0123456789,") == value.npos;
  return list ? check_list(value, levels) : check_loops(value, levels);
}

}  // namespace

Fault find_synthetic_fault(std::string_view text) {
  if (text.find('\0') != text.npos) return "a NUL byte: expected text";
  Levels levels;
  while (!(text = trim(text)).empty()) {
    const bool attributes = text[0] == '(' || text[0] == '[';
    std::size_t end = text.find_first_of(" \t\r\n([");
    if (attributes) {
      end = text.find(text[0] == '(' ? ')' : ']');
      if (end == text.npos) return fmt::format("'{}' is not closed", text);
      ++end;
    }
    const std::string_view piece = text.substr(0, end);
    if (auto fault = attributes ? check_attributes(piece, levels) : take_level(piece, levels)) {
      return fault;
    }
    text.remove_prefix(piece.size());
  }
  return std::nullopt;
}

}  // namespace kinjo::detail
