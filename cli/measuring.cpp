#include "measuring.hpp"

#include <exception>

#include <fmt/format.h>

#include "base/whole_file.hpp"
#include "report_file.hpp"

namespace kinjo::cli {

void MeasureOptions::add_measured(CLI::App& command, const char* size_help,
                                  const char* precision_option) {
  command.add_option("--size", sizes, size_help)->type_name("LIST")->allow_extra_args(false);
  command.add_option(precision_option, precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  add_pages(command, pages);
  add_repeat(command, repeat, "rounds, each a sample of everything");
  add_report(command, report);
}

void MeasureOptions::check_files() const {
  check_apart({{"--output", output.file}, {"--report", report}});
  for (const std::string& file : {report, output.file}) {
    if (!file.empty()) detail::check_writable(file);
  }
}

int finish(const MeasureOptions& options, const std::vector<Record>& records,
           const std::vector<Mapping>& configurations, const Topology& machine,
           const Shown& shown) {
  // The page first: who reads the text may have gone. But what was measured is shown all the same.
  std::exception_ptr failed;
  try {
    if (!options.report.empty()) {
      write_report(shown.report_title, records, configurations, machine, options.report);
    }
  } catch (...) {
    failed = std::current_exception();
  }
  options.output.write(shown.text);
  note_faults(records, shown.name_of);
  if (failed) std::rethrow_exception(failed);
  return status_of(records);
}

std::string rounds_text(std::size_t rounds) {
  return fmt::format(" of {} round{}", rounds, rounds == 1 ? "" : "s");
}

}  // namespace kinjo::cli
