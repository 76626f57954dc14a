#include "report/figure_list.hpp"

namespace kinjo {

namespace {

class Lister {
 public:
  std::vector<ListedFigure> run(const MachineProfile& profile) {
    if (profile.clock) add_clock(*profile.clock);
    for (const CacheProfile& cache : profile.caches) add_cache(cache);
    if (profile.nodes) add_nodes(*profile.nodes);
    return std::move(list_);
  }

 private:
  void add(ListedFigure like, const char* quantity, const Figure& figure) {
    if (figure.summary.count == 0) return;
    like.quantity = quantity;
    like.figure = &figure;
    list_.push_back(std::move(like));
  }
  void add(const ListedFigure& like, const char* quantity, const std::optional<Figure>& figure) {
    if (figure) add(like, quantity, *figure);
  }
  void add(const ListedFigure& like, const Bandwidth& bandwidth) {
    add(like, "read", bandwidth.read);
    add(like, "write", bandwidth.write);
    add(like, "copy", bandwidth.copy);
  }

  void add_clock(const ClockProfile& clock) {
    ListedFigure like{.section = "clock", .threads = "one"};
    add(like, "frequency", clock.frequency_hz);
    add(like, "reading", clock.read_ns);
    for (const OperationLatency& latency : clock.latencies) {
      add(like, (latency.form + "_" + latency.operation).c_str(), latency.cycles);
    }
    add(like, "core_frequency", clock.core_frequency_hz);
    add(like, "peak", clock.peak_gflops_one);
    like.threads = "all";
    add(like, "peak", clock.peak_gflops_all);
  }

  void add_cache(const CacheProfile& cache) {
    ListedFigure like{.section = "caches", .threads = "one", .level = cache.level};
    add(like, "latency", cache.latency_ns);
    add(like, cache.one_thread);
    like.threads = "all";
    add(like, cache.all_threads);
  }

  void add_nodes(const NodesProfile& nodes) {
    for (const NodePairProfile& pair : nodes.pairs) {
      ListedFigure like{.section = "nodes",
                        .threads = "one",
                        .cpu_node = pair.cpu_node,
                        .memory_node = pair.memory_node};
      add(like, "latency", pair.latency_ns);
      add(like, pair.one_thread);
      add(like, "first_touch", pair.first_touch);
      add(like, "second_pass", pair.second_pass);
      like.threads = "all";
      add(like, pair.all_threads);
    }
    add({.section = "nodes", .threads = "all"}, nodes.all_nodes_local);
    for (const LoadedPoint& point : nodes.loaded) {
      const ListedFigure like{.section = "loaded", .delay_cycles = point.delay_cycles};
      add(like, "latency", point.latency_ns);
      add(like, "bandwidth", point.bandwidth);
    }
    for (const ScalingPoint& point : nodes.scaling) {
      add({.section = "scaling", .threads = std::to_string(point.threads), .policy = point.policy},
          point.bandwidth);
    }
  }

  std::vector<ListedFigure> list_;
};

}  // namespace

std::vector<ListedFigure> list_figures(const MachineProfile& profile) {
  return Lister().run(profile);
}

}  // namespace kinjo
