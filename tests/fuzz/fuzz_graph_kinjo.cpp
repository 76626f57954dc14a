/// Any bytes as a file of a built graph, which may be signed: an `Error`, or rows of vertices.
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/graph_input.hpp"
#include "fuzz/target.hpp"
#include "graph/files/kgraph.hpp"

namespace {

/// What the head's check sum would keep from being tried: the input, with a right one.
void sign(std::string_view text, std::vector<std::uint64_t>& words) {
  constexpr std::size_t kHeadBytes = 8;  // the word that says where the head ends
  words.assign(text.size() / 8 + 1, 0);
  std::memcpy(words.data(), text.data(), text.size());
  if (text.size() <= 8 * kHeadBytes) return;
  const std::uint64_t end = words[kHeadBytes];
  if (end % 8 != 0 || end < 8 || end > text.size()) return;
  words[end / 8 - 1] = kinjo::graph::detail::check_sum(text.substr(0, end - 8));
}

void walk(const kinjo::graph::Graph& graph) {
  for (std::size_t v = 0; v < graph.ids().size(); ++v) {
    if (graph.ids()[v] >= graph.universe() || graph.find(graph.ids()[v]) != v) std::abort();
  }
  for (const kinjo::graph::Part& part : graph.parts()) {
    for (std::size_t v = part.vertices.begin; v < part.vertices.end; ++v) {
      for (const auto u : part.neighbours(static_cast<kinjo::graph::Vertex>(v))) {
        if (u >= graph.vertices()) std::abort();
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::graph;
  return kinjo::test::try_graph(data, size, [](std::string_view text) {
    std::vector<std::uint64_t> words;
    sign(text, words);
    const std::string_view input(reinterpret_cast<const char*>(words.data()), text.size());
    walk(Graph(detail::parse_kgraph(input, "input", Trust::nothing)));
  });
}
