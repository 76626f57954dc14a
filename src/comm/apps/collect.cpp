#include "comm/apps/collect.hpp"

#include <cstdint>

namespace kinjo::comm::detail {

bool share_clock(World& world) {
  bool here = true;
  for (int c = 0; c < world.cells(); ++c) here &= world.path(c) != Path::network;
  return world.all_reduce(here ? 1.0 : 0.0, ReduceOp::min) == 1.0;
}

double whole_seconds(World& world, double begin, double end, bool shared_clock) {
  if (!shared_clock) return world.all_reduce(end - begin, ReduceOp::max);
  // One reduction for both: the earliest begin is the largest of their negatives.
  double edges[] = {-begin, end};
  world.all_reduce(edges, ReduceOp::max);
  return edges[1] + edges[0];
}

std::vector<std::string> collect_bytes(World& world, std::string own) {
  if (world.cell() != 0) {
    const std::uint64_t bytes = own.size();
    world.send(0, kResultTag, &bytes, sizeof bytes);
    if (bytes != 0) world.send(0, kResultTag, own.data(), own.size());
    return {};
  }
  std::vector<std::string> all(static_cast<std::size_t>(world.cells()));
  all[0] = std::move(own);
  for (int c = 1; c < world.cells(); ++c) {
    std::uint64_t bytes = 0;
    world.receive(c, kResultTag, &bytes, sizeof bytes);
    std::string& other = all[static_cast<std::size_t>(c)];
    other.resize(bytes);
    if (bytes != 0) world.receive(c, kResultTag, other.data(), other.size());
  }
  return all;
}

void need_everywhere(World& world, bool here, Errc code, const std::string& message) {
  if (world.all_reduce(here ? 1.0 : 0.0, ReduceOp::min) != 1.0) throw Error(code, message);
}

}  // namespace kinjo::comm::detail
