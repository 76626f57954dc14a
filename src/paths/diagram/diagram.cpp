#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <kinjo/diagram.hpp>
#include <kinjo/error.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths {

using detail::DiagramData;

Diagram::Diagram() : data_(std::make_shared<DiagramData>()) {}

std::size_t Diagram::items() const { return data_->items(); }
std::uint64_t Diagram::nodes() const { return data_->nodes; }
std::uint64_t Diagram::width(Item item) const { return data_->end(item) - data_->first[item]; }
std::uint64_t Diagram::bytes() const { return data_->nodes * sizeof(detail::PackedNode); }
const std::vector<std::string>& Diagram::names() const { return data_->names; }
NodeRef Diagram::root() const { return data_->root; }
Node Diagram::node(NodeRef ref) const { return {(*data_)[ref].lo(), (*data_)[ref].hi()}; }
Item Diagram::item(NodeRef ref) const { return static_cast<Item>(data_->item_of(ref)); }

Diagram Diagram::with_names(std::vector<std::string> names) const {
  if (!names.empty() && names.size() != items()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} names for {} items: expected one for each", names.size(), items()));
  }
  auto data = std::make_shared<DiagramData>(*data_);
  data->names = std::move(names);
  return Diagram(std::move(data));
}

bool Diagram::contains(std::span<const Item> set) const {
  Set wanted(set.begin(), set.end());
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  NodeRef ref = root();
  std::size_t item = 0;
  for (const Item next : wanted) {
    for (;; ref = (*data_)[ref].lo()) {
      if (ref < kFirstNode) return false;
      item = data_->item_from(item, ref);
      if (item >= next) break;
    }
    if (item != next) return false;
    ref = (*data_)[ref].hi();
  }
  while (ref >= kFirstNode) ref = (*data_)[ref].lo();
  return ref == kTop;
}

bool operator==(const Diagram& a, const Diagram& b) {
  const DiagramData &x = *a.data_, &y = *b.data_;
  return x.root == y.root && x.first == y.first && x.nodes == y.nodes &&
         (x.nodes == 0 || x.packed == y.packed ||
          std::memcmp(x.packed, y.packed, x.nodes * sizeof(detail::PackedNode)) == 0);
}

}  // namespace kinjo::paths
