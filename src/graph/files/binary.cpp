#include "graph/files/binary.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "graph/files/mapped_file.hpp"
#include "graph/files/symmetry.hpp"
#include "graph/limits.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

namespace {

template <class T>
T number_at(std::string_view bytes, std::uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Of one thread: the greatest number, and the first that is none of a vertex.
struct Seen {
  std::uint64_t greatest = 0;
  std::uint64_t wrong = ~std::uint64_t{0};
};

/// T: a number of the file.
template <class T, class Number>
Seen copy_pairs(std::string_view bytes, Range pairs, std::uint64_t limit,
                std::span<BasicEdge<Number>> out) {
  Seen seen;
  for (std::size_t i = pairs.begin; i < pairs.end; ++i) {
    const std::uint64_t at = i * 2 * sizeof(T);
    const std::uint64_t from = number_at<T>(bytes, at), to = number_at<T>(bytes, at + sizeof(T));
    if (from >= limit || to >= limit) {
      seen.wrong = from >= limit ? at : at + sizeof(T);
      break;
    }
    seen.greatest = std::max({seen.greatest, from, to});
    out[i] = {static_cast<Number>(from), static_cast<Number>(to)};
  }
  return seen;
}

template <class T, class Number>
BasicEdgeList<Number> parse(Team& team, std::string_view bytes, const std::string& name,
                            std::uint64_t vertices) {
  constexpr std::size_t kPair = 2 * sizeof(T);
  if (bytes.size() % kPair != 0) {
    refuse_file(name, fmt::format("it has {} bytes: expected a multiple of {}, pairs of {}-bit "
                                  "numbers",
                                  bytes.size(), kPair, 8 * sizeof(T)));
  }
  BasicEdgeList<Number> list(vertices, bytes.size() / kPair);
  // The last number of 32 bits may stand for none, or −1: it is no vertex of a wide list either.
  using Held = std::conditional_t<sizeof(T) == sizeof(Vertex), Vertex, Number>;
  const std::uint64_t limit = std::min(vertices == 0 ? kMostIds : vertices, kMostNumbers<Held>);
  std::vector<Seen> seen(team.size());
  team.run([&](const Place& me) {
    seen[static_cast<std::size_t>(me.thread)] =
        copy_pairs<T, Number>(bytes, block_of(team, me, list.size()), limit, list.all());
  });
  const std::uint64_t wrong = std::ranges::min(seen, {}, &Seen::wrong).wrong;
  if (wrong < bytes.size()) {
    const std::string fault = fmt::format("byte {}: vertex {}: expected at most {}", wrong,
                                          number_at<T>(bytes, wrong), limit - 1);
    if (limit == vertices) refuse_file(name, fault);
    const std::string why = fmt::format("{}, since vertices are {}", fault, kWhyNoMore<Held>);
    if constexpr (sizeof(T) > sizeof(Number)) refuse_number<Number>(name, why);
    refuse_file(name, why);
  }
  if (vertices == 0 && list.size() > 0) {
    list.set_vertices(std::ranges::max(seen, {}, &Seen::greatest).greatest + 1);
  }
  return list;
}

/// Rows of a `.sg`, whose sizes have been checked.
class GapRows {
 public:
  GapRows(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
    constexpr std::size_t kHead = 17;
    if (bytes.size() < kHead) refuse_file(name, "its head of 17 bytes is cut off");
    const auto is_directed = static_cast<unsigned char>(bytes[0]);
    if (is_directed > 1) {
      refuse_file(name, fmt::format("byte 0: {}: expected 0 or 1 (directed)", is_directed));
    }
    directed = is_directed == 1;
    entries = number_at<std::uint64_t>(bytes, 1);
    vertices = number_at<std::uint64_t>(bytes, 9);
    if (vertices > kMostVertices) {
      refuse_file(name, fmt::format("byte 9: {} vertices: expected at most {}, since they are "
                                    "numbered in 32 bits",
                                    vertices, kMostVertices));
    }
    check_size(kHead);
    begins_ = kHead;
    neighbours_ = kHead + (vertices + 1) * 8;
    check_begins();
  }

  EdgeCount begin(std::uint64_t v) const {
    return number_at<std::uint64_t>(bytes_, begins_ + v * 8);
  }
  Vertex neighbour(EdgeCount i) const {
    const auto u = number_at<std::uint32_t>(bytes_, neighbours_ + i * 4);
    if (u >= vertices) {
      refuse_file(name_, fmt::format("byte {}: vertex {}: expected a number below {}",
                                     neighbours_ + i * 4, u, vertices));
    }
    return u;
  }
  /// Calls `f(row, neighbour)` for all.
  template <class F>
  void for_each(const F& f) const {
    for (std::uint64_t v = 0; v < vertices; ++v) {
      for (EdgeCount i = begin(v); i < begin(v + 1); ++i) f(static_cast<Vertex>(v), neighbour(i));
    }
  }

  bool directed = false;
  std::uint64_t vertices = 0;
  EdgeCount entries = 0;

 private:
  void check_size(std::size_t head) const {
    const std::uint64_t times = directed ? 2 : 1, most = ~std::uint64_t{0} / 16;
    const bool fits = entries < most;
    const std::uint64_t expected = fits ? head + times * ((vertices + 1) * 8 + entries * 4) : 0;
    if (bytes_.size() == expected) return;
    refuse_file(name_, fmt::format("it has {} bytes: its head says {} for {} vertices and {} "
                                   "neighbours",
                                   bytes_.size(), fits ? std::to_string(expected) : "more",
                                   vertices, entries));
  }

  void check_begins() const {
    for (std::uint64_t v = 0; v < vertices; ++v) {
      if (begin(v) <= begin(v + 1)) continue;
      refuse_file(name_, fmt::format("byte {}: row {} begins at {} and ends at {}", begins_ + v * 8,
                                     v, begin(v), begin(v + 1)));
    }
    if (begin(0) == 0 && begin(vertices) == entries) return;
    refuse_file(name_, fmt::format("its rows have neighbours {} to {}: expected 0 to {}", begin(0),
                                   begin(vertices), entries));
  }

  std::string_view bytes_;
  const std::string& name_;
  std::uint64_t begins_ = 0, neighbours_ = 0;
};

}  // namespace

template <class Number>
BasicEdgeList<Number> parse_pairs(Team& team, std::string_view bytes, const std::string& name,
                                  int bits, std::uint64_t vertices) {
  return bits == 32 ? parse<std::uint32_t, Number>(team, bytes, name, vertices)
                    : parse<std::uint64_t, Number>(team, bytes, name, vertices);
}
template EdgeList parse_pairs(Team&, std::string_view, const std::string&, int, std::uint64_t);
template WideEdgeList parse_pairs(Team&, std::string_view, const std::string&, int, std::uint64_t);

ListedEdges parse_gap(std::string_view bytes, const std::string& name) {
  const GapRows rows(bytes, name);
  EdgeCount edges = rows.entries;
  if (!rows.directed) {
    SymmetryCheck check;
    edges = 0;
    rows.for_each([&](Vertex v, Vertex u) {
      check.add(v, u);
      edges += v <= u;
    });
    if (!check.holds()) refuse_file(name, "some edge stands in the row of one of its ends alone");
  }
  ListedEdges listed{EdgeList(rows.vertices, edges),
                     rows.directed ? Sense::directed : Sense::symmetric};
  Edge* out = listed.edges.all().data();
  rows.for_each([&](Vertex v, Vertex u) {
    if (rows.directed || v <= u) *out++ = {v, u};
  });
  return listed;
}

}  // namespace kinjo::graph::detail
