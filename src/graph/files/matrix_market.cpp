#include "graph/files/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graph/files/mapped_file.hpp"
#include "graph/files/text_list.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph::detail {

namespace {

constexpr const char* kHead = "%%MatrixMarket matrix coordinate FIELD SYMMETRY";

struct Kind {
  int values = 0;  ///< behind an entry
  Sense sense = Sense::directed;
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  take_blanks(line);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
    take_blanks(line);
  }
  return words;
}

Kind kind_of(std::string_view line, const std::string& name) {
  std::vector<std::string> words = words_of(line);
  if (words.size() != 5 || words[0] != "%%MatrixMarket") {
    refuse_file(name, fmt::format("line 1: expected '{}'", kHead));
  }
  for (std::string& word : words) {
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto check = [&](std::size_t i, const std::vector<std::string>& known) {
    if (std::ranges::find(known, words[i]) != known.end()) return;
    std::string list = known[0];
    for (std::size_t k = 1; k < known.size(); ++k) {
      list += (k + 1 == known.size() ? " or " : ", ") + known[k];
    }
    refuse_file(name,
                fmt::format("line 1: '{}': expected {}", kinjo::detail::printable(words[i]), list));
  };
  check(1, {"matrix"});
  check(2, {"coordinate"});
  check(3, {"pattern", "real", "double", "integer"});
  check(4, {"general", "symmetric", "skew-symmetric"});
  return {words[3] == "pattern" ? 0 : 1,
          words[4] == "general" ? Sense::directed : Sense::symmetric};
}

struct Size {
  std::uint64_t vertices = 0;
  EdgeCount entries = 0;
};

template <class Number>
Size size_of(std::string_view line, std::size_t number, const std::string& name) {
  const auto refuse = [&](const std::string& fault) {
    refuse_file(name, fmt::format("line {}: {}", number, fault));
  };
  std::uint64_t sizes[3] = {};
  std::string_view digits[3];
  for (std::size_t k = 0; k < 3; ++k) {
    take_blanks(line);
    const auto value = take_number(line, digits[k]);
    if (!value) refuse("expected 'ROWS COLUMNS ENTRIES'");
    sizes[k] = *value;
  }
  take_blanks(line);
  if (!line.empty()) refuse("expected 'ROWS COLUMNS ENTRIES'");
  if (sizes[0] != sizes[1]) {
    refuse(fmt::format("{} rows and {} columns: expected as many, since both are vertices",
                       digits[0], digits[1]));
  }
  constexpr std::uint64_t kMost = kMostNumbers<Number>;
  if (sizes[0] > kMost) {
    refuse_number<Number>(
        name, fmt::format("line {}: {} vertices: expected at most {}, since they are {}", number,
                          digits[0], kMost, kWhyNoMore<Number>));
  }
  return {sizes[0], sizes[2]};
}

}  // namespace

template <class Number>
BasicListedEdges<BasicEdgeList<Number>> parse_matrix_market(Team& team, std::string_view text,
                                                            const std::string& name) {
  const Kind kind = kind_of(take_line(text), name);
  std::size_t number = 2;
  std::string_view line = take_line(text);
  for (; line.starts_with('%') || (kinjo::detail::trim(line).empty() && !text.empty()); ++number) {
    line = take_line(text);
  }
  const Size size = size_of<Number>(line, number, name);
  BasicListedEdges<BasicEdgeList<Number>> listed;
  listed.sense = kind.sense;
  listed.edges = parse_lines<Number>(
      team, text, name,
      {.first_line = number + 1,
       .base = 1,
       .vertices = size.vertices,
       .least_values = kind.values,
       .most_values = kind.values,
       .expected = kind.values == 0 ? "a row and a column" : "a row, a column and a value"});
  if (listed.edges.size() != size.entries) {
    refuse_file(name, fmt::format("it has {} entries: line {} says {}", listed.edges.size(), number,
                                  size.entries));
  }
  return listed;
}

template ListedEdges parse_matrix_market<Vertex>(Team&, std::string_view, const std::string&);
template BasicListedEdges<WideEdgeList> parse_matrix_market<VertexId>(Team&, std::string_view,
                                                                      const std::string&);

}  // namespace kinjo::graph::detail
