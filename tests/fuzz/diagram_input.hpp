/// What the targets of diagrams' parsers share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <kinjo/diagram.hpp>
#include <kinjo/error.hpp>

#include "base/whole_file.hpp"
#include "paths/diagram/data.hpp"

namespace kinjo::test {

/// Branches must lead to lower numbers, of later items; a text that is written of what was read
/// must be read as the same.
inline void check(const paths::Diagram& diagram) {
  for (paths::NodeRef ref = paths::kFirstNode; ref < paths::kFirstNode + diagram.nodes(); ++ref) {
    const paths::Node node = diagram.node(ref);
    if (node.hi == paths::kBottom) std::abort();
    for (const paths::NodeRef child : {node.lo, node.hi}) {
      if (child < paths::kFirstNode) continue;
      if (child >= ref || diagram.item(child) <= diagram.item(ref)) std::abort();
    }
  }
  if (diagram.empty() != (diagram.count() == Count())) std::abort();
}

/// The pieces of a text as one.
inline std::string all_of(const kinjo::detail::NextPiece& next) {
  std::string text;
  for (std::string_view piece = next(); !piece.empty(); piece = next()) text += piece;
  return text;
}

/// Calls a parser: nothing may come out but an `Error` that begins with the input's name.
template <class Parse>
int try_diagram(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot read 'input': ")) std::abort();
  }
  return 0;
}

}  // namespace kinjo::test
