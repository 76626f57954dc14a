/// Any bytes as a list of edges with names: an `Error`, or a network that names each vertex once.
#include "paths/files/named_list.hpp"

#include "fuzz/network_input.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return kinjo::test::try_graph(data, size, [](std::string_view text) {
    const auto network = kinjo::paths::detail::parse_named_list(text, "input");
    if (network.names.size() != network.vertices) std::abort();
    kinjo::test::check(network);
  });
}
