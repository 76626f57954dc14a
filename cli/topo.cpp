#include "command.hpp"

#include "report/json.hpp"
#include "report/machine_text.hpp"

namespace kinjo::cli {

void add_topo(CLI::App& app, int& status) {
  struct Options {
    MachineOption machine;
    Format format = Format::text;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("topo", "Show the machine");
  options->machine.add_to(*command);
  add_format(*command, options->format, {Format::text, Format::json});
  command->footer("Example: kinjo topo --input 'synthetic:pack:4 numa:1 core:8 pu:2'");
  command->callback([options, &status] {
    const Topology machine = options->machine.load();
    print(options->format == Format::json ? topology_json(machine).dump(2) + '\n'
                                          : machine_text(machine));
    status = kDone;
  });
}

}  // namespace kinjo::cli
