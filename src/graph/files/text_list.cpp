#include "graph/files/text_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graph/files/mapped_file.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph::detail {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A plus before a value, which std::from_chars does not take.
void skip_plus(std::string_view& text) {
  const bool has_two_signs = text.size() > 1 && (text[1] == '+' || text[1] == '-');
  if (!text.empty() && text[0] == '+' && !has_two_signs) text.remove_prefix(1);
}

/// What is wrong, and where.
struct Fault {
  const char* at = nullptr;
  std::string what;
  bool is_too_great = false;
};

/// A thread's piece of the text.
struct Piece {
  std::string_view text;
  EdgeCount begin = 0, edges = 0;
  std::uint64_t greatest = 0;
  Fault fault;
};

std::vector<Piece> cut(std::string_view text, std::size_t pieces) {
  std::vector<Piece> all(pieces);
  std::size_t begin = 0;
  for (std::size_t p = 0; p < pieces; ++p) {
    std::size_t end = std::max(begin, text.size() / pieces * (p + 1));
    end = p + 1 == pieces ? text.size() : text.find('\n', end);
    end = end == std::string_view::npos ? text.size() : std::min(text.size(), end + 1);
    all[p].text = text.substr(begin, end - begin);
    begin = end;
  }
  return all;
}

/// Whether a line has an edge, or what ought to be one.
bool has_content(std::string_view line) {
  take_blanks(line);
  return !line.empty() && line[0] != '#' && line[0] != '%';
}

EdgeCount count_edges(std::string_view text) {
  EdgeCount edges = 0;
  while (!text.empty()) edges += has_content(take_line(text));
  return edges;
}

template <class Number>
class LineParser {
 public:
  using Edge = BasicEdge<Number>;

  LineParser(const LineRule& rule, Piece& piece) : rule_(rule), piece_(piece) {}

  /// Writes the edges of the piece, up to its first fault.
  void run(Edge* out) {
    std::string_view text = piece_.text;
    while (!text.empty()) {
      std::string_view line = take_line(text);
      if (!has_content(line)) continue;
      const char* const begin = line.data();
      if (!take_edge(line, *out++)) {
        piece_.fault.at = begin;
        return;
      }
    }
  }

 private:
  bool take_edge(std::string_view line, Edge& edge) {
    take_blanks(line);
    return take_vertex(line, edge.from) && take_vertex(line, edge.to) && take_values(line);
  }

  bool fail(std::string what) {
    piece_.fault.what = std::move(what);
    return false;
  }

  bool take_vertex(std::string_view& line, Number& vertex) {
    std::string_view digits;
    const auto number = take_number(line, digits);
    if (!number || (!line.empty() && !is_blank(line[0]))) {
      return fail(fmt::format("expected {}", rule_.expected));
    }
    take_blanks(line);
    if (*number < rule_.base) {
      return fail(fmt::format("vertex {}: expected at least {}", digits, rule_.base));
    }
    const std::uint64_t v = *number - rule_.base;
    if (rule_.vertices && v >= *rule_.vertices) {
      return fail(
          fmt::format("vertex {}: expected at most {}", digits, *rule_.vertices + rule_.base - 1));
    }
    constexpr std::uint64_t kMost = kMostNumbers<Number>;
    if (v >= kMost) {
      piece_.fault.is_too_great = true;
      return fail(fmt::format("vertex {}: expected at most {}, since vertices are {}", digits,
                              kMost - 1 + rule_.base, kWhyNoMore<Number>));
    }
    piece_.greatest = std::max(piece_.greatest, v);
    vertex = static_cast<Number>(v);
    return true;
  }

  bool take_values(std::string_view line) {
    int values = 0;
    for (; !line.empty(); ++values) {
      double value;
      skip_plus(line);
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
      if (error == std::errc::invalid_argument || (!line.empty() && !is_blank(line[0]))) {
        return fail(fmt::format("expected {}", rule_.expected));
      }
      take_blanks(line);
    }
    if (values >= rule_.least_values && values <= rule_.most_values) return true;
    return fail(fmt::format("expected {}", rule_.expected));
  }

  const LineRule& rule_;
  Piece& piece_;
};

template <class Number>
void refuse_first_fault(std::string_view text, const std::string& name, const LineRule& rule,
                        const std::vector<Piece>& pieces) {
  const auto first = std::ranges::find_if(pieces, [](const Piece& p) { return p.fault.at; });
  if (first == pieces.end()) return;
  const auto line = std::count(text.data(), first->fault.at, '\n');
  const std::string fault = fmt::format(
      "line {}: {}", rule.first_line + static_cast<std::size_t>(line), first->fault.what);
  if (first->fault.is_too_great) refuse_number<Number>(name, fault);
  refuse_file(name, fault);
}

}  // namespace

std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view& digits) {
  if (text.empty() || !is_digit(text[0])) return std::nullopt;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    const auto digit = static_cast<std::uint64_t>(text[i] - '0');
    value = value < kMost ? 10 * value + digit : ~std::uint64_t{0};
  }
  digits = text.substr(0, i);
  text.remove_prefix(i);
  return value;
}

void take_blanks(std::string_view& text) {
  std::size_t i = 0;
  while (i < text.size() && is_blank(text[i])) ++i;
  text.remove_prefix(i);
}

std::string_view take_line(std::string_view& text) {
  if (text.empty()) return {};  // it may have no address
  const void* const end = std::memchr(text.data(), '\n', text.size());
  const std::size_t length =
      end ? static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) : text.size();
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return line;
}

template <class Number>
BasicEdgeList<Number> parse_lines(Team& team, std::string_view text, const std::string& name,
                                  const LineRule& rule) {
  std::vector<Piece> pieces = cut(text, team.size());
  const auto mine = [&](const Place& me) -> Piece& {
    return pieces[static_cast<std::size_t>(me.thread)];
  };
  team.run([&](const Place& me) { mine(me).edges = count_edges(mine(me).text); });
  EdgeCount edges = 0;
  for (Piece& piece : pieces) piece.begin = std::exchange(edges, edges + piece.edges);
  BasicEdgeList<Number> list(rule.vertices.value_or(0), edges);
  team.run([&](const Place& me) {
    LineParser<Number>(rule, mine(me)).run(list.all().data() + mine(me).begin);
  });
  refuse_first_fault<Number>(text, name, rule, pieces);
  if (!rule.vertices && edges > 0) {
    list.set_vertices(std::ranges::max(pieces, {}, &Piece::greatest).greatest + 1);
  }
  return list;
}

template EdgeList parse_lines(Team&, std::string_view, const std::string&, const LineRule&);
template WideEdgeList parse_lines(Team&, std::string_view, const std::string&, const LineRule&);

template <class Number>
std::string list_text(const BasicEdgeList<Number>& edges) {
  std::string text;
  constexpr std::size_t kDigits = 20;
  char line[2 * kDigits + 2];
  for (const auto& e : edges.all()) {
    char* at = std::to_chars(line, line + kDigits, e.from).ptr;
    *at++ = ' ';
    at = std::to_chars(at, line + sizeof line, e.to).ptr;
    *at++ = '\n';
    text.append(line, at);
  }
  return text;
}

template std::string list_text(const EdgeList&);
template std::string list_text(const WideEdgeList&);

}  // namespace kinjo::graph::detail
