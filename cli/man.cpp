/// kinjo man: prints the manual page of a command, or writes all of them.
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/whole_file.hpp"
#include "command.hpp"
#include "man_page.hpp"

namespace kinjo::cli {

namespace {

struct ManOptions {
  std::vector<std::string> command;
  std::string directory;
  OutputOption output;
};

int run(const CLI::App& app, const ManOptions& options) {
  const auto table = command_table(app);
  if (!options.directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.directory, error);
    if (error) {
      throw Error(Errc::system, fmt::format("cannot make the directory '{}': {}", options.directory,
                                            error.message()));
    }
    for (const auto& command : table) {
      detail::write_whole_file(options.directory + "/" + full_name(command, '-') + ".1",
                               man_page(table, command));
    }
    return kDone;
  }
  for (const auto& command : table) {
    if (command.path != options.command) continue;
    options.output.write(man_page(table, command));
    return kDone;
  }
  throw Error(Errc::invalid_argument, fmt::format("no command '{}': kinjo --help lists them",
                                                  fmt::join(options.command, " ")));
}

}  // namespace

void add_man(CLI::App& app, int& status) {
  auto options = std::make_shared<ManOptions>();
  CLI::App* command = app.add_subcommand("man", "Print the manual page of a command");
  command->group(kSetup);
  command
      ->add_option("COMMAND", options->command,
                   "the command whose page is wanted; default: that of the program")
      ->type_name("");
  command
      ->add_option("--directory", options->directory, "write all pages to this directory instead")
      ->type_name("DIR");
  options->output.add_to(*command);
  command->footer(
      "Example: kinjo man map | man -l -\n"
      "Example: kinjo man --directory ~/.local/share/man/man1");
  command->callback([&app, options, &status] { status = run(app, *options); });
}

}  // namespace kinjo::cli
