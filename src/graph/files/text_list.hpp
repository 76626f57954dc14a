/// Lines of two numbers each, parsed by all threads of a team: each takes a piece of the text that
/// begins and ends with a line, counts its lines, and then writes its edges behind those of the
/// pieces before.
#pragma once

#include <optional>
#include <string_view>

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

/// What the lines of a file look like. Blank ones, and those that begin with # or %, are left out.
struct LineRule {
  std::size_t first_line = 1;                  ///< the number of the text's first line
  std::uint64_t base = 0;                      ///< the number of the first vertex
  std::optional<std::uint64_t> vertices = {};  ///< nothing: one more than the greatest
  int least_values = 0;                        ///< numbers that follow the two
  int most_values = 1;
  const char* expected = "the numbers of two vertices and at most a weight";
};

/// Throws `Error` (`cannot read 'NAME': line N: …`), a `TooWide` where 32 bits are too few.
template <class Number>
BasicEdgeList<Number> parse_lines(Team& team, std::string_view text, const std::string& name,
                                  const LineRule& rule);

/// Takes the number that `text` begins with; nothing if there is none. Of what exceeds 2⁶³ the
/// greatest number is made, which messages do not tell: `digits` are those of the text.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view& digits);
/// Takes blanks, tabs, commas and carriage returns.
void take_blanks(std::string_view& text);
/// Takes a line without its end.
std::string_view take_line(std::string_view& text);

/// A list as lines `FROM TO`.
template <class Number>
std::string list_text(const BasicEdgeList<Number>& edges);

}  // namespace kinjo::graph::detail
