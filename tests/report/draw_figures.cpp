// Writes figures of samples into a directory, for a test that reads them as XML, and for people who
// want to look at them: draw_figures DIRECTORY

#include <cstdio>
#include <fstream>

#include <kinjo/mapping.hpp>

#include "figure_samples.hpp"
#include "report/heat_map.hpp"
#include "report/machine_svg.hpp"
#include "report/roofline.hpp"
#include "report/timeline.hpp"

namespace kinjo {
namespace {

std::string g_directory;

void save(const std::string& name, const Svg& svg) {
  std::ofstream(g_directory + "/" + name + ".svg") << svg.file_text();
}

void draw_heat_maps() {
  for (int nodes : {1, 2, 4, 8, 16, 64}) {
    for (const NodeMatrix& matrix : node_matrices(test::ring_of_nodes(nodes))) {
      save("heat_map_" + std::to_string(nodes) + "_" + matrix.title.substr(0, 4),
           heat_map_svg(matrix));
    }
  }
  NodesProfile gaps = test::ring_of_nodes(4);
  gaps.pairs[3].latency_ns.reset();
  gaps.pairs[6].latency_ns->warning =
      "a virtual machine: its firmware's <view> & the clock may lie";
  save("heat_map_gaps", heat_map_svg(node_matrices(gaps)[0]));
}

void draw_roofline(const std::string& name, const MachineProfile& profile,
                   const std::vector<Record>& records) {
  const auto svg = roofline_svg(roofs_of(profile), roofline_points(records));
  if (svg) save("roofline_" + name, *svg);
}

void draw_rooflines() {
  const MachineProfile full = test::server_profile();
  draw_roofline("full", full, test::sample_records());
  draw_roofline("no_points", full, {});
  draw_roofline("no_profile", {}, test::sample_records());
  MachineProfile no_peak = full;
  no_peak.clock.reset();
  draw_roofline("no_peak", no_peak, test::sample_records());
  MachineProfile peak_alone;
  peak_alone.clock = full.clock;
  draw_roofline("peak_alone", peak_alone, test::sample_records());
}

void draw_mappings() {
  const Topology machine = Topology::from("synthetic:pack:2 [numa] l3:2 core:4 pu:2");
  std::vector<Mapping> mappings;
  for (const char* policy : {"scatter", "compact", "compact-plus", "cpus:0-3"}) {
    mappings.emplace_back(machine, Policy::parse(policy), 10, Oversubscribe::wrap);
  }
  save("mappings_order", mappings_svg(machine, mappings));
  save("mappings_node", mappings_svg(machine, mappings, ThreadColour::node));
}

/// Waits of so many cells: steps of a product, the later ones longer.
Timeline timeline(const std::string& name, std::size_t cells) {
  using For = comm::Wait::For;
  Timeline run{.name = name, .seconds = 0.05, .cells = {}};
  for (std::size_t c = 0; c < cells; ++c) {
    std::vector<comm::Wait> waits;
    for (std::int64_t step = 0; step < 8; ++step) {
      const std::int64_t begin = step * 6'000'000 + static_cast<std::int64_t>(c) * 150'000;
      waits.push_back({For::flag, begin, begin + 200'000 * step});
      waits.push_back({For::barrier, begin + 4'000'000, begin + 5'000'000 + 100'000 * step});
    }
    run.cells.push_back(waits);
  }
  return run;
}

void draw_timelines() {
  save("timeline_forms", timeline_svg("Who waits when", {timeline("put", 4), timeline("send", 4)}));
  save("timeline_many", timeline_svg("Who waits when", {timeline("put", 100)}));
  save("timeline_one", timeline_svg("Who waits when", {timeline("direct", 1)}));
}

}  // namespace
}  // namespace kinjo

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: draw_figures DIRECTORY\n", stderr);
    return 2;
  }
  kinjo::g_directory = arguments[1];
  kinjo::draw_heat_maps();
  kinjo::draw_rooflines();
  kinjo::draw_mappings();
  kinjo::draw_timelines();
  return 0;
}
