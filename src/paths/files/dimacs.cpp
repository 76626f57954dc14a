#include "paths/files/dimacs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graph/files/mapped_file.hpp"
#include "paths/files/words.hpp"

namespace kinjo::paths::detail {

namespace {

/// How a kind's lines look.
struct Form {
  std::string_view problems;  ///< words behind `p`, apart by blanks
  char edge;
  std::string_view passed_over;
  const char *head, *line, *edges;
};

constexpr Form kColouring{"edge edges col",          'e',       "cndvx",
                          "'p edge VERTICES EDGES'", "'e U V'", "edges"};
constexpr Form kShortestPaths{"sp", 'a', "c", "'p sp VERTICES ARCS'", "'a U V WEIGHT'", "arcs"};

class DimacsParser {
 public:
  DimacsParser(std::string_view text, const std::string& file, Dimacs kind)
      : lines_(text, file),
        file_(file),
        form_(kind == Dimacs::colouring ? kColouring : kShortestPaths) {}

  Network run() {
    while (lines_.next()) read_line();
    if (head_ == 0) {
      graph::detail::refuse_file(file_, fmt::format("it has no line {}", form_.head));
    }
    if (network_.edges.size() != edges_) {
      graph::detail::refuse_file(
          file_, fmt::format("it has {} {}: line {} says {}", network_.edges.size(), form_.edges,
                             head_, edges_));
    }
    return std::move(network_);
  }

 private:
  void read_line() {
    const std::string_view word = lines_.word();
    const char kind = word.size() == 1 ? word[0] : '\0';
    if (kind == 'p') return read_head();
    if (kind == form_.edge) return read_edge();
    // "cComment" is met in the wild.
    if (word[0] == 'c' ||
        (kind != '\0' && form_.passed_over.find(kind) != std::string_view::npos)) {
      return;
    }
    lines_.refuse(fmt::format("expected {}", head_ == 0 ? form_.head : form_.line));
  }

  void read_head() {
    if (head_ != 0) lines_.refuse(fmt::format("a second line 'p': line {} is one", head_));
    const auto known = kinjo::detail::split(form_.problems, ' ');
    const std::string_view problem = lines_.word();
    const auto vertices = number(), edges = number();
    const bool is_known = std::find(known.begin(), known.end(), problem) != known.end();
    if (!is_known || !vertices || !edges || !lines_.word().empty()) {
      lines_.refuse(fmt::format("expected {}", form_.head));
    }
    if (*vertices > graph::kMostVertices) {
      lines_.refuse(
          fmt::format("{} vertices: expected at most {}, since they are numbered in 32 "
                      "bits",
                      *vertices, graph::kMostVertices));
    }
    head_ = lines_.number();
    network_.vertices = static_cast<Vertex>(*vertices);
    network_.first_number = 1;
    edges_ = *edges;
  }

  void read_edge() {
    if (head_ == 0) lines_.refuse(fmt::format("expected {} before edges", form_.head));
    const auto from = number(), to = number();
    const bool is_weighted = form_.edge == 'a';
    if (!from || !to || (is_weighted && !is_number(lines_.word())) || !lines_.word().empty()) {
      lines_.refuse(fmt::format("expected {}", form_.line));
    }
    if (network_.edges.size() == edges_) {
      lines_.refuse(
          fmt::format("more {} than the {} that line {} says", form_.edges, edges_, head_));
    }
    network_.edges.push_back({vertex(*from), vertex(*to)});
  }

  std::optional<std::uint64_t> number() {
    return kinjo::detail::parse_number<std::uint64_t>(lines_.word());
  }

  Vertex vertex(std::uint64_t number) const {
    if (number == 0 || number > network_.vertices) {
      lines_.refuse(network_.vertices == 0
                        ? fmt::format("vertex {}: line {} says that there are none", number, head_)
                        : fmt::format("vertex {}: expected 1 to {}", number, network_.vertices));
    }
    return static_cast<Vertex>(number - 1);
  }

  Lines lines_;
  const std::string& file_;
  const Form& form_;
  Network network_;
  std::size_t head_ = 0;  ///< the number of the `p` line
  std::uint64_t edges_ = 0;
};

}  // namespace

Network parse_dimacs(std::string_view text, const std::string& file, Dimacs kind) {
  return DimacsParser(text, file, kind).run();
}

}  // namespace kinjo::paths::detail
