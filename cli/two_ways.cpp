#include "two_ways.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::cli {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Errc::invalid_argument, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace

void FilesOptions::take_over(const MeasureOptions& given, const TwoWays& words) {
  if (given.output.file.empty()) {
    refuse("no file for the {}: expected -o {}", words.result, words.output);
  }
  const std::vector<std::string>& policies = given.configurations.policies;
  if (policies.size() > 1 || (policies.size() == 1 && policies.front() == "all")) {
    refuse("several policies: expected one for {}", words.files);
  }
  const std::string& threads = given.configurations.threads;
  if (threads.find(',') != std::string::npos) {
    refuse("several numbers of threads, '{}': expected one, or all, for {}",
           detail::printable(threads), words.files);
  }
  output = given.output.file;
  verify = given.verify;
  format = given.format;
  if (!policies.empty()) placement.policy = policies.front();
  if (threads != "all") placement.threads = threads;  // else one for each allowed CPU
  placement.oversubscribe = given.configurations.oversubscribe;
  bind = given.configurations.bind;
}

Way way_of(const TwoWays& words, const MeasureOptions& memory, const std::string& file,
           const OnlyOptions& only) {
  const std::string in_memory = fmt::format("{}s in memory", words.result);
  if (!memory.sizes.empty()) {
    if (!file.empty()) {
      refuse("--size is for {}: expected no file, and not '{}'", in_memory,
             detail::printable(file));
    }
    need_none(only.files,
              fmt::format("is for {}: expected no --size, but {}", words.files, words.inputs));
    return Way::memory;
  }
  if (file.empty()) {
    refuse("nothing to {}: expected {}, as in kinjo {} {} -o {}, or --size N for {}", words.verb,
           words.files, words.command, words.inputs, words.output, in_memory);
  }
  need_none(only.memory,
            fmt::format("is for {}: expected --size, and {}", in_memory, words.no_files));
  return Way::files;
}

void set_group(CLI::App& command, const std::vector<const CLI::Option*>& options,
               const std::string& heading) {
  for (const CLI::Option* option : options) {
    if (option->nonpositional()) command.get_option(option->get_name())->group(heading);
  }
}

void add_both(CLI::App& command, MeasureOptions& options, const TwoWays& words) {
  command
      .add_option("-o,--output", options.output.file,
                  fmt::format("where {} goes, replaced when it is whole; with --size, where the "
                              "figures go instead of standard output",
                              words.of_files))
      ->check(not_empty())
      ->type_name("FILE");
  command.add_flag("--verify", options.verify, words.verifies);
  options.configurations.add_to(command);
  command.get_option("--threads")
      ->description(
          "a number, or all: every allowed CPU, which is the default; with --size also a list such "
          "as 1,2,4, and all is 1, 2, 4 … every allowed CPU");
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace kinjo::cli
