#include "report_file.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "measure/identity.hpp"
#include "report/profile_file.hpp"

namespace kinjo::cli {

namespace {

/// The words of a line that `shell_text` has made.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
      continue;
    }
    if (c == '\\' && !quoted && i + 1 < line.size()) c = line[++i];
    words.back() += c;
  }
  return words;
}

}  // namespace

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!text.empty() && text.back() == '\0') text.pop_back();
  std::vector<std::string> words;
  for (const std::string_view word : detail::split(text, '\0')) words.emplace_back(word);
  words[0] = "kinjo";
  return detail::shell_text(words);
}

std::string with_report(const std::string& command_line, const std::string& file) {
  constexpr std::string_view kOption = "--report";
  std::vector<std::string> words = words_of(command_line);
  auto end = std::ranges::find(words, "--");  // what follows is another program's
  for (auto word = words.begin(); word != end;) {
    const bool alone = *word == kOption;
    if (!alone && !word->starts_with(std::string(kOption) + '=')) {
      ++word;
      continue;
    }
    const auto behind = word + (alone && word + 1 != end ? 2 : 1);
    const auto left = words.end() - end;
    word = words.erase(word, behind);
    end = words.end() - left;
  }
  words.insert(end, {std::string(kOption), file});
  return detail::shell_text(words);
}

void write_report(Report report, const std::string& file) {
  report.made = iso_time(std::chrono::system_clock::now());
  try {
    report.profile = cached_profile(report.machine);
  } catch (const Error& error) {
    note(fmt::format("the report is without the machine's profile: {}", error.what()));
  }
  detail::write_whole_file(file, report_html(report));
  note(fmt::format("the report is {}", file));
}

void write_report(const std::string& title, const std::vector<Record>& records,
                  const std::vector<Mapping>& mappings, const Topology& machine,
                  const std::string& file) {
  Report report{.title = title,
                .command = own_command_line(),
                .machine = machine,
                .sections = {{.workload = records.front().workload, .records = records}}};
  for (const Mapping& mapping : mappings) {
    if (mapping.binds()) report.mappings.push_back(mapping);
  }
  write_report(std::move(report), file);
}

}  // namespace kinjo::cli
