#include "paths/diagram/files/kzdd.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "graph/files/kgraph.hpp"
#include "graph/files/mapped_file.hpp"

namespace kinjo::paths::detail {

using graph::detail::check_sum;

namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHeadBytes = 7 * sizeof(std::uint64_t);

constexpr std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::shared_ptr<DiagramData> run(Trust trust) {
    read_head();
    check_head();
    read_first();
    read_names();
    data_->packed = reinterpret_cast<const PackedNode*>(bytes_.data() + nodes_at_);
    check_root();
    if (trust == Trust::nothing) check_nodes();
    return data_;
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const {
    graph::detail::refuse_file(name_, fault);
  }

  std::uint64_t number_at(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  std::uint64_t next_number() { return number_at(std::exchange(at_, at_ + 8)); }
  std::uint64_t next_number(const char* what, std::uint64_t most) {
    const std::uint64_t value = next_number();
    if (value > most) {
      refuse(fmt::format("byte {}: {} {}: expected at most {}", at_ - 8, value, what, most));
    }
    return value;
  }

  void read_head() {
    if (bytes_.empty()) refuse("it is empty");
    if (!bytes_.starts_with(kKzddMagic)) refuse("it is no diagram of kinjo's");
    if (bytes_.size() < kHeadBytes) refuse("its head is cut off");
    at_ = kKzddMagic.size();
    const std::uint64_t version = next_number();
    if (version != kVersion) {
      refuse(fmt::format("it has version {}: expected {}", version, kVersion));
    }
    items_ = next_number("items", kMostItems);
    data_->nodes = next_number("nodes", kMostNodes);
    data_->root = next_number();
    names_bytes_ = next_number("bytes of names", bytes_.size());
    nodes_sum_ = next_number();
  }

  void check_head() {
    const std::uint64_t names_end = kHeadBytes + 8 * (items_ + 1) + names_bytes_;
    const std::uint64_t check_at = aligned(names_end, 8);
    nodes_at_ = aligned(check_at + 8, kAlignment);
    const std::uint64_t size = nodes_at_ + data_->nodes * sizeof(PackedNode);
    if (bytes_.size() < nodes_at_) refuse("its head is cut off");
    if (number_at(check_at) != check_sum(bytes_.substr(0, check_at))) {
      refuse("its head is damaged: the check sum differs");
    }
    if (bytes_.size() != size) {
      refuse(fmt::format("it has {} bytes: expected {}, with {} nodes", bytes_.size(), size,
                         data_->nodes));
    }
  }

  void read_first() {
    data_->first.resize(items_ + 1);
    // The one more says again where the last item's nodes begin: no node may lie behind them.
    NodeRef end = data_->nodes + kFirstNode, before = end;
    for (NodeRef& first : data_->first) {
      first = next_number("as an item's first node", end);
      before = std::exchange(end, first);
    }
    if (before != kFirstNode || end != kFirstNode) {
      refuse(
          fmt::format("byte {}: the last item's nodes begin at {}, and {} is after them: expected "
                      "{} twice",
                      at_ - 16, before, end, kFirstNode));
    }
  }

  void read_names() {
    std::string_view names = bytes_.substr(at_, names_bytes_);
    while (!names.empty()) {
      const std::size_t size = names.find('\0');
      if (size == names.npos) break;
      data_->names.emplace_back(names.substr(0, size));
      names.remove_prefix(size + 1);
    }
    if (!names.empty() || (names_bytes_ != 0 && data_->names.size() != items_)) {
      refuse(
          fmt::format("byte {}: it has {} names and {} items", at_, data_->names.size(), items_));
    }
  }

  void check_root() const {
    const NodeRef last = data_->nodes + kFirstNode - 1;
    const NodeRef most = data_->nodes == 0 ? NodeRef{kTop} : last;
    if (data_->root > most || (data_->nodes != 0 && data_->root != last)) {
      refuse(fmt::format("byte 32: its root is {}: expected {}", data_->root, most));
    }
  }

  void check_nodes() {
    const std::string_view nodes = bytes_.substr(nodes_at_);
    if (check_sum(nodes) != nodes_sum_) refuse("its nodes are damaged: the check sum differs");
    reached_.assign(data_->nodes + kFirstNode, false);
    reached_[data_->root] = true;
    for (std::size_t item = 0; item < items_; ++item) {
      for (NodeRef ref = data_->end(item); ref-- > data_->first[item];) check_node(item, ref);
    }
  }

  void check_node(std::size_t item, NodeRef ref) {
    const NodeRef first = data_->first[item];
    const PackedNode& node = (*data_)[ref];
    const NodeRef lo = node.lo(), hi = node.hi();
    if (!reached_[ref]) refuse_node(ref, "no branch leads to it");
    if (hi == kBottom) refuse_node(ref, "its hi branch leads to no set");
    for (const NodeRef child : {lo, hi}) {
      if (child >= first) {
        refuse_node(ref, fmt::format("a branch leads to node {}: expected one below {}, of a later "
                                     "item",
                                     child, first));
      }
      reached_[child] = true;
    }
    if (ref == first) return;
    const PackedNode& before = (*data_)[ref - 1];
    if (before.lo() < lo || (before.lo() == lo && before.hi() < hi)) return;
    refuse_node(ref, "it is not greater than the node before it");
  }

  [[noreturn]] void refuse_node(NodeRef ref, const std::string& fault) const {
    refuse(fmt::format("byte {}: node {}: {}", nodes_at_ + (ref - kFirstNode) * sizeof(PackedNode),
                       ref, fault));
  }

  std::string_view bytes_;
  const std::string& name_;
  std::shared_ptr<DiagramData> data_ = std::make_shared<DiagramData>();
  std::uint64_t items_ = 0, names_bytes_ = 0, nodes_sum_ = 0, nodes_at_ = 0;
  std::size_t at_ = 0;
  std::vector<bool> reached_;
};

}  // namespace

std::shared_ptr<DiagramData> parse_kzdd(std::string_view bytes, const std::string& name,
                                        Trust trust) {
  return Parser(bytes, name).run(trust);
}

std::string kzdd_head(const DiagramData& diagram) {
  std::string names;
  for (const std::string& name : diagram.names) (names += name) += '\0';
  const std::string_view nodes(reinterpret_cast<const char*>(diagram.packed),
                               diagram.nodes * sizeof(PackedNode));
  std::string head(kKzddMagic);
  const auto put = [&](std::uint64_t value) {
    head.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const std::uint64_t value : {kVersion, std::uint64_t{diagram.items()}, diagram.nodes,
                                    diagram.root, std::uint64_t{names.size()}, check_sum(nodes)}) {
    put(value);
  }
  for (const NodeRef first : diagram.first) put(first);
  head += names;
  head.resize(aligned(head.size(), 8));
  put(check_sum(head));
  head.resize(aligned(head.size(), kAlignment));
  return head;
}

}  // namespace kinjo::paths::detail
