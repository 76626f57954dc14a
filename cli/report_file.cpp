#include "report_file.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "measure/identity.hpp"
#include "report/profile_file.hpp"

namespace kinjo::cli {

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!text.empty() && text.back() == '\0') text.pop_back();
  std::vector<std::string> words;
  for (const std::string_view word : detail::split(text, '\0')) words.emplace_back(word);
  words[0] = "kinjo";
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

}  // namespace kinjo::cli
