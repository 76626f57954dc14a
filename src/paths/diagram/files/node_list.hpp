/// What text forms of diagrams have in common: nodes with numbers of their own, each on a line
/// after those that its branches lead to.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "paths/diagram/listed.hpp"
#include "paths/files/words.hpp"

namespace kinjo::paths::detail {

class NodeList {
 public:
  explicit NodeList(Lines& lines) : lines_(lines) {}

  /// The next word as a whole number from `least` to `most`; refuses the line otherwise, which
  /// lacks `what`.
  std::uint64_t number(const char* what, std::uint64_t least, std::uint64_t most) {
    return to_number(lines_.word(), what, least, most);
  }
  std::uint64_t to_number(std::string_view word, const char* what, std::uint64_t least,
                          std::uint64_t most) const;
  /// Refuses the line if it has more words.
  void end_line();

  /// Adds a node and returns its place, by which others lead to it.
  NodeRef add(std::uint64_t id, const ListedNode& node);
  /// The place of the node of that number. Refuses the line if there is none yet.
  NodeRef find(std::uint64_t id) const;
  /// Adds a node that has no number.
  NodeRef add(const ListedNode& node);

  const ListedNode& operator[](NodeRef place) const { return nodes_[place - kFirstNode]; }
  const std::vector<ListedNode>& nodes() const { return nodes_; }
  NodeRef last() const { return nodes_.size() - 1 + kFirstNode; }

 private:
  Lines& lines_;
  std::vector<ListedNode> nodes_;
  std::unordered_map<std::uint64_t, NodeRef> places_;
};

}  // namespace kinjo::paths::detail
