#include "command.hpp"

#include <array>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "report/json.hpp"
#include "report/machine_svg.hpp"
#include "report/mapping_text.hpp"

namespace kinjo::cli {

namespace {

std::string picture(const Topology& machine, const Mapping& mapping) {
  require_cpus(mapping);
  return mappings_svg(machine, std::array{mapping}).file_text();
}

std::string render(const Topology& machine, const Mapping& mapping, const std::string& format) {
  if (format == "text") return mapping_table(mapping).to_text();
  if (format == "csv") return mapping_table(mapping).to_csv();
  if (format == "json") return json_text(mapping_json(mapping));
  if (format == "svg") return picture(machine, mapping);
  if (const auto syntax = parse_placement_syntax(format)) return placement_text(mapping, *syntax);
  throw Error(Errc::invalid_argument,
              fmt::format("unknown format '{}': expected text, json, csv, svg, OMP_PLACES, "
                          "GOMP_CPU_AFFINITY, KMP_AFFINITY, taskset, numactl or srun",
                          format));
}

}  // namespace

void add_map(CLI::App& app, int& status) {
  struct Options {
    MachineOption machine;
    PlacementOptions placement;
    std::string format = "text";
    OutputOption output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("map", "Print which thread goes to which CPU");
  options->machine.add_to(*command);
  options->placement.add_to(*command);
  command
      ->add_option(
          "--format", options->format,
          "text, json, csv, svg, or as other programs want it: OMP_PLACES, GOMP_CPU_AFFINITY, "
          "KMP_AFFINITY, taskset, numactl, srun")
      ->capture_default_str();
  options->output.add_to(*command);
  command->footer("Example: env $(kinjo map --threads 8 --format OMP_PLACES) ./program");
  command->callback([options, &status] {
    const Topology machine = options->machine.load();
    const Mapping mapping = options->placement.mapping(machine);
    options->output.write(render(machine, mapping, options->format));
    if (mapping.binds() && mapping.rounds() > 1) {
      CpuSet cpus;
      for (const Place& place : mapping) cpus.insert(place.cpu);
      note(fmt::format("{} threads on {} CPU{}: the table deals {} in {} rounds", mapping.size(),
                       cpus.count(), cpus.count() == 1 ? "" : "s",
                       cpus.count() == 1 ? "it" : "them", mapping.rounds()));
    }
    status = kDone;
  });
}

}  // namespace kinjo::cli
