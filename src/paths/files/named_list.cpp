#include "paths/files/named_list.hpp"

#include <unordered_map>

#include "paths/files/words.hpp"

namespace kinjo::paths::detail {

Network parse_named_list(std::string_view text, const std::string& file) {
  Network network;
  std::unordered_map<std::string_view, Vertex> numbers;
  const auto number = [&](std::string_view name) {
    const auto [at, is_new] = numbers.try_emplace(name, network.vertices);
    if (is_new) {
      network.names.emplace_back(name);
      ++network.vertices;
    }
    return at->second;
  };
  Lines lines(text, file);
  while (lines.next()) {
    const std::string_view from = lines.word();
    if (from[0] == '#' || from[0] == '%') continue;
    const std::string_view to = lines.word(), weight = lines.word();
    const bool is_weight = weight.empty() || is_number(weight);
    if (to.empty() || !is_weight || !lines.word().empty()) {
      lines.refuse("expected two vertices and at most a weight");
    }
    for (const std::string_view name : {from, to}) {  // as of text in 16 bits
      if (name.find('\0') != name.npos) lines.refuse("a zero byte: expected text in 8 bits");
    }
    const Vertex u = number(from), v = number(to);
    network.edges.push_back({u, v});
  }
  return network;
}

}  // namespace kinjo::paths::detail
