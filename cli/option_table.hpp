/// The program's commands and options as plain tables, read from what CLI11 was told of them.
/// Manual pages and shell completion are written from these, so that they cannot say anything else
/// than `--help`.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace kinjo::cli {

enum class Presence { optional, required };
enum class Times { once, many };

/// An option or an argument.
struct OptionRow {
  std::vector<std::string> names;  ///< as typed, `-o` before `--output`; an argument has one, bare
  std::string value;               ///< what its value is called; empty: it takes none
  std::string description;
  std::string fallback;              ///< its default, if the table tells one
  std::string variable;              ///< of the environment, that stands for it
  std::vector<std::string> choices;  ///< values that can be offered, perhaps not all
  Presence presence = Presence::optional;
  Times times = Times::once;
};

/// What stands in a command line behind a command's options.
enum class Behind { arguments, program };

struct CommandRow {
  std::vector<std::string> path;  ///< `{"map"}`; empty: the program itself
  std::string description;
  std::string footer;
  std::vector<OptionRow> options;
  std::vector<OptionRow> arguments;
  std::vector<std::string> commands;  ///< names of the commands below it
  Behind behind = Behind::arguments;
};

/// What an option's value is called: CLI11's type without the words of its checks. Empty: it takes
/// none.
std::string value_of(const CLI::Option& option);

/// Its default, without the brackets in which CLI11 puts those of lists.
std::string default_of(const CLI::Option& option);

/// What it means, with the numbers that it accepts where CLI11 checks a range.
std::string description_of(const CLI::Option& option);

/// The program, then its commands, each before those below it. Hidden options are left out.
std::vector<CommandRow> command_table(const CLI::App& app);

/// `kinjo map`, or with another separator `kinjo-map`.
std::string full_name(const CommandRow& command, char separator);

/// The words behind the program's name: `map`; empty: the program itself.
std::string words_of(const CommandRow& command);

/// The row of a command below `command`.
const CommandRow& row_below(const std::vector<CommandRow>& table, const CommandRow& command,
                            const std::string& name);

}  // namespace kinjo::cli
