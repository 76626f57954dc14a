/// Graphs by rule: each rule says its size in vertices and edges, and then which edges there are.
#include <kinjo/network.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths {

namespace {

/// Of more edges no subsets are counted, and sizes below keep all products in 64 bits.
constexpr std::uint64_t kMostEdges = 1u << 24;
constexpr std::uint64_t kMostSide = 1u << 25;

/// `RxC`, or `N` for both.
struct Size {
  std::uint64_t rows = 0, columns = 0;
};

enum class Sides { one, two };

struct Rule {
  std::string_view name;
  const char* expected;  ///< behind "expected "
  std::uint64_t least, most;
  Sides sides;
  std::uint64_t (*edges)(const Size&);
  Network (*make)(const Size&);
};

Vertex to_vertex(std::uint64_t number) { return static_cast<Vertex>(number); }

void add(Network& network, std::uint64_t from, std::uint64_t to) {
  network.edges.push_back({to_vertex(from), to_vertex(to)});
}

enum class Moves { rook, king };

/// Joins each of rows × columns vertices to those one step away.
Network rectangle(std::uint64_t rows, std::uint64_t columns, Moves moves) {
  const bool diagonals = moves == Moves::king;
  Network network{to_vertex(rows * columns), {}, {}};
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < columns; ++c) {
      const std::uint64_t v = r * columns + c;
      if (c + 1 < columns) add(network, v, v + 1);
      if (r + 1 == rows) continue;
      if (diagonals && c > 0) add(network, v, v + columns - 1);
      add(network, v, v + columns);
      if (diagonals && c + 1 < columns) add(network, v, v + columns + 1);
    }
  }
  return network;
}

Network complete(const Size& size) {
  Network network{to_vertex(size.rows), {}, {}};
  for (std::uint64_t v = 0; v < size.rows; ++v) {
    for (std::uint64_t u = v + 1; u < size.rows; ++u) add(network, v, u);
  }
  return network;
}

Network hypercube(const Size& size) {
  const std::uint64_t n = std::uint64_t{1} << size.rows;
  Network network{to_vertex(n), {}, {}};
  for (std::uint64_t v = 0; v < n; ++v) {
    for (std::uint64_t bit = 1; bit < n; bit <<= 1) {
      if ((v & bit) == 0) add(network, v, v | bit);
    }
  }
  return network;
}

Network path(const Size& size) {
  Network network{to_vertex(size.rows), {}, {}};
  for (std::uint64_t v = 0; v + 1 < size.rows; ++v) add(network, v, v + 1);
  return network;
}

Network cycle(const Size& size) {
  Network network = path(size);
  network.edges.insert(network.edges.begin() + 1, {0, to_vertex(size.rows - 1)});
  return network;
}

constexpr Rule kRules[] = {
    {"grid", "grid:RxC or grid:N, such as grid:8x8", 1, kMostSide, Sides::two,
     [](const Size& s) { return s.rows * (s.columns + 1) + s.columns * (s.rows + 1); },
     [](const Size& s) { return rectangle(s.rows + 1, s.columns + 1, Moves::rook); }},
    {"king", "king:RxC or king:N, such as king:8x8", 1, kMostSide, Sides::two,
     [](const Size& s) { return 4 * s.rows * s.columns - 3 * (s.rows + s.columns) + 2; },
     [](const Size& s) { return rectangle(s.rows, s.columns, Moves::king); }},
    {"complete", "complete:N, such as complete:8", 1, kMostSide, Sides::one,
     [](const Size& s) { return s.rows * (s.rows - 1) / 2; }, complete},
    {"hypercube", "hypercube:N, such as hypercube:4", 1, 20, Sides::one,
     [](const Size& s) { return s.rows << (s.rows - 1); }, hypercube},
    {"cycle", "cycle:N with an N of 3 or more, such as cycle:8", 3, kMostSide, Sides::one,
     [](const Size& s) { return s.rows; }, cycle},
    {"path", "path:N, such as path:8", 1, kMostSide, Sides::one,
     [](const Size& s) { return s.rows - 1; }, path},
};

const Rule* rule_of(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto* const found = std::ranges::find(kRules, text.substr(0, colon), &Rule::name);
  return found == std::end(kRules) ? nullptr : found;
}

std::optional<Size> parse_size(const Rule& rule, std::string_view text) {
  const auto sides = kinjo::detail::split(text, 'x');
  if (sides.size() > (rule.sides == Sides::two ? 2u : 1u)) return std::nullopt;
  const auto rows = kinjo::detail::parse_count(sides.front()),
             columns = kinjo::detail::parse_count(sides.back());
  if (!rows || !columns || std::min(*rows, *columns) < rule.least) return std::nullopt;
  return Size{*rows, *columns};
}

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw Error(Errc::invalid_argument, fmt::format("'{}' as a graph: expected {}",
                                                  kinjo::detail::printable(text), expected));
}

}  // namespace

bool is_rule(std::string_view text) { return rule_of(text) != nullptr; }

NamedNetwork network_by_rule(std::string_view text) {
  const Rule* const rule = rule_of(text);
  if (!rule) {
    refuse(text, "grid:RxC, king:RxC, complete:N, hypercube:N, cycle:N or path:N");
  }
  const auto size = parse_size(*rule, text.substr(rule->name.size() + 1));
  if (!size) refuse(text, rule->expected);
  if (std::max(size->rows, size->columns) > rule->most || rule->edges(*size) > kMostEdges) {
    refuse(text, fmt::format("at most {} edges", kMostEdges));
  }
  NamedNetwork named{rule->make(*size)};
  if (rule->name == "grid") {
    named.grid_rows = to_vertex(size->rows);
    named.grid_columns = to_vertex(size->columns);
  }
  return named;
}

}  // namespace kinjo::paths
