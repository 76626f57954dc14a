#include "paths/diagram/files/dot.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::paths::detail {

namespace {

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : kinjo::detail::printable(name)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string label_of(const DiagramData& diagram, std::size_t item) {
  return quoted(diagram.names.empty() ? std::to_string(item) : diagram.names[item]);
}

std::string level_text(const DiagramData& diagram, std::size_t item) {
  std::string text = "  { rank=same;";
  for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
    text += fmt::format(" n{} [label={}];", ref, label_of(diagram, item));
  }
  text += " }\n";
  for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
    const PackedNode& node = diagram[ref];
    if (node.lo() != kBottom) text += fmt::format("  n{} -> n{} [style=dashed];\n", ref, node.lo());
    text += fmt::format("  n{} -> n{};\n", ref, node.hi());
  }
  return text;
}

}  // namespace

std::string dot_text(const DiagramData& diagram) {
  std::string text = "digraph diagram {\n  node [shape=circle];\n";
  text += diagram.root == kBottom ? "  n0 [label=\"⊥\", shape=box];\n"
                                  : "  n1 [label=\"⊤\", shape=box];\n";
  for (std::size_t item = 0; item < diagram.items(); ++item) {
    if (diagram.first[item] < diagram.end(item)) text += level_text(diagram, item);
  }
  return text + "}\n";
}

}  // namespace kinjo::paths::detail
