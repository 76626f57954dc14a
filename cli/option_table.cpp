/// Values are found in two places. A validator of CLI11 lists them in the option's type:
/// `TEXT:{C,F}`. Descriptions list them at the begin of a part: in `what a thread is held to: cpu,
/// core or node` the part behind the colon. A part is such a list if it begins with two single
/// words; the first piece of more words ends it. What neither tells is taken from the option of
/// another command for which the same variable stands.
#include "option_table.hpp"

#include <algorithm>
#include <regex>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace kinjo::cli {

namespace {

std::string without_parentheses(const std::string& text) {
  static const std::regex kParentheses(R"( ?\([^)]*\))");
  return std::regex_replace(text, kParentheses, "");
}

/// The single words with which a part of a description begins, if it is a list.
std::vector<std::string> words_of_list(const std::string& part) {
  static const std::regex kSeparator(R"(, or |, | or )");
  static const std::regex kWord(R"( *([A-Za-z0-9_][A-Za-z0-9_.+-]*) *)");
  std::vector<std::string> words;
  std::smatch word;
  for (std::sregex_token_iterator piece(part.begin(), part.end(), kSeparator, -1), end;
       piece != end; ++piece) {
    const std::string text = *piece;
    if (text.find("…") != std::string::npos) return {};  // a row of numbers
    if (!std::regex_match(text, word, kWord)) break;
    words.push_back(word[1]);
  }
  return words.size() < 2 ? std::vector<std::string>() : words;
}

void add_new(std::vector<std::string>& choices, const std::string& choice) {
  if (std::find(choices.begin(), choices.end(), choice) == choices.end()) choices.push_back(choice);
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> choices;
  static const std::regex kSet(R"(\{([^}]*)\})");
  const std::string type = option.get_type_name();
  if (std::smatch set; std::regex_search(type, set, kSet)) {
    const std::string list = set[1];
    for (const auto choice : detail::split(list, ',')) choices.emplace_back(choice);
    return choices;
  }
  static const std::regex kPart("[:;] ");
  const std::string text = without_parentheses(option.get_description());
  for (std::sregex_token_iterator part(text.begin(), text.end(), kPart, -1), end; part != end;
       ++part) {
    for (const auto& word : words_of_list(*part)) add_new(choices, word);
  }
  static const std::regex kOrAll(R"(\bor all\b)");
  if (std::regex_search(text, kOrAll)) add_new(choices, "all");
  return choices;
}

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  for (const auto& name : option.get_snames()) row.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) row.names.push_back("--" + name);
  row.value = value_of(option);
  row.description = description_of(option);
  row.fallback = default_of(option);
  row.variable = option.get_envname();
  if (option.get_required()) row.presence = Presence::required;
  if (option.get_items_expected_max() > 1) row.times = Times::many;
  if (!row.value.empty()) row.choices = choices_of(option);
  return row;
}

void add_options(CommandRow& row, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      OptionRow argument = row_of(*option);
      argument.names = {option->get_name(true)};
      if (argument.value.find("CMD") != std::string::npos || argument.names[0] == "CMD") {
        row.behind = Behind::program;
      }
      row.arguments.push_back(std::move(argument));
    }
    if (option->nonpositional() && !option->get_group().empty()) {
      row.options.push_back(row_of(*option));
    }
  }
}

void add_command(std::vector<CommandRow>& table, const CLI::App& app,
                 const std::vector<std::string>& path) {
  const auto below = app.get_subcommands([](const CLI::App*) { return true; });
  CommandRow row;
  row.path = path;
  row.description = app.get_description();
  row.footer = app.get_footer();
  add_options(row, app);
  for (const CLI::App* command : below) row.commands.push_back(command->get_name());
  table.push_back(std::move(row));
  for (const CLI::App* command : below) {
    std::vector<std::string> longer = path;
    longer.push_back(command->get_name());
    add_command(table, *command, longer);
  }
}

/// Gives options without choices those of an option for which the same variable stands.
void share_choices(std::vector<CommandRow>& table) {
  const auto known = table;
  for (CommandRow& command : table) {
    for (OptionRow& option : command.options) {
      if (option.variable.empty()) continue;
      for (const CommandRow& other : known) {
        for (const OptionRow& same : other.options) {
          if (option.choices.size() > 1 || same.choices.size() < 2) continue;
          if (same.variable != option.variable) continue;
          for (const auto& choice : same.choices) add_new(option.choices, choice);
        }
      }
    }
  }
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  const std::string known = name == "TEXT" || name.empty() ? "WORD" : name;
  return known == "UINT" || known == "INT" ? "N" : known;
}

std::string default_of(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  const bool is_list = value.starts_with('[') && value.ends_with(']');
  return is_list ? value.substr(1, value.size() - 2) : value;
}

std::string description_of(const CLI::Option& option) {
  constexpr std::string_view kBegin = " in [", kBetween = " - ";
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(kBegin), between = type.find(kBetween);
  if (begin == type.npos || between == type.npos) return option.get_description();
  const std::size_t least = begin + kBegin.size(), most = between + kBetween.size();
  return fmt::format("{} ({} to {})", option.get_description(), type.substr(least, between - least),
                     type.substr(most, type.find(']') - most));
}

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> table;
  add_command(table, app, {});
  share_choices(table);
  return table;
}

std::string full_name(const CommandRow& command, char separator) {
  std::string name = "kinjo";
  for (const auto& word : command.path) name += separator + word;
  return name;
}

std::string words_of(const CommandRow& command) {
  return fmt::format("{}", fmt::join(command.path, " "));
}

const CommandRow& row_below(const std::vector<CommandRow>& table, const CommandRow& command,
                            const std::string& name) {
  std::vector<std::string> path = command.path;
  path.push_back(name);
  return *std::find_if(table.begin(), table.end(),
                       [&](const CommandRow& row) { return row.path == path; });
}

}  // namespace kinjo::cli
