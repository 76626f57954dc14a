#include "topology/synthetic_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

using Fault = std::optional<std::string>;

constexpr std::string_view kDigits = "0123456789";

/// A level's count: what stands behind the colon of `core:8`, or all of `8`.
Fault multiply_by(std::string_view level, long& objects) {
  const auto colon = level.find(':');
  const auto count = parse_number<long>(colon == level.npos ? level : level.substr(colon + 1));
  if (!count || *count < 1) {
    return fmt::format("'{}': expected a level with its count, e.g. core:8", level);
  }
  if (*count > kMaxSyntheticObjects || (objects *= *count) > kMaxSyntheticObjects) {
    return fmt::format("'{}' makes more than {} objects: expected a smaller machine", level,
                       kMaxSyntheticObjects);
  }
  return std::nullopt;
}

/// Attributes in parentheses: the numbers behind `indexes=` must be bearable.
Fault check_attributes(std::string_view attributes) {
  const auto indexes = attributes.find("indexes=");
  if (indexes == attributes.npos) return std::nullopt;
  std::string_view rest = attributes.substr(indexes);
  rest = rest.substr(0, rest.find(' '));
  for (auto at = rest.find_first_of(kDigits); at != rest.npos; at = rest.find_first_of(kDigits)) {
    rest.remove_prefix(at);
    const std::string_view digits = rest.substr(0, rest.find_first_not_of(kDigits));
    const auto number = parse_number<int>(digits);
    if (!number || *number > kMaxSyntheticIndex) {
      return fmt::format("the index {}: expected numbers up to {}", digits, kMaxSyntheticIndex);
    }
    rest.remove_prefix(digits.size());
  }
  return std::nullopt;
}

}  // namespace

Fault find_synthetic_fault(std::string_view text) {
  if (text.find('\0') != text.npos) return "a NUL byte: expected text";
  long objects = 1;
  while (!(text = trim(text)).empty()) {
    Fault fault;
    std::size_t end = 0;
    if (text[0] == '(' || text[0] == '[') {
      end = text.find(text[0] == '(' ? ')' : ']');
      if (end == text.npos) return fmt::format("'{}' is not closed", text);
      fault = check_attributes(text.substr(0, ++end));
    } else {
      end = std::min(text.find_first_of(" \t\r\n(["), text.size());
      fault = multiply_by(text.substr(0, end), objects);
    }
    if (fault) return fault;
    text.remove_prefix(end);
  }
  return std::nullopt;
}

}  // namespace kinjo::detail
