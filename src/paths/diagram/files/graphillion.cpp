#include "paths/diagram/files/graphillion.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "paths/diagram/files/node_lines.hpp"
#include "paths/diagram/files/node_list.hpp"

namespace kinjo::paths::detail {

namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, std::size_t items)
      : lines_(text, name), list_(lines_), items_(items) {}

  Diagram run() {
    bool has_ended = false;
    NodeRef root = kBottom;
    bool is_decided = false;
    while (!has_ended && lines_.next()) {
      Lines line = lines_;
      const std::string_view word = line.word();
      if (word == ".") {
        has_ended = true;
      } else if (is_decided) {
        lines_.refuse("expected a line with a dot");
      } else if (list_.nodes().empty() && (word == "B" || word == "T")) {
        root = word == "T" ? kTop : kBottom;
        is_decided = true;
      } else {
        root = take_node();
      }
    }
    if (!has_ended) lines_.refuse("the text is cut off: expected a line with a dot at its end");
    if (root == kBottom && !is_decided) lines_.refuse("expected a node, B or T");
    return reduce_list(items_ == 0 ? greatest_ : items_, list_.nodes(), root);
  }

 private:
  NodeRef take_node() {
    const std::uint64_t id = list_.number("a node's number", 0, kAny);
    const std::uint64_t element = list_.number("an element", 1, items_ == 0 ? kMostItems : items_);
    const auto item = static_cast<Item>(element - 1);
    const NodeRef lo = take_branch(item), hi = take_branch(item);
    list_.end_line();
    greatest_ = std::max(greatest_, static_cast<std::size_t>(element));
    return list_.add(id, {item, lo, hi});
  }

  NodeRef take_branch(Item item) {
    const std::string_view word = lines_.word();
    if (word == "B") return kBottom;
    if (word == "T") return kTop;
    const std::uint64_t id = list_.to_number(word, "a branch, B, T or a node's number", 0, kAny);
    const NodeRef place = list_.find(id);
    if (list_[place].item <= item) {
      lines_.refuse(fmt::format("node {} has element {}: expected a branch to one above {}", id,
                                list_[place].item + 1, item + 1));
    }
    return place;
  }

  Lines lines_;
  NodeList list_;
  std::size_t items_, greatest_ = 0;
};

void put_branch(fmt::memory_buffer& out, NodeRef child, char after) {
  if (child < kFirstNode) {
    out.push_back(child == kTop ? 'T' : 'B');
  } else {
    fmt::format_to(fmt::appender(out), "{}", child);
  }
  out.push_back(after);
}

}  // namespace

Diagram parse_graphillion(std::string_view text, const std::string& name, std::size_t items) {
  return Parser(text, name, items).run();
}

kinjo::detail::NextPiece graphillion_text(const DiagramData& diagram) {
  const auto line = [](fmt::memory_buffer& out, const DiagramData& of, std::size_t item,
                       NodeRef ref) {
    fmt::format_to(fmt::appender(out), "{} {} ", ref, item + 1);
    put_branch(out, of[ref].lo(), ' ');
    put_branch(out, of[ref].hi(), '\n');
  };
  const char* const root = diagram.root == kTop ? "T\n" : "B\n";
  return node_lines(diagram, diagram.nodes == 0 ? root : "", line, ".\n");
}

}  // namespace kinjo::paths::detail
