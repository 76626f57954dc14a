#include <kinjo/error.hpp>

#include "command.hpp"
#include "report/check_text.hpp"
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

std::string render(const detail::CrossCheck& check, Format format) {
  switch (format) {
    case Format::text:
      return check_text(check);
    case Format::json:
      return json_text(check_json(check));
    case Format::csv:
      return check_table(check).to_csv();
    case Format::svg:
      throw Error(Errc::invalid_argument,
                  "--check has no picture: expected --format text, json or csv");
  }
  return {};
}

constexpr const char* kFooter =
    "Example: kinjo topo --input 'synthetic:pack:4 numa:1 core:8 pu:2'\n"
    "Example: kinjo topo --format svg --output machine.svg\n"
    "Example: kinjo topo --check     (status 1 if a source disagrees with hwloc)";

}  // namespace

void add_topo(CLI::App& app, int& status) {
  struct Options {
    MachineOption machine;
    Format format = Format::text;
    OutputOption output;
    bool check = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("topo", "Show the machine");
  options->machine.add_to(*command);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv, Format::svg});
  options->output.add_to(*command);
  command->add_flag("--check", options->check,
                    "compare hwloc with /proc/cpuinfo, /sys/devices/system and CPUID's APIC ids");
  command->footer(kFooter);
  command->callback([options, &status] {
    if (options->check) {
      const auto check = detail::cross_check(options->machine.input);
      options->output.write(render(check, options->format));
      status = check.agrees() ? kDone : kBadResult;
      return;
    }
    const Topology machine = options->machine.load();
    options->output.write(render(machine, options->format));
    status = kDone;
  });
}

}  // namespace kinjo::cli
