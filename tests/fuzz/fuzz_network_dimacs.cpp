/// Any bytes as a DIMACS graph of either kind: an `Error`, or a network whose edges have ends.
#include "paths/files/dimacs.hpp"

#include "fuzz/network_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kinjo::paths::detail::Dimacs;
  for (const Dimacs kind : {Dimacs::colouring, Dimacs::shortest_paths}) {
    kinjo::test::try_graph(data, size, [&](std::string_view text) {
      kinjo::test::check(kinjo::paths::detail::parse_dimacs(text, "input", kind));
    });
  }
  return 0;
}
