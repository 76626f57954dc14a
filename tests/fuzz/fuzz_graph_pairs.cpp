/// Any bytes as a file of a graph. Pairs of numbers: an `Error`, or edges whose ends are vertices.
#include "graph/files/binary.hpp"

#include "fuzz/graph_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::graph::detail;
  using kinjo::test::check, kinjo::test::team;
  return kinjo::test::try_graph_in_both_widths(
      data, size, []<class Number>(std::string_view text, Number) {
        for (const int bits : {32, 64}) {
          check(parse_pairs<Number>(team(), text, "input", bits, 0));
        }
      });
}
