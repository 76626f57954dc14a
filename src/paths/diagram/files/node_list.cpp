#include "paths/diagram/files/node_list.hpp"

#include <string>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::paths::detail {

using kinjo::detail::parse_number;
using kinjo::detail::printable;

std::uint64_t NodeList::to_number(std::string_view word, const char* what, std::uint64_t least,
                                  std::uint64_t most) const {
  const auto value = parse_number<std::uint64_t>(word);
  if (word.empty()) lines_.refuse(fmt::format("expected {}", what));
  if (!value || *value < least || *value > most) {
    const std::string expected =
        least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
    lines_.refuse(fmt::format("'{}' as {}: expected {}", printable(word), what, expected));
  }
  return *value;
}

void NodeList::end_line() {
  const std::string_view word = lines_.word();
  if (!word.empty()) {
    lines_.refuse(fmt::format("'{}': expected the end of the line", printable(word)));
  }
}

NodeRef NodeList::add(std::uint64_t id, const ListedNode& node) {
  const NodeRef place = add(node);
  if (!places_.emplace(id, place).second)
    lines_.refuse(fmt::format("node {} is there already", id));
  return place;
}

NodeRef NodeList::add(const ListedNode& node) {
  nodes_.push_back(node);
  return last();
}

NodeRef NodeList::find(std::uint64_t id) const {
  const auto found = places_.find(id);
  if (found == places_.end()) {
    lines_.refuse(fmt::format("node {}: expected one of a line above", id));
  }
  return found->second;
}

}  // namespace kinjo::paths::detail
