#include <kinjo/network.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths {

namespace {

/// What names there are: `16 vertices, 0 to 15`, `2 vertices, 'a' and 'b'`.
std::string known_names(const Network& network) {
  constexpr Vertex kExamples = 3;
  const Vertex n = network.vertices;
  if (n == 0) return "no vertices";
  const auto name = [&](Vertex v) {
    const std::string text = kinjo::detail::printable(network.name(v));
    return network.names.empty() ? text : "'" + text + "'";
  };
  std::string known = fmt::format("{} {}, ", n, n == 1 ? "vertex" : "vertices");
  if (network.names.empty()) return known + name(0) + (n == 1 ? "" : " to " + name(n - 1));
  if (n > kExamples) known += "such as ";
  const Vertex shown = std::min(n, kExamples);
  for (Vertex v = 0; v < shown; ++v) {
    if (v > 0) known += v + 1 == shown ? " and " : ", ";
    known += name(v);
  }
  return known;
}

/// Which vertices are joined, whichever comes first: a hash table with linear probing.
class Pairs {
 public:
  explicit Pairs(std::size_t most)
      : slots_(std::bit_ceil(2 * most + 1), kNone), shift_(64 - std::countr_zero(slots_.size())) {}

  /// Whether it is a new one.
  bool add(const Edge& edge) {
    const auto [low, high] = std::minmax(edge.from, edge.to);
    const std::uint64_t pair = std::uint64_t{low} << 32 | high;
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    std::size_t slot = ((pair ^ pair >> 29) * kOdd) >> shift_;
    while (slots_[slot] != kNone && slots_[slot] != pair) slot = (slot + 1) & (slots_.size() - 1);
    return std::exchange(slots_[slot], pair) == kNone;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< a loop, which is no pair

  std::vector<std::uint64_t> slots_;
  int shift_;
};

}  // namespace

std::string Network::name(Vertex v) const {
  return names.empty() ? std::to_string(std::uint64_t{first_number} + v) : names[v];
}

Vertex Network::vertex(std::string_view name) const {
  if (names.empty()) {
    const auto number = kinjo::detail::parse_number<std::uint64_t>(name);
    if (number && *number >= first_number && *number - first_number < vertices) {
      const auto v = static_cast<Vertex>(*number - first_number);
      if (this->name(v) == name) return v;
    }
  } else if (const auto found = std::ranges::find(names, name); found != names.end()) {
    return static_cast<Vertex>(found - names.begin());
  }
  throw Error(Errc::not_found, fmt::format("there is no vertex '{}' (the graph has {})",
                                           kinjo::detail::printable(name), known_names(*this)));
}

LeftOut tidy(Network& network, Parallel parallel) {
  std::vector<Edge>& edges = network.edges;
  LeftOut left_out{.loops = std::erase_if(edges, [](const Edge& e) { return e.from == e.to; })};
  if (parallel == Parallel::keep) return left_out;
  Pairs known(edges.size());
  left_out.repeated = std::erase_if(edges, [&](const Edge& e) { return !known.add(e); });
  return left_out;
}

}  // namespace kinjo::paths
