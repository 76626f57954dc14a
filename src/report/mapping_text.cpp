#include "report/mapping_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

namespace kinjo {

namespace {

struct Name {
  const char* text;
  PlacementSyntax syntax;
};
constexpr Name kNames[] = {{"omp_places", PlacementSyntax::omp_places},
                           {"gomp_cpu_affinity", PlacementSyntax::gomp_cpu_affinity},
                           {"kmp_affinity", PlacementSyntax::kmp_affinity},
                           {"taskset", PlacementSyntax::taskset},
                           {"numactl", PlacementSyntax::numactl},
                           {"srun", PlacementSyntax::srun}};

std::string number(int value) { return value < 0 ? "-" : std::to_string(value); }

}  // namespace

Table mapping_table(const Mapping& mapping) {
  Table table({"thread", "cpu", "node", "package", "core", "smt", "rank_in_node", "node_threads"});
  for (const Place& p : mapping) {
    table.add({number(p.thread), number(p.cpu), number(p.node), number(p.package), number(p.core),
               number(p.smt), number(p.rank_in_node), number(p.node_threads)});
  }
  return table;
}

std::optional<PlacementSyntax> parse_placement_syntax(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const Name& name : kNames) {
    if (lower == name.text) return name.syntax;
  }
  return std::nullopt;
}

void require_cpus(const Mapping& mapping) {
  if (mapping.binds()) return;
  throw Error(Errc::invalid_argument,
              "policy none names no CPUs: expected scatter, compact, compact-plus, an order or a "
              "list for this format");
}

std::string placement_text(const Mapping& mapping, PlacementSyntax syntax) {
  require_cpus(mapping);
  std::vector<int> cpus;
  NodeSet nodes;
  for (const Place& place : mapping) {
    cpus.push_back(place.cpu);
    if (place.node >= 0) nodes.insert(place.node);
  }
  const std::string list = fmt::format("{}", fmt::join(cpus, ","));
  const std::string threads = fmt::format("OMP_NUM_THREADS={}\n", cpus.size());
  switch (syntax) {
    case PlacementSyntax::omp_places:
      return fmt::format("{}OMP_PLACES={{{}}}\nOMP_PROC_BIND=close\n", threads,
                         fmt::join(cpus, "},{"));
    case PlacementSyntax::gomp_cpu_affinity:
      return fmt::format("{}GOMP_CPU_AFFINITY={}\n", threads, list);
    case PlacementSyntax::kmp_affinity:
      return fmt::format("{}KMP_AFFINITY=granularity=fine,proclist=[{}],explicit\n", threads, list);
    case PlacementSyntax::taskset:
      return fmt::format("taskset --cpu-list {}\n", list);
    case PlacementSyntax::numactl:
      return nodes.empty()
                 ? fmt::format("numactl --physcpubind={}\n", list)
                 : fmt::format("numactl --physcpubind={} --membind={}\n", list, nodes.to_string());
    case PlacementSyntax::srun:
      return fmt::format("srun --ntasks={} --cpus-per-task=1 --cpu-bind=map_cpu:{}\n", cpus.size(),
                         list);
  }
  return {};
}

}  // namespace kinjo
