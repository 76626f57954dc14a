#include "paths/diagram/data.hpp"

#include <utility>

namespace kinjo::paths::detail {

namespace {

/// Arrays that grow have pages of their own, most of which so few nodes would give back: the thread
/// had rather keep them for the next diagram.
constexpr std::size_t kFewBytes = std::size_t{1} << 16;

}  // namespace

void DiagramData::keep(kinjo::detail::GrowingArray<PackedNode>&& given) {
  nodes = given.size();
  if (given.all().size_bytes() < kFewBytes) {
    auto few = std::make_shared<std::vector<PackedNode>>(given.all().begin(), given.all().end());
    packed = few->data();
    keeper = std::move(few);
    return;
  }
  given.fit();
  auto kept = std::make_shared<kinjo::detail::GrowingArray<PackedNode>>(std::move(given));
  packed = kept->data();
  keeper = std::move(kept);
}

}  // namespace kinjo::paths::detail
