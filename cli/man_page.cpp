/// Plain man(7). Letters beyond ASCII are written as `\[u2026]`, so that no program has to guess
/// the encoding; minus signs as `\-`, so that options can be copied from the page.
#include "man_page.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kinjo::cli {

namespace {

/// The code point that begins at `at`, which moves on behind it. The text is our own: UTF-8.
std::uint32_t next_letter(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  std::uint32_t letter = first & (0x3Fu >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    letter = letter << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return letter;
}

/// Text in which nothing is taken for a request.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t letter = next_letter(text, at);
    if (letter >= 0x80) {
      result += fmt::format("\\[u{:04X}]", letter);
    } else if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      if ((letter == '.' || letter == '\'') && result.empty()) result += "\\&";
      result += static_cast<char>(letter);
    }
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// With a capital at its begin.
std::string capital(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = static_cast<char>(std::toupper(result[0]));
  return escaped(result);
}

std::string sentence(std::string_view text) {
  std::string result = escaped(text);
  if (!result.empty() && result.back() != '.') result += '.';
  return result;
}

/// A command line as it is typed; a remark in parentheses, far behind it, stands under it.
std::string code(std::string_view text) {
  const std::size_t end = std::min(text.find("     ("), text.size());
  std::string result = fmt::format(".RS 4\n.EX\n{}\n.EE\n", escaped(text.substr(0, end)));
  if (end < text.size()) result += escaped(text.substr(end + 5)) + "\n";
  return result + ".RE\n";
}

/// A tagged paragraph of one option: its names, what it means, its default and its variable.
std::string option_text(const OptionRow& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back(bold(name));
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += " " + italic(option.value);
  text += "\n" + sentence(option.description) + "\n";
  const bool told = option.description.find("default:") != std::string::npos;
  if (!option.value.empty() && !option.fallback.empty() && !told) {
    text += "Default: " + escaped(option.fallback) + ".\n";
  }
  if (!option.variable.empty()) text += "Variable: " + bold(option.variable) + ".\n";
  return text;
}

std::string synopsis(const CommandRow& command) {
  std::string text = ".SH SYNOPSIS\n" + bold(full_name(command, ' '));
  if (!command.options.empty()) text += " [" + italic("OPTION") + " ...]";
  for (const auto& argument : command.arguments) {
    const std::string more = argument.times == Times::many ? " ..." : "";
    const std::string name = italic(argument.names[0]) + more;
    text += argument.presence == Presence::required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) text += " " + italic("COMMAND");
  return text + "\n";
}

std::string commands_text(const std::vector<CommandRow>& table, const CommandRow& command) {
  if (command.commands.empty()) return "";
  std::string text = ".SH COMMANDS\n";
  for (const auto& name : command.commands) {
    const CommandRow& below = row_below(table, command, name);
    text +=
        fmt::format(".TP\n{}(1)\n{}\n", bold(full_name(below, '-')), sentence(below.description));
  }
  return text;
}

std::string options_text(const CommandRow& command) {
  std::string text;
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const auto& argument : command.arguments) text += option_text(argument);
  text += ".SH OPTIONS\n";
  for (const auto& option : command.options) text += option_text(option);
  return text;
}

/// The lines of a footer: examples, their captions, and other paragraphs.
struct Footer {
  std::string examples;
  std::string status;
};

/// Whether the text behind `Example:` is a command line, and not what stands over one.
bool is_command(std::string_view text) {
  return text.starts_with("kinjo ") || text.starts_with("env ") || text.starts_with("mpirun ") ||
         text.starts_with("source ");
}

Footer footer_of(const CommandRow& command) {
  constexpr std::string_view kExample = "Example: ";
  constexpr std::string_view kStatus = "Exit status: ";
  Footer footer;
  std::string* last = &footer.examples;
  std::istringstream lines(command.footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kExample)) {
      const std::string text = line.substr(kExample.size());
      last = &footer.examples;
      if (!last->empty()) *last += ".sp\n";
      *last += is_command(text) ? code(text) : capital(text) + ":\n";
    } else if (line.starts_with("  ")) {
      *last += code(line.substr(2));
    } else if (line.starts_with(kStatus)) {
      last = &footer.status;
      *last += capital(line.substr(kStatus.size())) + "\n";
    } else if (!line.empty()) {
      *last += escaped(line) + "\n";
    }
  }
  return footer;
}

constexpr std::string_view kStatuses =
    ".TP\n.B 0\nDone.\n"
    ".TP\n.B 1\nThe work was done and its result is bad: a verification failed, sources disagree, "
    "or nothing converged.\n"
    ".TP\n.B 2\nBad usage, bad input, or output that could not be written.\n";

std::string variables_text(const CommandRow& command) {
  std::string text;
  for (const auto& option : command.options) {
    if (option.variable.empty()) continue;
    text += fmt::format(".TP\n{}\nStands for {}. The option beats the variable.\n",
                        bold(option.variable), bold(option.names.back()));
  }
  return text.empty() ? "" : ".SH ENVIRONMENT\n" + text;
}

std::string related(const std::vector<CommandRow>& table, const CommandRow& command) {
  std::vector<std::string> pages;
  for (const auto& other : table) {
    if (other.path.size() > 1 || other.path == command.path) continue;
    pages.push_back(bold(full_name(other, '-')) + "(1)");
  }
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ",\n"));
}

}  // namespace

std::string man_page(const std::vector<CommandRow>& table, const CommandRow& command) {
  const std::string name = full_name(command, '-');
  std::string title = name;
  for (char& letter : title) letter = static_cast<char>(std::toupper(letter));
  const Footer footer = footer_of(command);
  std::string text =
      fmt::format(".TH {} 1 \"\" \"kinjo {}\" \"kinjo manual\"\n", escaped(title), KINJO_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.description));
  text += synopsis(command);
  text += ".SH DESCRIPTION\n" + sentence(command.description) + "\n";
  if (command.path.empty()) {
    text += "Data goes to standard output, notes and progress to standard error.\n";
  }
  text += commands_text(table, command) + options_text(command);
  text += ".SH EXIT STATUS\n" + (footer.status.empty() ? std::string(kStatuses) : footer.status);
  text += variables_text(command);
  if (!footer.examples.empty()) text += ".SH EXAMPLES\n" + footer.examples;
  return text + related(table, command);
}

}  // namespace kinjo::cli
