#include "report/roofline_model.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/axes.hpp"
#include "report/configuration.hpp"

namespace kinjo {

namespace {

const char* name_of(Roof::Threads threads) {
  return threads == Roof::Threads::one ? "one thread" : "all threads";
}

void add_peak(std::vector<Roof>& roofs, const std::optional<Figure>& figure,
              Roof::Threads threads) {
  if (!figure || figure->summary.median <= 0) return;
  roofs.push_back({.kind = Roof::Kind::peak,
                   .threads = threads,
                   .name = "peak",
                   .value = figure->summary.median});
}

/// The highest of read, write and copy; nothing without any.
std::optional<Roof> best_roof(const Bandwidth& bandwidth) {
  std::optional<Roof> best;
  const auto look = [&](const std::optional<Figure>& figure, const char* what) {
    if (!figure || figure->summary.median <= (best ? best->value : 0)) return;
    best = Roof{.kind = Roof::Kind::bandwidth, .what = what, .value = figure->summary.median};
  };
  look(bandwidth.read, "read");
  look(bandwidth.write, "write");
  look(bandwidth.copy, "copy");
  return best;
}

void add_bandwidth(std::vector<Roof>& roofs, std::optional<Roof> roof, const std::string& name,
                   Roof::Threads threads) {
  if (!roof) return;
  roof->name = name;
  roof->threads = threads;
  roofs.push_back(*roof);
}

std::optional<Roof> best_local(const NodesProfile& nodes, Bandwidth NodePairProfile::*bandwidth) {
  std::optional<Roof> best;
  for (const NodePairProfile& pair : nodes.pairs) {
    if (pair.cpu_node != pair.memory_node) continue;
    const auto roof = best_roof(pair.*bandwidth);
    if (roof && (!best || roof->value > best->value)) best = roof;
  }
  return best;
}

/// `dot of 48K`, where a record is of one kernel.
std::optional<std::string> kernel_name(const Record& record) {
  const auto kernel = kernel_size_of(record);
  if (!kernel) return std::nullopt;
  if (record.workload != "gemm") {
    return fmt::format("{} of {}", kernel->kernel, detail::format_count(kernel->size));
  }
  return fmt::format("{} by {}", *value_text_of(record.parameters, "size"),
                     value_text_of(record.parameters, "plan").value_or(""));
}

/// What a metric's median is in GFLOP/s; 0 in other units than those of operations and bytes.
double gflops_of(const Metric& metric) {
  const double scale = metric.unit == "GB/s"      ? metric.flops_per_byte
                       : metric.unit == "GFLOP/s" ? 1
                       : metric.unit == "MFLOP/s" ? 1e-3
                                                  : 0;
  return scale * summarize(metric.samples).median;
}

}  // namespace

std::vector<Roof> roofs_of(const MachineProfile& profile) {
  std::vector<Roof> roofs;
  if (profile.clock) {
    const auto& [one, all] =
        std::tie(profile.clock->peak_gflops_one, profile.clock->peak_gflops_all);
    add_peak(roofs, one, Roof::Threads::one);
    // All threads do not do less than one, unless others had the CPUs: that is no limit.
    if (!one || !all || all->summary.median >= one->summary.median) {
      add_peak(roofs, all, Roof::Threads::all);
    }
  }
  for (const CacheProfile& cache : profile.caches) {
    const std::string name = fmt::format("L{}", cache.level);
    add_bandwidth(roofs, best_roof(cache.one_thread), name, Roof::Threads::one);
    add_bandwidth(roofs, best_roof(cache.all_threads), name, Roof::Threads::all);
  }
  if (profile.nodes) {
    const NodesProfile& nodes = *profile.nodes;
    const auto together = best_roof(nodes.all_nodes_local);
    add_bandwidth(roofs, best_local(nodes, &NodePairProfile::one_thread), "memory",
                  Roof::Threads::one);
    add_bandwidth(roofs, together ? together : best_local(nodes, &NodePairProfile::all_threads),
                  "memory", Roof::Threads::all);
  }
  return roofs;
}

std::vector<RooflinePoint> roofline_points(std::span<const Record> records) {
  std::vector<RooflinePoint> points;
  for (const Record& record : records) {
    if (!record.verified.value_or(true)) continue;
    for (const Metric& metric : record.metrics) {
      if (metric.flops_per_byte <= 0 || metric.samples.empty()) continue;
      const double gflops = gflops_of(metric);
      if (gflops <= 0) continue;
      points.push_back({.workload = record.workload,
                        .metric = kernel_name(record).value_or(metric.name),
                        .policy = record.policy,
                        .threads = record.threads,
                        .flops_per_byte = metric.flops_per_byte,
                        .gflops = gflops});
    }
  }
  return points;
}

std::optional<double> attainable_gflops(std::span<const Roof> roofs, double flops_per_byte,
                                        std::size_t threads) {
  const auto wanted = threads == 1 ? Roof::Threads::one : Roof::Threads::all;
  std::optional<double> least;
  for (const Roof& roof : roofs) {
    if (roof.threads != wanted) continue;
    if (roof.kind == Roof::Kind::bandwidth && roof.name != "memory") continue;
    const double bound = roof.kind == Roof::Kind::peak ? roof.value : roof.value * flops_per_byte;
    least = std::min(least.value_or(bound), bound);
  }
  return least;
}

Table roofs_table(std::span<const Roof> roofs) {
  Table table({"bound", "threads", "measured as", "value", "unit"});
  for (const Roof& roof : roofs) {
    const bool peak = roof.kind == Roof::Kind::peak;
    table.add({roof.name, name_of(roof.threads), peak ? "fused multiply-adds" : roof.what,
               short_number(roof.value), peak ? "GFLOP/s" : "GB/s"});
  }
  return table;
}

Table roofline_table(std::span<const Roof> roofs, std::span<const RooflinePoint> points) {
  Table table({"workload", "metric", "policy", "threads", "FLOP/byte", "GFLOP/s", "bound",
               "share of bound"});
  for (const RooflinePoint& point : points) {
    const auto bound = attainable_gflops(roofs, point.flops_per_byte, point.threads);
    table.add({point.workload, point.metric, point.policy, std::to_string(point.threads),
               short_number(point.flops_per_byte), short_number(point.gflops),
               bound ? short_number(*bound) : "-",
               bound ? fmt::format("{:.1f} %", 100 * point.gflops / *bound) : "-"});
  }
  return table;
}

}  // namespace kinjo
