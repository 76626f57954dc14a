#include "paths/diagram/files/sapporo.hpp"

#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "paths/diagram/files/node_lines.hpp"
#include "paths/diagram/files/node_list.hpp"

namespace kinjo::paths::detail {

namespace {

/// IDs have 40 bits at most there.
constexpr std::uint64_t kMostId = std::numeric_limits<std::uint64_t>::max() - 1;

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, std::size_t items)
      : lines_(text, name), list_(lines_), items_(items) {}

  Diagram run() {
    levels_ = head("_i", "a number of levels", 0, items_ == 0 ? kMostItems : items_);
    if (items_ == 0) items_ = levels_;
    head("_o", "a number of families", 1, 1);
    const std::uint64_t nodes =
        head("_n", "a number of nodes", 0, levels_ == 0 ? 0 : std::uint64_t{kMostNodes});
    for (std::uint64_t i = 0; i < nodes; ++i) take_node();
    next_line("a root");
    const NodeRef root = take_branch(0);
    list_.end_line();
    return reduce_list(items_, list_.nodes(), root);
  }

 private:
  void next_line(const char* what) {
    if (!lines_.next()) lines_.refuse(fmt::format("the text is cut off: expected {}", what));
  }

  std::uint64_t head(std::string_view key, const char* what, std::uint64_t least,
                     std::uint64_t most) {
    next_line(what);
    const std::string_view word = lines_.word();
    if (word != key) {
      lines_.refuse(
          fmt::format("'{}': expected {} and {}", kinjo::detail::printable(word), key, what));
    }
    const std::uint64_t value = list_.number(what, least, most);
    list_.end_line();
    return value;
  }

  void take_node() {
    next_line("a node");
    const std::uint64_t id = list_.number("a node's number", 0, kMostId);
    if (id % 2 != 0) lines_.refuse(fmt::format("node {}: expected an even number", id));
    const std::uint64_t level = list_.number("a level", 1, levels_);
    const auto item = static_cast<Item>(items_ - level);
    const NodeRef lo = take_branch(item + 1), hi = take_branch(item + 1);
    list_.end_line();
    list_.add(id, {item, lo, hi});
  }

  /// `first`: the first item that it may lead to.
  NodeRef take_branch(std::size_t first) {
    const std::string_view word = lines_.word();
    if (word == "F") return kBottom;
    if (word == "T") return kTop;
    const std::uint64_t id = list_.to_number(word, "a branch, F, T or a node's number", 0, kMostId);
    const NodeRef place = list_.find(id & ~std::uint64_t{1});
    if (list_[place].item < first) {
      lines_.refuse(fmt::format("node {} has level {}: expected a branch to one below {}", id,
                                items_ - list_[place].item, items_ - first + 1));
    }
    return id % 2 == 0 ? place : with_empty_set(place);
  }

  /// A copy of the nodes that lo branches lead over, with ⊤ at their end.
  NodeRef with_empty_set(NodeRef place) {
    std::vector<NodeRef> way;
    NodeRef end = place;
    while (end >= kFirstNode && !with_.contains(end)) {
      way.push_back(end);
      end = list_[end].lo;
    }
    NodeRef copy = end < kFirstNode ? NodeRef{kTop} : with_[end];
    while (!way.empty()) {
      const ListedNode node = list_[way.back()];
      copy = list_.add({node.item, copy, node.hi});
      with_[way.back()] = copy;
      way.pop_back();
    }
    return copy;
  }

  Lines lines_;
  NodeList list_;
  std::size_t items_, levels_ = 0;
  std::unordered_map<NodeRef, NodeRef> with_;  ///< copies by what they are of
};

void put_branch(fmt::memory_buffer& out, NodeRef child, char after) {
  if (child < kFirstNode) {
    out.push_back(child == kTop ? 'T' : 'F');
  } else {
    fmt::format_to(fmt::appender(out), "{}", 2 * child);
  }
  out.push_back(after);
}

}  // namespace

Diagram parse_sapporo(std::string_view text, const std::string& name, std::size_t items) {
  return Parser(text, name, items).run();
}

kinjo::detail::NextPiece sapporo_text(const DiagramData& diagram) {
  const auto line = [](fmt::memory_buffer& out, const DiagramData& of, std::size_t item,
                       NodeRef ref) {
    fmt::format_to(fmt::appender(out), "{} {} ", 2 * ref, of.items() - item);
    put_branch(out, of[ref].lo(), ' ');
    put_branch(out, of[ref].hi(), '\n');
  };
  fmt::memory_buffer root;
  put_branch(root, diagram.root, '\n');
  return node_lines(diagram, fmt::format("_i {}\n_o 1\n_n {}\n", diagram.items(), diagram.nodes),
                    line, fmt::to_string(root));
}

}  // namespace kinjo::paths::detail
