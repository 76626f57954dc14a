/// Completion for fish: a line for each option, with the command after which it holds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace kinjo::cli {

namespace {

constexpr std::string_view kQuote = R"(\')";

/// Says whether the command line stands in exactly this command, and not behind `--`.
constexpr std::string_view kBegin = R"(# Completion of kinjo for fish: kinjo completion fish
function __kinjo_path
    set -l path
    for word in (commandline -opc)[2..-1]
        if test "$word" = --
            set path program
            break
        end
        set -l longer (string join ' ' -- $path $word)
        contains -- "$longer" $__kinjo_commands; and set path $longer
    end
    string join ' ' -- $path
end
function __kinjo_program
    set -l words (commandline -opc) (commandline -ct)
    set -l behind (math (contains -i -- -- $words) + 1)
    complete -C (string join ' ' -- $words[$behind..-1])
end
function __kinjo_at
    set -l path (__kinjo_path)
    test "$path" = "$argv[1]"
end
)";

std::string begin_of_line(const CommandRow& command) {
  return "complete -c kinjo -n " +
         quoted(fmt::format("__kinjo_at \"{}\"", words_of(command)), kQuote);
}

std::string description(const std::string& text) { return " -d " + quoted(text, kQuote); }

std::string values(const OptionRow& option) {
  if (option.choices.empty()) return " -r -F";
  return " -x -a " + quoted(fmt::format("{}", fmt::join(option.choices, " ")), kQuote);
}

std::string option_line(const CommandRow& command, const OptionRow& option) {
  std::string text = begin_of_line(command);
  for (const auto& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += values(option);
  return text + description(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const std::vector<CommandRow>& table) {
  std::string text(kBegin);
  std::vector<std::string> names;
  for (const auto& command : table) {
    if (!command.path.empty()) names.push_back(quoted(words_of(command), kQuote));
  }
  text += fmt::format("set -g __kinjo_commands {}\n", fmt::join(names, " "));
  text += "complete -c kinjo -n '__kinjo_at program' -xa '(__kinjo_program)'\n";
  for (const auto& command : table) {
    for (const auto& name : command.commands) {
      text += begin_of_line(command) + " -f -a " + name +
              description(row_below(table, command, name).description) + "\n";
    }
    for (const auto& option : command.options) text += option_line(command, option);
    for (const auto& argument : command.arguments) {
      if (argument.choices.empty()) continue;
      text += begin_of_line(command) + " -f -a " +
              quoted(fmt::format("{}", fmt::join(argument.choices, " ")), kQuote) +
              description(argument.description) + "\n";
    }
  }
  return text;
}

}  // namespace kinjo::cli
