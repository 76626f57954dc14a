#include "memory/memory_choice.hpp"

#include <cerrno>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

NodeSet ordinary_nodes(const Topology& machine) {
  NodeSet nodes;
  for (const Node& node : machine.nodes()) {
    if (node.allowed && node.memory_kind == MemoryKind::ordinary) nodes.insert(node.node);
  }
  return nodes;
}

NodeSet read_nodes(std::string_view list, std::string_view text, const Topology& machine) {
  auto nodes = NodeSet::parse(list, "list of nodes");
  for (const int node : nodes) {
    if (machine.allowed_nodes().contains(node)) continue;
    throw Error(
        Errc::invalid_argument,
        fmt::format("node {} of memory policy {} {}: expected nodes of {}", node, text,
                    machine.find_node(node) ? "may not be used by this process" : "does not exist",
                    machine.allowed_nodes().to_string()));
  }
  return nodes;
}

[[noreturn]] void refuse(std::string_view text) {
  throw Error(Errc::invalid_argument,
              fmt::format("unknown memory policy '{}': expected local, interleave, "
                          "interleave:NODES, bind:NODES or preferred:NODES, e.g. bind:0-1",
                          text));
}

/// Several preferred nodes are a policy of their own, since Linux 5.15.
MemoryPolicy preferred(const NodeSet& nodes) {
  return nodes.count() > 1 ? MemoryPolicy::preferred_many : MemoryPolicy::preferred;
}

}  // namespace

MemoryChoice parse_memory(std::string_view text, const Topology& machine) {
  const std::string given(text);
  if (text == "local") return {MemoryPolicy::local, {}, given};
  if (text == "interleave") return {MemoryPolicy::interleave, ordinary_nodes(machine), given};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse(text);
  const std::string_view name = text.substr(0, colon);
  if (name != "interleave" && name != "bind" && name != "preferred") refuse(text);
  const NodeSet nodes = read_nodes(text.substr(colon + 1), text, machine);
  if (nodes.empty()) refuse(text);
  if (name == "interleave") return {MemoryPolicy::interleave, nodes, given};
  return {name == "bind" ? MemoryPolicy::bind : preferred(nodes), nodes, given};
}

std::string apply_memory(const MemoryChoice& choice) {
  const int error = set_memory_policy(choice.policy, choice.nodes);
  if (error == 0) return {};
  const char* cause = error == EPERM    ? " (a container's seccomp profile?)"
                      : error == ENOSYS ? " (a kernel without NUMA)"
                      : error == EINVAL ? " (a node without memory, or an old kernel)"
                                        : "";
  return fmt::format(
      "cannot set memory policy {}: set_mempolicy returned {}{}; pages lie where they are first "
      "touched instead",
      choice.text, errno_name(error), cause);
}

}  // namespace kinjo::detail
