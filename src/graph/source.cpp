#include "graph/source.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph::detail {

namespace {

constexpr std::string_view kScrambled = "scrambled";

[[noreturn]] void refuse(const std::string& text, std::string_view expected) {
  throw Error(Errc::invalid_argument, fmt::format("'{}' as a graph: expected {}",
                                                  kinjo::detail::printable(text), expected));
}

/// `SCALE[,EDGEFACTOR]` behind a name.
template <class Rule>
Rule parse_scale(const std::string& text, std::string_view name, std::string_view sizes) {
  const auto parts = kinjo::detail::split(sizes, ',');
  const auto scale = kinjo::detail::parse_number<std::uint64_t>(parts[0]);
  const auto factor = parts.size() > 1 ? kinjo::detail::parse_count(parts[1]) : Rule{}.edge_factor;
  if (parts.size() > 2 || !scale || *scale > kMostScale<VertexId> || !factor) {
    refuse(text, fmt::format("{0}:SCALE or {0}:SCALE,EDGEFACTOR with a scale of 0 to {1}, such as "
                             "{0}:20,16",
                             name, kMostScale<VertexId>));
  }
  const std::uint64_t most = most_edge_factor(static_cast<unsigned>(*scale));
  if (*factor > most) refuse(text, fmt::format("an edge factor of at most {}", most));
  Rule rule;
  rule.scale = static_cast<unsigned>(*scale);
  rule.edge_factor = *factor;
  return rule;
}

/// `ROWSxCOLUMNS[,scrambled]` behind a name.
template <class Rule>
Rule parse_mesh(const std::string& text, std::string_view name, std::string_view sizes) {
  const auto parts = kinjo::detail::split(sizes, ',');
  const auto sides = kinjo::detail::split(parts[0], 'x');
  const std::uint64_t rows = kinjo::detail::parse_count(sides[0]).value_or(0);
  const std::uint64_t columns =
      sides.size() == 2 ? kinjo::detail::parse_count(sides[1]).value_or(0) : 0;
  const bool scrambled = parts.size() == 2 && parts[1] == kScrambled;
  if (rows == 0 || columns == 0 || parts.size() > 2 || (parts.size() == 2 && !scrambled)) {
    refuse(
        text,
        fmt::format("{0}:ROWSxCOLUMNS or {0}:ROWSxCOLUMNS,scrambled, such as {0}:1000x1000", name));
  }
  if (rows > kMostOfRule<VertexId> / columns) {
    refuse(text, fmt::format("at most {} vertices", kMostOfRule<VertexId>));
  }
  Rule rule;
  rule.rows = rows;
  rule.columns = columns;
  if (scrambled) rule.labels = Labels::scrambled;
  return rule;
}

template <class Rule>
std::string scale_text(const char* name, const Rule& rule) {
  const bool standard = rule.edge_factor == Rule{}.edge_factor;
  return fmt::format("{}:{}{}", name, rule.scale,
                     standard ? "" : fmt::format(",{}", rule.edge_factor));
}

template <class Rule>
std::string mesh_text(const char* name, const Rule& rule) {
  return fmt::format("{}:{}x{}{}", name, rule.rows, rule.columns,
                     rule.labels == Labels::scrambled ? ",scrambled" : "");
}

template <class Rule>
ListSize scale_size(const Rule& rule) {
  return {std::uint64_t{1} << rule.scale, rule.edge_factor << rule.scale};
}

/// As many as a whole grid has.
template <class Rule>
ListSize mesh_size(const Rule& rule) {
  return {rule.rows * rule.columns,
          rule.rows * (rule.columns - 1) + (rule.rows - 1) * rule.columns};
}

/// One function for each kind of source.
template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;  // Clang before 17 does not find it by itself

}  // namespace

Source parse_source(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return SourceFile{text};
  const std::string_view name = std::string_view(text).substr(0, colon),
                         sizes = std::string_view(text).substr(colon + 1);
  if (name == "kronecker") return parse_scale<Kronecker>(text, name, sizes);
  if (name == "uniform") return parse_scale<Uniform>(text, name, sizes);
  if (name == "grid") return parse_mesh<Grid>(text, name, sizes);
  if (name == "road") return parse_mesh<Road>(text, name, sizes);
  return SourceFile{text};
}

std::string to_string(const Source& source) {
  return std::visit(Cases{[](const SourceFile& file) { return file.path; },
                          [](const Kronecker& rule) { return scale_text("kronecker", rule); },
                          [](const Uniform& rule) { return scale_text("uniform", rule); },
                          [](const Grid& rule) { return mesh_text("grid", rule); },
                          [](const Road& rule) { return mesh_text("road", rule); }},
                    source);
}

std::optional<ListSize> list_size(const Source& source) {
  using Size = std::optional<ListSize>;
  return std::visit(Cases{[](const SourceFile&) -> Size { return {}; },
                          [](const Kronecker& rule) -> Size { return scale_size(rule); },
                          [](const Uniform& rule) -> Size { return scale_size(rule); },
                          [](const Grid& rule) -> Size { return mesh_size(rule); },
                          [](const Road& rule) -> Size { return mesh_size(rule); }},
                    source);
}

AnyEdgeList generate_source(Team& team, const Source& source, const Seeds& seeds, Width width) {
  return std::visit(
      [&](const auto& rule) -> AnyEdgeList {
        if constexpr (std::is_same_v<std::decay_t<decltype(rule)>, SourceFile>) {
          KINJO_ASSERT(false && "a rule, and no file");
          return {};
        } else {
          return generate(team, rule, seeds, width);
        }
      },
      source);
}

}  // namespace kinjo::graph::detail
