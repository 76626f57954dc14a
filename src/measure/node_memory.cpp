#include "measure/node_memory.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "simd/memory_kernels.hpp"

namespace kinjo {

namespace {

constexpr std::uint64_t kGrain = 2 << 20;  // whole huge pages
constexpr std::uint64_t kLeast = 1 << 20;  // below, a node is not measured
constexpr std::uint64_t kUnknownCaches = 64 << 20;
constexpr std::uint64_t kTimesCaches = 4;
constexpr double kShare = 0.6;  // the rest is for the system and for others

std::uint64_t share_of(std::uint64_t bytes) {
  return static_cast<std::uint64_t>(kShare * static_cast<double>(bytes));
}

/// Keeps large sizes whole in huge pages, and leaves small ones as they are.
std::uint64_t round_down(std::uint64_t bytes) {
  return bytes > kGrain ? bytes / kGrain * kGrain : bytes;
}

std::uint64_t rule(const Topology& machine) {
  const std::uint64_t caches = last_level_reach(machine).node;
  return caches == 0 ? kUnknownCaches
                     : std::max(kGrain, (kTimesCaches * caches + kGrain - 1) / kGrain * kGrain);
}

/// The most that one node's buffer may have, and what is short if that is less than wanted.
struct Limit {
  std::uint64_t bytes = UINT64_MAX;
  std::string reason;
};

Limit limit_of(int node, std::size_t nodes, const NodeMemoryState& state) {
  Limit limit;
  if (const auto found = state.free.find(node); found != state.free.end()) {
    limit = {share_of(found->second) / 2,
             fmt::format("{} are free on it", detail::format_bytes(found->second))};
  }
  const std::uint64_t each = share_of(state.available) / (nodes + 1);
  if (state.available != 0 && each < limit.bytes) {
    limit = {each,
             fmt::format("{} are available to the process", detail::format_bytes(state.available))};
  }
  return limit;
}

/// `MemFree` of lines such as `Node 0 MemFree:   123 kB`.
std::optional<std::uint64_t> parse_free(std::string_view text) {
  constexpr std::string_view kLabel = "MemFree:";
  for (std::string_view line : detail::split(text, '\n')) {
    const auto at = line.find(kLabel);
    if (at == line.npos) continue;
    const auto value = detail::trim(line.substr(at + kLabel.size()));
    const auto kib = detail::parse_number<std::uint64_t>(value.substr(0, value.find(' ')));
    return kib && *kib < UINT64_MAX / 1024 ? std::optional(*kib * 1024) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> measurable_cpu_nodes(const Topology& machine) {
  std::vector<int> nodes;
  for (const Node& node : machine.nodes()) {
    if (!cpus_dealt_to(machine, node.node).empty()) nodes.push_back(node.node);
  }
  return nodes;
}

std::vector<int> measurable_memory_nodes(const Topology& machine) {
  std::vector<int> nodes;
  for (const Node& node : machine.nodes()) {
    if (node.allowed && node.memory_kind != MemoryKind::none) nodes.push_back(node.node);
  }
  return nodes;
}

std::vector<int> cpus_dealt_to(const Topology& machine, int node) {
  std::vector<const Cpu*> dealt;
  for (const Cpu& cpu : machine.cpus()) {
    if (cpu.allowed && cpu.node == node) dealt.push_back(&cpu);
  }
  const Node* home = machine.find_node(node);
  std::ranges::sort(dealt, {}, [&](const Cpu* cpu) {
    return std::tuple(!home || !home->cpus.contains(cpu->cpu), cpu->smt, cpu->logical);
  });
  std::vector<int> cpus;
  for (const Cpu* cpu : dealt) cpus.push_back(cpu->cpu);
  return cpus;
}

std::optional<std::uint64_t> node_free_bytes(int node, const std::string& root) {
  const auto text =
      detail::read_small_file(fmt::format("{}/sys/devices/system/node/node{}/meminfo", root, node));
  return text ? parse_free(*text) : std::nullopt;
}

CacheReach last_level_reach(const Topology& machine) {
  int level = 0;
  for (const Cache& cache : machine.caches()) level = std::max(level, cache.level);
  CacheReach reach;
  std::map<int, std::uint64_t> by_node;
  for (const Cache& cache : machine.caches()) {
    if (cache.level != level || cache.type == Cache::Type::instruction) continue;
    reach.one = std::max(reach.one, cache.size_bytes);
    NodeSet nodes;
    for (int number : cache.cpus) {
      const Cpu* cpu = machine.find_cpu(number);
      if (cpu && cpu->node >= 0) nodes.insert(cpu->node);
    }
    for (int node : nodes) {
      reach.node = std::max(reach.node, by_node[node] += cache.size_bytes);
    }
  }
  return reach;
}

NodeMemoryState node_memory_state(const Topology& machine) {
  NodeMemoryState state{.free = {}, .available = available_memory_bytes()};
  for (int node : measurable_memory_nodes(machine)) {
    if (const auto free = node_free_bytes(node)) state.free[node] = *free;
  }
  return state;
}

NodeBufferPlan plan_node_buffers(const Topology& machine, std::uint64_t requested,
                                 const NodeMemoryState& state) {
  NodeBufferPlan plan{.rule_bytes = rule(machine), .by_node = {}, .notes = {}};
  plan.bytes = requested ? requested : plan.rule_bytes;
  const auto nodes = measurable_memory_nodes(machine);
  std::uint64_t largest = 0;
  for (int node : nodes) {
    const Limit limit = limit_of(node, nodes.size(), state);
    if (requested > limit.bytes) {
      throw Error(
          Errc::out_of_memory,
          fmt::format("a buffer of {} does not fit on node {}: expected at most {}, since {}",
                      detail::format_bytes(requested), node, detail::format_bytes(limit.bytes),
                      limit.reason));
    }
    const std::uint64_t bytes = std::min(plan.bytes, round_down(limit.bytes));
    if (bytes < std::min(kLeast, plan.bytes)) {
      plan.notes.push_back(fmt::format("node {} was left out: only {}", node, limit.reason));
      continue;
    }
    if (bytes < plan.bytes) {
      plan.notes.push_back(fmt::format("node {} was measured with {} instead of {}: only {}", node,
                                       detail::format_bytes(bytes),
                                       detail::format_bytes(plan.bytes), limit.reason));
    }
    plan.by_node[node] = bytes;
    plan.total_bytes += bytes;
    largest = std::max(largest, bytes);
  }
  plan.total_bytes += largest;
  return plan;
}

NodeBuffer::NodeBuffer(int node, std::uint64_t bytes, Pages pages, Touch touch)
    : node_(node),
      buffer_(alloc_on(node, bytes, {.pages = pages})),
      mark_(fmt::format("node {}", node), buffer_.data(), bytes) {
  if (touch == Touch::now) {
    detail::memory_write(buffer_.data(), bytes, 0, detail::Store::streaming);
  }
}

Whereabouts judge_pages(const Audit& audit, int node, bool alone) {
  if (alone) return {};
  if (audit.refusal != 0) {
    return {true, fmt::format("where its pages are is not known: move_pages returned {}",
                              detail::errno_name(audit.refusal))};
  }
  const std::size_t there = audit.on(node);
  if (there == audit.pages) return {};
  return {2 * there >= audit.pages,
          fmt::format("only {} of {} pages are on node {}", there, audit.pages, node)};
}

}  // namespace kinjo
