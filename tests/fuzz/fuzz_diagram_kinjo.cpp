/// Any bytes as a file of a diagram, signed so that its content is looked at: an `Error`, or nodes
/// that are in order.
#include <cstring>
#include <vector>

#include "fuzz/diagram_input.hpp"
#include "fuzz/target.hpp"
#include "graph/files/kgraph.hpp"
#include "paths/diagram/files/kzdd.hpp"

namespace {

/// What check sums would keep from being tried: the input, with right ones.
std::string sign(std::string_view text) {
  constexpr std::size_t kItems = 16, kNames = 40, kNodesSum = 48, kHead = 56, kMost = 1 << 20;
  std::string bytes(text);
  if (bytes.size() < kHead) return bytes;
  const auto number = [&](std::size_t at) {
    std::uint64_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const auto put = [&](std::size_t at, std::uint64_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  const std::uint64_t items = number(kItems), names = number(kNames);
  if (items > kMost || names > kMost) return bytes;
  const std::size_t check = (kHead + 8 * (items + 1) + names + 7) / 8 * 8;
  const std::size_t nodes = (check + 8 + 63) / 64 * 64;
  if (bytes.size() < nodes) return bytes;
  put(kNodesSum, kinjo::graph::detail::check_sum(std::string_view(bytes).substr(nodes)));
  put(check, kinjo::graph::detail::check_sum(std::string_view(bytes).substr(0, check)));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::paths;
  return kinjo::test::try_diagram(data, size, [](std::string_view text) {
    const std::string input = sign(text);
    kinjo::test::check(Diagram(detail::parse_kzdd(input, "input", Trust::nothing)));
  });
}
