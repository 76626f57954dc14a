#include "report/profile_text.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/figure_list.hpp"

namespace kinjo {

namespace {

/// Three or four digits that count.
std::string number_text(double value) {
  const int decimals = value < 100 ? 2 : value < 1000 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

/// Nothing where one sample is all that there is.
std::string spread_text(const Summary& s) {
  if (s.median == 0 || s.count < 2) return "";
  const double half = std::max(s.high - s.median, s.median - s.low) / s.median;
  return fmt::format(" ±{:.{}f} %", 100 * half, half < 0.0995 ? 1 : 0);
}

/// Writes cells, and numbers the warnings that they have.
class Cells {
 public:
  std::string of(const Figure& figure, double unit = 1) {
    const Summary& s = figure.summary;
    std::string text =
        fmt::format("{}{} ({})", number_text(s.median / unit), spread_text(s), s.count);
    if (!figure.warning.empty()) text += fmt::format(" [{}]", mark(figure.warning));
    return text;
  }
  std::string of(const std::optional<Figure>& figure) { return figure ? of(*figure) : "-"; }

  std::string footnotes() const {
    std::string text;
    for (std::size_t n = 0; n < warnings_.size(); ++n) {
      text += fmt::format("[{}] {}\n", n + 1, detail::printable(warnings_[n]));
    }
    return text.empty() ? text : '\n' + text;
  }

 private:
  std::size_t mark(const std::string& warning) {
    auto at = std::ranges::find(warnings_, warning);
    if (at == warnings_.end()) at = warnings_.insert(at, warning);
    return static_cast<std::size_t>(at - warnings_.begin()) + 1;
  }

  std::vector<std::string> warnings_;
};

std::string heading(const MachineProfile& profile) {
  std::string text =
      detail::printable(fmt::format("{}: {}, {} CPU{}, measured {}", profile.machine,
                                    profile.model.empty() ? "unknown processor" : profile.model,
                                    profile.cpus, profile.cpus == 1 ? "" : "s", profile.measured));
  text += fmt::format(
      "\nmedian ± the further of its 95 % bounds (samples); with fewer than {} samples the further "
      "extreme\n",
      kLeastSamples);
  for (const std::string& warning : profile.warnings) {
    text += "warning: " + detail::printable(warning) + '\n';
  }
  return text;
}

std::string clock_text(const ClockProfile& clock, Cells& cells) {
  std::string text = fmt::format("\nclock: {}, {}, {}", clock.counter,
                                 clock.invariant ? "invariant" : "NOT invariant",
                                 !clock.disagreement_ns ? "not compared between CPUs"
                                 : clock.agrees         ? "agrees between CPUs"
                                                        : "DISAGREES between CPUs");
  if (clock.disagreement_ns) {
    text += fmt::format(" (largest offset seen: {:.0f} ns)", *clock.disagreement_ns);
  }
  Table table({"quantity", "value", "unit"});
  table.add({"counter's frequency", cells.of(clock.frequency_hz, 1e6), "MHz"});
  table.add({"its calibration's error", fmt::format("{:.3g}", clock.frequency_error_ppm), "ppm"});
  table.add({"reading it", cells.of(clock.read_ns), "ns"});
  table.add({"core's frequency under load", cells.of(clock.core_frequency_hz, 1e6), "MHz"});
  for (const OperationLatency& latency : clock.latencies) {
    table.add({fmt::format("dependent {} {}", latency.form, latency.operation),
               cells.of(latency.cycles), "cycles"});
  }
  if (clock.peak_gflops_one) {
    table.add({"peak, one thread", cells.of(clock.peak_gflops_one), "GFLOP/s"});
  }
  if (clock.peak_gflops_all) {
    table.add({"peak, all CPUs", cells.of(clock.peak_gflops_all), "GFLOP/s"});
  }
  return text + '\n' + table.to_text();
}

std::string caches_text(const std::vector<CacheProfile>& caches, Cells& cells) {
  Table table(
      {"level", "size", "working set", "CPUs", "latency, ns", "threads", "read", "write", "copy"});
  for (const CacheProfile& cache : caches) {
    const auto add = [&](const std::string& threads, const std::string& latency,
                         const Bandwidth& b) {
      table.add({fmt::format("L{}", cache.level), detail::format_bytes(cache.size_bytes),
                 detail::format_bytes(cache.working_set_bytes), cache.cpus.to_string(), latency,
                 threads, cells.of(b.read), cells.of(b.write), cells.of(b.copy)});
    };
    add("1", cells.of(cache.latency_ns), cache.one_thread);
    if (cache.cpus.count() > 1) {
      add(std::to_string(cache.cpus.count()), "", cache.all_threads);
    }
  }
  return "\ncaches: bandwidth in GB/s\n" + table.to_text();
}

/// A quantity of a pair of nodes, as one cell; empty where the pair has none.
struct PairQuantity {
  const char* name;
  std::string (*cell)(const NodePairProfile& pair, Cells& cells);
};

std::string cell_of(const std::optional<Figure>& figure, Cells& cells) {
  return figure ? cells.of(*figure) : "";
}

/// In the order in which people ask: latency first, beside what the firmware says of it.
constexpr PairQuantity kPairQuantities[] = {
    {"idle latency, ns", [](const auto& p, Cells& c) { return cell_of(p.latency_ns, c); }},
    {"firmware's distance",
     [](const auto& p, Cells&) { return p.distance ? std::to_string(*p.distance) : ""; }},
    {"firmware's latency, ns",
     [](const auto& p, Cells&) {
       return p.hmat_latency_ns ? number_text(*p.hmat_latency_ns) : "";
     }},
    {"read, 1 thread", [](const auto& p, Cells& c) { return cell_of(p.one_thread.read, c); }},
    {"write, 1 thread", [](const auto& p, Cells& c) { return cell_of(p.one_thread.write, c); }},
    {"copy, 1 thread", [](const auto& p, Cells& c) { return cell_of(p.one_thread.copy, c); }},
    {"read, all threads", [](const auto& p, Cells& c) { return cell_of(p.all_threads.read, c); }},
    {"write, all threads", [](const auto& p, Cells& c) { return cell_of(p.all_threads.write, c); }},
    {"copy, all threads", [](const auto& p, Cells& c) { return cell_of(p.all_threads.copy, c); }},
    {"firmware's read",
     [](const auto& p, Cells&) {
       return p.hmat_read_mb_s ? number_text(*p.hmat_read_mb_s / 1e3) : "";
     }},
    {"firmware's write",
     [](const auto& p, Cells&) {
       return p.hmat_write_mb_s ? number_text(*p.hmat_write_mb_s / 1e3) : "";
     }},
    {"write, first touch", [](const auto& p, Cells& c) { return cell_of(p.first_touch, c); }},
    {"write, second pass", [](const auto& p, Cells& c) { return cell_of(p.second_pass, c); }},
};

std::set<int> numbers(const NodesProfile& nodes, int NodePairProfile::*which) {
  std::set<int> found;
  for (const NodePairProfile& pair : nodes.pairs) found.insert(pair.*which);
  return found;
}

/// One row for each quantity and node of CPUs, one column for each node of memory.
std::string pairs_text(const NodesProfile& nodes, Cells& cells) {
  const auto columns = numbers(nodes, &NodePairProfile::memory_node);
  std::vector<std::string> header{"quantity", "CPUs of"};
  for (int node : columns) header.push_back(fmt::format("memory of node {}", node));
  Table table(header);
  for (const PairQuantity& quantity : kPairQuantities) {
    for (int cpu_node : numbers(nodes, &NodePairProfile::cpu_node)) {
      std::vector<std::string> row{quantity.name, fmt::format("node {}", cpu_node)};
      bool any = false;
      for (const NodePairProfile& pair : nodes.pairs) {
        if (pair.cpu_node != cpu_node) continue;
        const std::string cell = quantity.cell(pair, cells);
        any |= !cell.empty();
        row.push_back(cell.empty() ? "-" : cell);
      }
      row.resize(header.size(), "-");
      if (any) table.add(std::move(row));
    }
  }
  return "\nnodes: bandwidth in GB/s\n" + table.to_text();
}

std::string together_text(const Bandwidth& bandwidth, Cells& cells) {
  if (!bandwidth.read && !bandwidth.write && !bandwidth.copy) return "";
  Table table({"all nodes at once", "read", "write", "copy"});
  table.add({"each on its own memory", cells.of(bandwidth.read), cells.of(bandwidth.write),
             cells.of(bandwidth.copy)});
  return '\n' + table.to_text();
}

std::string loaded_text(const std::vector<LoadedPoint>& points, Cells& cells) {
  Table table({"cycles between requests", "bandwidth, GB/s", "latency, ns"});
  for (const LoadedPoint& point : points) {
    table.add({fmt::format("{:.0f}", point.delay_cycles), cells.of(point.bandwidth),
               cells.of(point.latency_ns)});
  }
  return "\nlatency under load\n" + table.to_text();
}

std::string scaling_text(const std::vector<ScalingPoint>& points, Cells& cells) {
  Table table({"policy", "threads", "read", "write", "copy"});
  for (const ScalingPoint& point : points) {
    table.add({point.policy, std::to_string(point.threads), cells.of(point.bandwidth.read),
               cells.of(point.bandwidth.write), cells.of(point.bandwidth.copy)});
  }
  return "\nbandwidth in GB/s by number of threads, each on its own node's memory\n" +
         table.to_text();
}

std::string nodes_text(const NodesProfile& nodes, Cells& cells) {
  std::string text;
  if (!nodes.pairs.empty()) text += pairs_text(nodes, cells);
  text += together_text(nodes.all_nodes_local, cells);
  if (!nodes.loaded.empty()) text += loaded_text(nodes.loaded, cells);
  if (!nodes.scaling.empty()) text += scaling_text(nodes.scaling, cells);
  const auto& largest = nodes.largest_buffer_bytes;
  text += fmt::format("\nbuffers of {}{} on each node, {} pages\n",
                      detail::format_bytes(nodes.buffer_bytes),
                      largest ? " to " + detail::format_bytes(*largest) : "", nodes.pages);
  for (const std::string& note : nodes.notes) text += "note: " + detail::printable(note) + '\n';
  for (const std::string& contradiction : nodes.contradictions) {
    text += "contradiction: " + detail::printable(contradiction) + '\n';
  }
  return text;
}

template <class T>
std::string cell(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string profile_text(const MachineProfile& profile) {
  Cells cells;
  std::string text = heading(profile);
  if (profile.clock) text += clock_text(*profile.clock, cells);
  if (!profile.caches.empty()) text += caches_text(profile.caches, cells);
  if (profile.nodes) text += nodes_text(*profile.nodes, cells);
  return text + cells.footnotes();
}

Table profile_table(const MachineProfile& profile) {
  Table table({"section", "quantity", "threads", "policy", "cpu_node", "memory_node", "level",
               "delay_cycles", "unit", "median", "low", "high", "min", "max", "samples",
               "warning"});
  for (const ListedFigure& l : list_figures(profile)) {
    const Summary& s = l.figure->summary;
    table.add({l.section, l.quantity, l.threads, l.policy, cell(l.cpu_node), cell(l.memory_node),
               cell(l.level), cell(l.delay_cycles), l.figure->unit, fmt::format("{}", s.median),
               fmt::format("{}", s.low), fmt::format("{}", s.high), fmt::format("{}", s.min),
               fmt::format("{}", s.max), std::to_string(s.count), l.figure->warning});
  }
  return table;
}

}  // namespace kinjo
