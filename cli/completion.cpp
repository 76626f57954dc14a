/// kinjo completion: prints what a shell needs to complete kinjo's command lines.
#include "completion.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "command.hpp"

namespace kinjo::cli {

namespace {

std::string completion(const std::string& shell, const std::vector<CommandRow>& table) {
  if (shell == "bash") return bash_completion(table);
  if (shell == "zsh") return zsh_completion(table);
  if (shell == "fish") return fish_completion(table);
  throw Error(Errc::invalid_argument,
              fmt::format("unknown shell '{}': expected bash, zsh or fish", shell));
}

}  // namespace

std::string quoted(std::string_view text, std::string_view quote) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += quote;
    } else {
      result += letter;
    }
  }
  return result + "'";
}

void add_completion(CLI::App& app, int& status) {
  struct Options {
    std::string shell;
    OutputOption output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("completion", "Print what a shell needs to complete command lines");
  command->group(kSetup);
  command->add_option("SHELL", options->shell, "bash, zsh or fish")->required();
  options->output.add_to(*command);
  command->footer(
      "Example: source <(kinjo completion bash)     (in ~/.bashrc)\n"
      "Example: kinjo completion fish -o ~/.config/fish/completions/kinjo.fish");
  command->callback([&app, options, &status] {
    options->output.write(completion(options->shell, command_table(app)));
    status = kDone;
  });
}

}  // namespace kinjo::cli
