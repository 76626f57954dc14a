/// Any text as Graphillion's list of nodes: an `Error`, or a diagram that is written and read
/// again.
#include "fuzz/diagram_input.hpp"
#include "fuzz/target.hpp"
#include "paths/diagram/files/graphillion.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::paths;
  return kinjo::test::try_diagram(data, size, [](std::string_view text) {
    const Diagram diagram = detail::parse_graphillion(text, "input", 0);
    kinjo::test::check(diagram);
    const std::string again = kinjo::test::all_of(detail::graphillion_text(*diagram.data()));
    if (detail::parse_graphillion(again, "input", diagram.items()) != diagram) std::abort();
  });
}
