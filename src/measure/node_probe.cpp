/// For each CPU node i one thread, or all its threads, and for each memory node j a buffer: every
/// figure is taken of one pair while all else rests. Latencies come first, since what measures
/// bandwidth overwrites the buffers' chains.
#include "measure/node_probe.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <kinjo/team.hpp>

#include "measure/chase.hpp"
#include "measure/loaded_latency.hpp"
#include "measure/schedule.hpp"
#include "measure/traffic.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kFiguresOfAPair = 1 + 3 + 3 + 2;  // latency, one, all, first and second touch
constexpr std::size_t kFiguresTogether = 3;
constexpr std::size_t kFiguresOfAPoint = 3;
constexpr std::uint64_t kChaseTimesCache = 8;  // of one last-level cache: more says nothing new
constexpr std::uint64_t kLine = 64;
constexpr const char* kFillings[] = {"scatter", "compact"};

/// What the laboratory counts apart. Phases are literals, and the whole program's.
enum class Phase { local, remote, together, loaded };

template <class F>
auto in_phase(Phase phase, F&& f) {
  switch (phase) {
    case Phase::local: {
      KINJO_PHASE("local");
      return f();
    }
    case Phase::remote: {
      KINJO_PHASE("remote");
      return f();
    }
    case Phase::together: {
      KINJO_PHASE("together");
      return f();
    }
    case Phase::loaded:
      break;
  }
  KINJO_PHASE("loaded");
  return f();
}

Mapping pinned_to(const Topology& machine, const std::vector<int>& cpus) {
  return {machine, Policy::cpus(cpus), cpus.size()};
}

/// Part `part` of `parts` of a buffer, in whole lines. Copies go from its first half to its second.
TrafficPart part_of(Traffic traffic, const NodeBuffer& buffer, int part, int parts) {
  const std::size_t lines = buffer.size() / kLine / (traffic == Traffic::copy ? 2 : 1);
  const auto line_of = [&](int p) {
    return lines * static_cast<std::size_t>(p) / static_cast<std::size_t>(parts);
  };
  char* const from = static_cast<char*>(buffer.data()) + line_of(part) * kLine;
  return {.from = from,
          .to = traffic == Traffic::copy ? from + lines * kLine : from,
          .bytes = (line_of(part + 1) - line_of(part)) * kLine};
}

/// The buffer that each thread of a mapping works on, which it shares with the others of its node.
using Shares = std::vector<const NodeBuffer*>;

TrafficPlan traffic_plan(Traffic traffic, const Mapping& mapping, const Shares& shares) {
  TrafficPlan plan{.traffic = traffic, .store = detail::Store::streaming, .parts = {}};
  for (const Place& p : mapping) {
    plan.parts.push_back(part_of(traffic, *shares[static_cast<std::size_t>(p.thread)],
                                 p.rank_in_node, p.node_threads));
  }
  return plan;
}

/// The chain that a buffer begins with: long enough that a cache holds little of it.
std::size_t chain_bytes(const NodeBuffer& buffer, std::uint64_t one_cache) {
  return one_cache ? std::min(buffer.size(), kChaseTimesCache * one_cache) : buffer.size();
}

std::string threads_text(std::size_t threads) {
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

/// CPUs that load memory while `cpus.front()` measures: not its core's others, unless they are all.
std::vector<int> loading_cpus(const Topology& machine, const std::vector<int>& cpus) {
  const Cpu* first = machine.find_cpu(cpus.front());
  std::vector<int> others(cpus.begin() + 1, cpus.end()), loading;
  std::ranges::copy_if(others, std::back_inserter(loading), [&](int number) {
    const Cpu* cpu = machine.find_cpu(number);
    return cpu->package != first->package || cpu->core != first->core;
  });
  return loading.empty() ? others : loading;
}

class NodeProbe {
 public:
  NodeProbe(const Topology& machine, const NodeProbePlan& plan, const ProgressSink& progress)
      : machine_(machine),
        request_(plan.request),
        plan_(plan),
        progress_(progress),
        schedule_(plan.figures, plan.request.budget_seconds, plan.request.options) {}

  NodesProfile run() {
    profile_.pages = to_string(request_.options.pages);
    profile_.notes = plan_.buffers.notes;
    allocate();
    tell_sizes();
    if (request_.pairs) measure_pairs();
    if (request_.loaded) measure_loaded();
    if (request_.scaling) measure_scaling();
    return std::move(profile_);
  }

 private:
  struct Memory {
    std::unique_ptr<NodeBuffer> buffer;
    std::string warning;  ///< beside every figure of it
  };

  void allocate();
  void tell_sizes();
  void measure_pairs();
  void measure_latencies(int cpu_node, const std::vector<int>& cpus);
  void measure_bandwidths(int cpu_node, const std::vector<int>& cpus);
  void measure_first_touch(int cpu_node, const std::vector<int>& cpus);
  void measure_together();
  void measure_loaded();
  void measure_scaling();

  /// All three kinds of traffic by one team.
  Bandwidth measure_traffic(const Mapping& mapping, const Shares& shares, Phase phase,
                            const std::string& warning, const std::string& what);

  ProbeOptions next(const std::string& what, std::size_t figures = 1) {
    const ProbeOptions options = schedule_.next(figures);
    if (progress_) progress_({schedule_.done(), schedule_.total(), what});
    return options;
  }
  void note(std::string text) { profile_.notes.push_back(std::move(text)); }
  bool alone() const { return plan_.memory_nodes.size() == 1; }
  NodePairProfile& pair(int cpu_node, int memory_node);
  const Memory* memory_on(int node) const;
  std::optional<Shares> own_memory(const Mapping& mapping) const;

  const Topology& machine_;
  const NodeProbeRequest& request_;
  const NodeProbePlan& plan_;
  const ProgressSink& progress_;
  Schedule schedule_;
  NodesProfile profile_;
  std::vector<Memory> memory_;
};

void add_warning(Figure& figure, const std::string& warning) {
  if (!warning.empty()) figure.warning += (figure.warning.empty() ? "" : "; ") + warning;
}

void NodeProbe::allocate() {
  for (const auto& [node, bytes] : plan_.buffers.by_node) {
    auto buffer = std::make_unique<NodeBuffer>(node, bytes, request_.options.pages);
    const Whereabouts pages = judge_pages(buffer->buffer().audit(), node, alone());
    const std::string& size = buffer->buffer().pages().message;
    if (!size.empty()) note(fmt::format("node {}: {}", node, size));
    if (pages.usable) {
      memory_.push_back({std::move(buffer), pages.warning});
    } else {
      note(fmt::format("node {} was left out: {}", node, pages.warning));
    }
  }
}

/// What was taken, which is less than planned where memory is short.
void NodeProbe::tell_sizes() {
  if (memory_.empty()) return;
  const auto size = [](const Memory& memory) { return memory.buffer->size(); };
  const auto [least, most] = std::ranges::minmax_element(memory_, {}, size);
  profile_.buffer_bytes = size(*least);
  if (size(*most) > size(*least)) profile_.largest_buffer_bytes = size(*most);
}

NodePairProfile& NodeProbe::pair(int cpu_node, int memory_node) {
  return *std::ranges::find_if(profile_.pairs, [&](const NodePairProfile& p) {
    return p.cpu_node == cpu_node && p.memory_node == memory_node;
  });
}

const NodeProbe::Memory* NodeProbe::memory_on(int node) const {
  const auto found =
      std::ranges::find_if(memory_, [&](const Memory& m) { return m.buffer->node() == node; });
  return found == memory_.end() ? nullptr : &*found;
}

/// Each thread's own node's buffer; nothing if one has none.
std::optional<Shares> NodeProbe::own_memory(const Mapping& mapping) const {
  Shares shares;
  for (const Place& place : mapping) {
    const Memory* memory = memory_on(place.node);
    if (!memory) return std::nullopt;
    shares.push_back(memory->buffer.get());
  }
  return shares;
}

Bandwidth NodeProbe::measure_traffic(const Mapping& mapping, const Shares& shares, Phase phase,
                                     const std::string& warning, const std::string& what) {
  Team team(mapping);
  const auto measured = [&](Traffic traffic) {
    const TrafficPlan traffic_of_all = traffic_plan(traffic, mapping, shares);
    const ProbeOptions options = next(fmt::format("{}, {}", to_string(traffic), what));
    Figure figure =
        in_phase(phase, [&] { return measure_bandwidth(team, traffic_of_all, options); });
    add_warning(figure, warning);
    return figure;
  };
  Bandwidth bandwidth;
  bandwidth.read = measured(Traffic::read);
  bandwidth.write = measured(Traffic::write);
  bandwidth.copy = measured(Traffic::copy);
  return bandwidth;
}

void NodeProbe::measure_pairs() {
  for (int cpu_node : plan_.cpu_nodes) {
    for (const Memory& memory : memory_) {
      profile_.pairs.push_back({.cpu_node = cpu_node, .memory_node = memory.buffer->node()});
    }
  }
  using Part = void (NodeProbe::*)(int, const std::vector<int>&);
  for (Part part : {&NodeProbe::measure_latencies, &NodeProbe::measure_bandwidths,
                    &NodeProbe::measure_first_touch}) {
    for (int cpu_node : plan_.cpu_nodes) {
      (this->*part)(cpu_node, cpus_dealt_to(machine_, cpu_node));
    }
  }
  measure_together();
}

void NodeProbe::measure_latencies(int cpu_node, const std::vector<int>& cpus) {
  Team team(pinned_to(machine_, {cpus.front()}));
  const std::uint64_t one_cache = last_level_reach(machine_).one;
  for (const Memory& memory : memory_) {
    const NodeBuffer& buffer = *memory.buffer;
    const ProbeOptions options =
        next(fmt::format("latency, CPUs of node {}, memory of node {}", cpu_node, buffer.node()));
    const std::size_t lines = link_chase(buffer.data(), chain_bytes(buffer, one_cache));
    Figure figure = in_phase(cpu_node == buffer.node() ? Phase::local : Phase::remote,
                             [&] { return measure_latency(team, buffer.data(), lines, options); });
    add_warning(figure, memory.warning);
    pair(cpu_node, buffer.node()).latency_ns = figure;
  }
}

void NodeProbe::measure_bandwidths(int cpu_node, const std::vector<int>& cpus) {
  const Mapping one = pinned_to(machine_, {cpus.front()}), all = pinned_to(machine_, cpus);
  for (const Memory& memory : memory_) {
    const int node = memory.buffer->node();
    const Phase phase = cpu_node == node ? Phase::local : Phase::remote;
    NodePairProfile& result = pair(cpu_node, node);
    for (const Mapping* mapping : {&one, &all}) {
      const Shares shares(mapping->size(), memory.buffer.get());
      (mapping == &one ? result.one_thread : result.all_threads) =
          measure_traffic(*mapping, shares, phase, memory.warning,
                          fmt::format("{} of node {}, memory of node {}",
                                      threads_text(mapping->size()), cpu_node, node));
    }
  }
}

/// Each sample writes a fresh buffer twice: its pages come into being under the first pass.
void NodeProbe::measure_first_touch(int cpu_node, const std::vector<int>& cpus) {
  Team team(pinned_to(machine_, {cpus.front()}));
  for (const Memory& memory : memory_) {
    const int node = memory.buffer->node();
    const ProbeOptions options =
        next(fmt::format("first touch, CPUs of node {}, memory of node {}", cpu_node, node), 2);
    const double bytes = static_cast<double>(memory.buffer->size());
    std::vector<double> second;
    std::string warning;
    const auto sample = [&] {
      const NodeBuffer fresh(node, memory.buffer->size(), options.pages, NodeBuffer::Touch::later);
      const TrafficPlan plan{
          .traffic = Traffic::write,
          .store = detail::Store::streaming,
          .parts = {{.from = nullptr, .to = fresh.data(), .bytes = fresh.size()}}};
      const auto pass = [&] { return bytes / run_traffic(team, plan, 1) / 1e9; };
      const auto [first, again] = in_phase(cpu_node == node ? Phase::local : Phase::remote, [&] {
        const double untouched = pass();
        return std::pair(untouched, pass());
      });
      second.push_back(again);
      warning = judge_pages(fresh.buffer().audit(), node, alone()).warning;
      return first;
    };
    NodePairProfile& result = pair(cpu_node, node);
    result.first_touch = take_samples(options, "GB/s", sample);
    second.erase(second.begin());  // of the sample that is not counted
    result.second_pass = figure_of(second, "GB/s");
    add_warning(*result.first_touch, warning);
    add_warning(*result.second_pass, warning);
  }
}

void NodeProbe::measure_together() {
  std::vector<int> cpus;
  for (int node : plan_.cpu_nodes) {
    if (!memory_on(node)) continue;
    const auto dealt = cpus_dealt_to(machine_, node);
    cpus.insert(cpus.end(), dealt.begin(), dealt.end());
  }
  if (cpus.empty()) return note("no node has both CPUs and memory to measure with");
  const Mapping mapping = pinned_to(machine_, cpus);
  profile_.all_nodes_local =
      measure_traffic(mapping, *own_memory(mapping), Phase::together, "",
                      fmt::format("{} on their own nodes' memory", threads_text(cpus.size())));
}

void NodeProbe::measure_loaded() {
  const auto at = std::ranges::find_if(plan_.cpu_nodes, [&](int node) {
    return memory_on(node) && cpus_dealt_to(machine_, node).size() > 1;
  });
  if (at == plan_.cpu_nodes.end()) {
    return note("latency under load was left out: no node has two CPUs that may be used");
  }
  const Memory& memory = *memory_on(*at);
  std::vector<int> cpus = cpus_dealt_to(machine_, *at);
  std::vector<int> loading = loading_cpus(machine_, cpus);
  // Each has a request of its own at least, also of the smallest buffer.
  loading.resize(std::min(loading.size(), memory.buffer->size() / kRequestBytes));
  cpus.resize(1);
  cpus.insert(cpus.end(), loading.begin(), loading.end());
  const NodeBuffer load(*at, memory.buffer->size(), request_.options.pages);
  link_chase(memory.buffer->data(), chain_bytes(*memory.buffer, last_level_reach(machine_).one));
  Team team(pinned_to(machine_, cpus));
  for (std::size_t delay : loading_delays()) {
    const ProbeOptions options =
        next(fmt::format("latency under load, {} loading, {} cycles between requests",
                         threads_text(loading.size()), delay));
    const std::span bytes(static_cast<const std::byte*>(load.data()), load.size());
    LoadedPoint point = in_phase(Phase::loaded, [&] {
      return measure_loaded_latency(team, memory.buffer->data(), bytes, delay, options);
    });
    add_warning(point.latency_ns, memory.warning);
    profile_.loaded.push_back(std::move(point));
  }
}

void NodeProbe::measure_scaling() {
  const std::size_t most = machine_.allowed_cpus().count();
  for (const char* filling : kFillings) {
    for (std::size_t threads : scaling_threads(most)) {
      const Mapping mapping(machine_, Policy::parse(filling), threads);
      const auto shares = own_memory(mapping);
      if (!shares) {
        note(fmt::format("{} with {} was left out: some of its CPUs have no memory to measure with",
                         filling, threads_text(threads)));
        continue;
      }
      profile_.scaling.push_back(
          {.policy = filling,
           .threads = threads,
           .bandwidth = measure_traffic(mapping, *shares, Phase::together, "",
                                        fmt::format("{}, {}", filling, threads_text(threads)))});
    }
  }
}

}  // namespace

NodeProbePlan plan_node_probe(const Topology& machine, const NodeProbeRequest& request) {
  NodeProbePlan plan{
      .request = request,
      .buffers = plan_node_buffers(machine, request.buffer_bytes, node_memory_state(machine)),
      .cpu_nodes = measurable_cpu_nodes(machine),
      .memory_nodes = measurable_memory_nodes(machine)};
  const std::size_t pairs = plan.cpu_nodes.size() * plan.buffers.by_node.size();
  const std::size_t points =
      scaling_threads(machine.allowed_cpus().count()).size() * std::size(kFillings);
  if (request.pairs) plan.figures += pairs * kFiguresOfAPair + kFiguresTogether;
  if (request.loaded) plan.figures += loading_delays().size();
  if (request.scaling) plan.figures += points * kFiguresOfAPoint;
  return plan;
}

double node_probe_seconds(const NodeProbePlan& plan) {
  // A figure's samples, with some for what comes before they are taken.
  const ProbeOptions& options = plan.request.options;
  const double figure = std::max(options.budget_seconds,
                                 static_cast<double>(options.samples) * options.sample_seconds);
  constexpr double kBeside = 1.3;
  const double all = kBeside * figure * static_cast<double>(plan.figures);
  return std::min(all, plan.request.budget_seconds);
}

NodesProfile probe_nodes(const Topology& machine, const NodeProbePlan& plan,
                         const ProgressSink& progress) {
  return NodeProbe(machine, plan, progress).run();
}

std::vector<std::size_t> scaling_threads(std::size_t most) {
  std::vector<std::size_t> counts;
  for (std::size_t n = 1; n < most; n *= 2) {
    counts.push_back(n);
    const std::size_t between = n + n / 2;
    if (n > 1 && between < most) counts.push_back(between);
  }
  counts.push_back(most);
  return counts;
}

const std::vector<std::size_t>& loading_delays() {
  static const std::vector<std::size_t> delays = {0,    50,   100,  200,  300,   500,  700,
                                                  1000, 1500, 2500, 5000, 10000, 20000};
  return delays;
}

}  // namespace kinjo
