#include "help_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "option_table.hpp"

namespace kinjo::cli {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kBehindOptions = 30;  // where their descriptions begin
constexpr std::size_t kBehindCommands = 14;

/// Those of UTF-8.
std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The text in lines of `width` letters at most, parted where spaces are; a longer word has a line
/// of its own. Lines from the second on begin behind `indent` spaces, which the width does not
/// count.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (used > 0 && used + 1 + letters(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      used = 0;
    }
    if (used > 0) lines += ' ';
    lines += word;
    used += letters(word) + (used > 0 ? 1 : 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A name and, from column `at` on, what it means: on a line of its own where the name is long.
std::string row(const std::string& name, const std::string& description, std::size_t at) {
  std::string text = "  " + name;
  const std::size_t used = letters(text);
  if (!description.empty()) {
    text += used < at ? std::string(at - used, ' ') : "\n" + std::string(at, ' ');
  }
  return text + wrapped(description, kColumns - at, at) + "\n";
}

std::string dots_of(const CLI::Option& option, const std::string& value) {
  const bool is_told = value.find("...") != value.npos || value.ends_with("…");
  return option.get_items_expected_max() > 1 && !is_told ? " ..." : "";
}

class HelpText : public CLI::Formatter {
 public:
  /// One empty line between parts, where CLI11 sometimes has two.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at; (at = text.find("\n\n\n")) != text.npos;) text.erase(at, 1);
    return text;
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string head = option->get_name(is_positional, !is_positional);
    const std::string value = value_of(*option);
    const bool is_news = !is_positional || (value != "WORD" && value != head);
    if (is_news && !value.empty()) head += " " + value;
    if (!value.empty()) {
      const std::string fallback = default_of(*option);
      head += (fallback.empty() ? "" : "=" + fallback) + dots_of(*option, value);
    }
    if (const auto variable = option->get_envname(); !variable.empty()) {
      head += fmt::format(" ({})", variable);
    }
    return row(head, description_of(*option), kBehindOptions);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_display_name(true), command->get_description(), kBehindCommands);
  }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_text() { return std::make_shared<HelpText>(); }

}  // namespace kinjo::cli
