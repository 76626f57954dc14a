/// Completion for zsh: a function for each command, made of specifications for `_arguments`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace kinjo::cli {

namespace {

constexpr std::string_view kQuote = R"('\'')";

/// A part of a specification: colons and brackets would end it.
std::string part(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == ':' || letter == '[' || letter == ']' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

/// `:FILE:_files`, or `:WORD:(a b)`.
std::string value_spec(const OptionRow& option) {
  const std::string action =
      option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", part(option.value.empty() ? "value" : option.value), action);
}

std::string option_specs(const OptionRow& option) {
  std::string text;
  for (const auto& name : option.names) {
    const bool takes_value = !option.value.empty();
    const std::string equals = takes_value && name.starts_with("--") ? "=" : "";
    text += " \\\n    " + quoted(fmt::format("*{}{}[{}]{}", name, equals, part(option.description),
                                             takes_value ? value_spec(option) : ""),
                                 kQuote);
  }
  return text;
}

std::string function_name(const CommandRow& command) {
  return command.path.empty() ? "_kinjo" : fmt::format("_kinjo_{}", fmt::join(command.path, "_"));
}

/// Behind the options: a program's own command line, or values.
std::string argument_specs(const CommandRow& command) {
  if (command.behind == Behind::program) {
    return " \\\n    '(-)1:program:_command_names -e' \\\n    '*::arguments:_normal'";
  }
  if (command.arguments.empty()) return "";
  return " \\\n    " + quoted("*" + value_spec(command.arguments.front()), kQuote);
}

/// A command with commands below it hands the rest of the line to one of them.
std::string dispatching(const std::vector<CommandRow>& table, const CommandRow& command) {
  std::string text =
      " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
      "  case $state in\n    command)\n      local -a commands=(\n";
  for (const auto& name : command.commands) {
    text += "        " +
            quoted(name + ":" + part(row_below(table, command, name).description), kQuote) + "\n";
  }
  text += "      )\n      _describe -t commands command commands ;;\n    argument)\n";
  text += fmt::format("      (( $+functions[{0}_$words[1]] )) && {0}_$words[1] ;;\n  esac\n",
                      function_name(command));
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandRow>& table) {
  std::string text = "#compdef kinjo\n# Completion of kinjo for zsh: kinjo completion zsh\n";
  for (const auto& command : table) {
    text += fmt::format("\n{}() {{\n", function_name(command));
    const bool parent = !command.commands.empty();
    if (parent) text += "  local context state state_descr line\n  typeset -A opt_args\n";
    text += parent ? "  _arguments -C" : "  _arguments -s -S";
    for (const auto& option : command.options) text += option_specs(option);
    text += parent ? dispatching(table, command) : argument_specs(command) + "\n";
    text += "}\n";
  }
  return text +
         "\nif [[ $funcstack[1] == _kinjo ]]; then\n  _kinjo \"$@\"\nelse\n  compdef _kinjo "
         "kinjo\nfi\n";
}

}  // namespace kinjo::cli
