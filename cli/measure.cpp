#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "machine_profile.hpp"
#include "report/profile_file.hpp"
#include "report/profile_json.hpp"
#include "report/profile_text.hpp"

namespace kinjo::cli {

namespace {

struct Options : ProfileRequest {
  std::string output;
  bool no_cache = false;
  Format format = Format::text;
};

std::string render(const MachineProfile& profile, Format format) {
  switch (format) {
    case Format::text:
      return profile_text(profile);
    case Format::json:
      return json_text(profile_json(profile));
    case Format::csv:
      return profile_table(profile).to_csv();
    case Format::svg:
      break;  // not among this command's formats
  }
  return {};
}

/// For the commands that read it again. What cannot be kept is still printed.
void keep(const MachineProfile& profile, const Options& options, const ProfilePlan& plan) {
  if (options.no_cache || !options.output.empty()) return;
  if (!options.whole()) {
    return note(
        "only a profile with all sections is kept for other commands: --output FILE keeps "
        "this one");
  }
  if (plan.nodes->buffers.bytes < plan.nodes->buffers.rule_bytes) {
    return note(fmt::format(
        "only a profile with buffers of at least {} on each node is kept for other commands, as "
        "smaller ones measure caches: --output FILE keeps this one",
        detail::format_bytes(plan.nodes->buffers.rule_bytes)));
  }
  keep_for_others(profile);
}

int run(const Options& options) {
  if (!options.output.empty()) detail::check_writable(options.output);
  const Topology& machine = Topology::this_machine();
  const ProfilePlan plan = plan_profile(options, machine);
  const MachineProfile profile = measure_machine(plan, machine);
  // Files first: who reads the text may have gone.
  if (!options.output.empty()) write_profile(profile, options.output);
  keep(profile, options, plan);
  print(render(profile, options.format));
  return kDone;
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("section", options.sections,
                     "clock, caches, nodes, loaded (latency under load), scaling (bandwidth by "
                     "number of threads); default: all");
  add_repeat(command, options.repeat, "samples of each figure, at least");
  command
      .add_option("--budget", options.budget_seconds,
                  "seconds to aim at: figures of nodes get fewer samples where it is short")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command
      .add_option("--buffer", options.buffer,
                  "memory to measure with on each node, e.g. 1G; default: four times the caches")
      ->check(not_empty("bytes"))
      ->type_name("BYTES");
  command
      .add_option("--pages", options.pages,
                  "normal, transparent (huge pages), or huge (of the system's pool)")
      ->check(CLI::IsMember({"normal", "transparent", "huge"}))
      ->capture_default_str();
  command
      .add_option("-o,--output", options.output,
                  "write the profile (JSON) there instead of keeping it")
      ->check(not_empty())
      ->type_name("FILE");
  command.add_flag("--no-cache", options.no_cache, "do not keep the profile for other commands");
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace

void add_measure(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("measure", "Measure the machine: clock, caches, and node by node");
  add_options(*command, *options);
  command->footer("Example: kinjo measure nodes --pages huge");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
