/// Any text as a graph's name: an `Error`, or a source whose name reads back as the same source.
#include <cstdlib>

#include <kinjo/error.hpp>

#include "fuzz/target.hpp"
#include "graph/limits.hpp"
#include "graph/source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::graph::detail;
  using kinjo::graph::VertexId;
  try {
    const Source source = parse_source({reinterpret_cast<const char*>(data), size});
    const std::string name = to_string(source);
    const Source again = parse_source(name);
    const auto first = list_size(source), second = list_size(again);
    if (to_string(again) != name || first.has_value() != second.has_value()) std::abort();
    if (first && (first->edges != second->edges || first->vertices > kMostOfRule<VertexId>)) {
      std::abort();
    }
  } catch (const kinjo::Error&) {
  }
  return 0;
}
