#include "command.hpp"

#include "report/json.hpp"
#include "report/machine_svg.hpp"
#include "report/machine_text.hpp"

namespace kinjo::cli {

namespace {

std::string render(const Topology& machine, Format format) {
  switch (format) {
    case Format::text:
      return machine_text(machine);
    case Format::json:
      return json_text(topology_json(machine));
    case Format::csv:
      return cpu_table(machine).to_csv();
    case Format::svg:
      return machine_svg(machine).file_text();
  }
  return {};
}

}  // namespace

void add_topo(CLI::App& app, int& status) {
  struct Options {
    MachineOption machine;
    Format format = Format::text;
    OutputOption output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("topo", "Show the machine");
  options->machine.add_to(*command);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv, Format::svg});
  options->output.add_to(*command);
  command->footer(
      "Examples: kinjo topo --input 'synthetic:pack:4 numa:1 core:8 pu:2'\n"
      "          kinjo topo --format svg --output machine.svg");
  command->callback([options, &status] {
    const Topology machine = options->machine.load();
    options->output.write(render(machine, options->format));
    status = kDone;
  });
}

}  // namespace kinjo::cli
