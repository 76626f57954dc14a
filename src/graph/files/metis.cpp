#include "graph/files/metis.hpp"

#include <vector>

#include <fmt/format.h>

#include "graph/files/mapped_file.hpp"
#include "graph/files/symmetry.hpp"
#include "graph/files/text_list.hpp"

namespace kinjo::graph::detail {

namespace {

struct Head {
  std::uint64_t vertices = 0;
  EdgeCount edges = 0;
  std::uint64_t skipped = 0;  ///< numbers before the neighbours
  bool has_edge_weights = false;
};

class MetisParser {
 public:
  MetisParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  ListedEdges run() {
    head_ = read_head();
    // An edge takes four bytes at least, so that no head makes us ask for memory in vain.
    if (head_.edges > text_.size()) {
      refuse(fmt::format("{} edges: expected at most {}, as many as there are bytes behind",
                         head_.edges, text_.size()));
    }
    listed_ = {EdgeList(head_.vertices, head_.edges), Sense::symmetric};
    for (std::uint64_t v = 0; v < head_.vertices; ++v) {
      if (!next_line())
        refuse_file(name_, fmt::format("it ends behind vertex {} of {}", v, head_.vertices));
      read_row(static_cast<Vertex>(v));
    }
    while (next_line()) {
      take_blanks(line_);
      if (!line_.empty()) refuse(fmt::format("expected {} vertices and no more", head_.vertices));
    }
    check_edges();
    return std::move(listed_);
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const {
    refuse_file(name_, fmt::format("line {}: {}", number_, fault));
  }

  bool next_line() {
    do {
      if (text_.empty()) return false;
      line_ = take_line(text_);
      ++number_;
    } while (line_.starts_with('%'));
    return true;
  }

  std::uint64_t number(const char* expected) {
    const auto value = take_number(line_, digits_);
    if (!value || (!line_.empty() && line_[0] != ' ' && line_[0] != '\t' && line_[0] != '\r')) {
      refuse(fmt::format("expected {}", expected));
    }
    take_blanks(line_);
    return *value;
  }

  Head read_head() {
    constexpr const char* kExpected = "'VERTICES EDGES [FMT [NCON]]'";
    Head head;
    if (!next_line()) refuse_file(name_, fmt::format("line 1: expected {}", kExpected));
    take_blanks(line_);
    head.vertices = number(kExpected);
    const std::string_view vertices = digits_;
    head.edges = number(kExpected);
    const std::uint64_t format = line_.empty() ? 0 : number(kExpected);
    const std::uint64_t weights = line_.empty() ? 1 : number(kExpected);
    if (!line_.empty()) refuse(fmt::format("expected {}", kExpected));
    const std::uint64_t sizes = format / 100, has_weights = format / 10 % 10;
    if (sizes > 1 || has_weights > 1 || format % 10 > 1) {
      refuse(fmt::format("format {}: expected three digits, each 0 or 1", format));
    }
    if (head.vertices > kMostVertices) {
      refuse(fmt::format("{} vertices: expected at most {}, since they are numbered in 32 bits",
                         vertices, kMostVertices));
    }
    head.skipped = sizes + has_weights * weights;
    head.has_edge_weights = format % 10 == 1;
    return head;
  }

  void read_row(Vertex v) {
    take_blanks(line_);
    for (std::uint64_t i = 0; i < head_.skipped; ++i) number("the vertex's sizes and weights");
    while (!line_.empty()) {
      const std::uint64_t u = number("numbers of neighbours");
      if (u == 0 || u > head_.vertices) {
        refuse(fmt::format("vertex {}: expected 1 to {}", digits_, head_.vertices));
      }
      if (u == v + std::uint64_t{1}) refuse(fmt::format("vertex {} is its own neighbour", u));
      if (head_.has_edge_weights) number("a weight behind each neighbour");
      add(v, static_cast<Vertex>(u - 1));
    }
  }

  void add(Vertex v, Vertex u) {
    check_.add(v, u);
    ++entries_;
    if (v > u) return;
    if (edges_ == head_.edges) {
      refuse(fmt::format("more edges than the {} that the head says", head_.edges));
    }
    listed_.edges.all()[edges_++] = {v, u};
  }

  void check_edges() const {
    if (entries_ != 2 * head_.edges) {
      refuse_file(name_, fmt::format("it has {} neighbours: expected {}, two for each of {} edges",
                                     entries_, 2 * head_.edges, head_.edges));
    }
    if (edges_ != head_.edges || !check_.holds()) {
      refuse_file(name_, "some edge stands in the line of one of its ends alone");
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::string_view line_, digits_;  ///< digits: of the last number
  std::size_t number_ = 0;
  Head head_;
  ListedEdges listed_;
  SymmetryCheck check_;
  EdgeCount edges_ = 0, entries_ = 0;
};

}  // namespace

ListedEdges parse_metis(std::string_view text, const std::string& name) {
  return MetisParser(text, name).run();
}

}  // namespace kinjo::graph::detail
