/// Completion for bash: one function, which finds out which command it stands in and offers that
/// command's names, or the choices of the option before the cursor.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "completion.hpp"

namespace kinjo::cli {

namespace {

/// Patterns of `case` for a command and its options with values.
std::string value_cases(const CommandRow& command) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const auto& name : option.names) {
      patterns.push_back(fmt::format("'{}:{}'", words_of(command), name));
    }
    text += fmt::format("    {}) words='{}' ;;\n", fmt::join(patterns, "|"),
                        fmt::join(option.choices, " "));
  }
  return text;
}

std::string word_case(const CommandRow& command) {
  std::vector<std::string> options;
  std::vector<std::string> words = command.commands;
  for (const auto& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  for (const auto& argument : command.arguments) {
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  }
  return fmt::format("    '{}') options='{}' words='{}' ;;\n", words_of(command),
                     fmt::join(options, " "), fmt::join(words, " "));
}

constexpr std::string_view kBegin =
    R"(# Completion of kinjo for bash: source <(kinjo completion bash)
_kinjo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= options= words= known= i
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      # Behind -- stands another program's command line.
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      elif ((i + 1 == COMP_CWORD)); then
        COMPREPLY=($(compgen -c -- "$current"))
      fi
      return
    fi
    case "${command:+$command }${COMP_WORDS[i]}" in
)";

constexpr std::string_view kEnd = R"(    *) return ;;
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _kinjo kinjo
)";

}  // namespace

std::string bash_completion(const std::vector<CommandRow>& table) {
  std::string text(kBegin);
  std::vector<std::string> paths;
  for (const auto& command : table) {
    if (!command.path.empty()) paths.push_back(fmt::format("'{}'", words_of(command)));
  }
  text += fmt::format("      {}) command=\"${{command:+$command }}${{COMP_WORDS[i]}}\" ;;\n",
                      fmt::join(paths, "|"));
  text += "    esac\n  done\n  known=1\n  case \"$command:$previous\" in\n";
  for (const auto& command : table) text += value_cases(command);
  text += "    *) known= ;;\n  esac\n";
  text += "  if [[ $known ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n";
  text += "    return\n  fi\n  case $command in\n";
  for (const auto& command : table) text += word_case(command);
  return text + std::string(kEnd);
}

}  // namespace kinjo::cli
