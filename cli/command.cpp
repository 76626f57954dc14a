#include "command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/mapping.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"

namespace kinjo::cli {

void MachineOption::add_to(CLI::App& command) {
  command
      .add_option(
          "--input", input,
          "another machine: an hwloc XML file, a directory with sys and proc, or synthetic:…")
      ->envname("KINJO_INPUT")
      ->type_name("MACHINE");
}

Topology MachineOption::load() const {
  return input.empty() ? Topology::this_machine() : Topology::from(input);
}

void PlacementOptions::add_to(CLI::App& command, const std::string& counted) {
  command
      .add_option("--policy", policy,
                  "none, scatter, compact, compact-plus, an order such as smt,core,node, or a list "
                  "such as cpus:0-3,8")
      ->envname("KINJO_POLICY")
      ->capture_default_str();
  command
      .add_option("--" + counted, threads,
                  fmt::format("number of {}; default: one for each allowed CPU", counted))
      ->envname("KINJO_THREADS")
      ->check(not_empty("a number"))
      ->type_name("N");
  command.add_flag("--oversubscribe", oversubscribe,
                   fmt::format("allow more {} than CPUs", counted));
}

Mapping PlacementOptions::mapping(const Topology& machine) const {
  const Policy parsed = Policy::parse(policy);
  const std::size_t count =
      threads.empty() ? default_threads(machine, parsed) : parse_threads(threads);
  return {machine, parsed, count, oversubscribe ? Oversubscribe::wrap : Oversubscribe::refuse};
}

Mapping PlacementOptions::mapping(const Topology& machine, detail::Rank rank) const {
  const Policy parsed = Policy::parse(policy);
  const std::size_t count = threads.empty()
                                ? detail::default_rank_threads(machine, parsed, rank.size)
                                : parse_threads(threads);
  const auto more = oversubscribe ? Oversubscribe::wrap : Oversubscribe::refuse;
  if (parsed.kind() == Policy::Kind::none) return {machine, parsed, count, more};
  const Policy part = Policy::cpus(detail::rank_cpus(machine, parsed, rank, count, more));
  return {machine, part, count, more};
}

void check_apart(const std::vector<NamedFile>& files) {
  for (auto one = files.begin(); one != files.end(); ++one) {
    std::error_code failed;
    const auto kind = std::filesystem::status(one->path, failed).type();
    const bool device = kind != std::filesystem::file_type::regular &&
                        kind != std::filesystem::file_type::not_found;
    if (one->path.empty() || device) continue;
    for (auto other = one + 1; other != files.end(); ++other) {
      if (other->path.empty() || !detail::is_same_file(one->path, other->path)) continue;
      throw Error(Errc::invalid_argument,
                  fmt::format("{} and {} name the same file, '{}': expected two", one->option,
                              other->option, detail::printable(one->path)));
    }
  }
}

void OutputOption::add_to(CLI::App& command) {
  command.add_option("-o,--output", file, "write to this file instead of standard output")
      ->check(not_empty())
      ->type_name("FILE");
}

void OutputOption::write(const std::string& text) const {
  if (file.empty()) {
    print(text);
  } else {
    detail::write_whole_file(file, text);
  }
}

std::size_t parse_threads(const std::string& text) {
  constexpr std::size_t kMost = Mapping::kMostThreads;
  const auto number = detail::parse_number<std::size_t>(text);
  if (!number || *number == 0 || *number > kMost) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' threads: expected a number from 1 to {}", text, kMost));
  }
  return *number;
}

std::vector<std::size_t> parse_thread_counts(const std::string& text, std::size_t cpus) {
  std::vector<std::size_t> counts;
  if (text == "all") {
    for (std::size_t n = 1; n < cpus; n *= 2) counts.push_back(n);
    counts.push_back(cpus);
    return counts;
  }
  for (std::string_view part : detail::split(text, ',')) {
    counts.push_back(parse_threads(std::string(part)));
  }
  return counts;
}

std::uint64_t parse_memory_limit(const std::string& text) {
  const auto bytes = detail::parse_bytes(text);
  if (bytes && *bytes > 0) return *bytes;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' as a memory limit: expected bytes, such as 512M or 2G",
                          detail::printable(text)));
}

CLI::Validator not_empty(const std::string& expected) {
  return CLI::Validator(
      [expected](const std::string& text) { return text.empty() ? "expected " + expected : ""; },
      "");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto refuse = [least, most](const std::string& text) -> std::string {
    const auto number = detail::parse_number<std::uint64_t>(text);
    if (number && *number >= least && *number <= most) return {};
    const bool is_large = !text.empty() && text.find_first_not_of("0123456789") == text.npos &&
                          (!number || *number > most);
    return fmt::format("'{}': expected a whole number of at {} {}", detail::printable(text),
                       is_large ? "most" : "least", is_large ? most : least);
  };
  return CLI::Validator(refuse, "");
}

CLI::Validator any_number() {
  const auto refuse = [](const std::string& text) -> std::string {
    const std::string_view word = text;
    if (detail::parse_number<double>(word.substr(word.starts_with('+') ? 1 : 0))) return {};
    return fmt::format("'{}': expected a number, such as 2.5", detail::printable(text));
  };
  return CLI::Validator(refuse, "");
}

void add_repeat(CLI::App& command, std::size_t& repeat, const std::string& help) {
  command.add_option("--repeat", repeat, help)->check(CLI::Range(1, 10000))->capture_default_str();
}

void add_report(CLI::App& command, std::string& report) {
  command.add_option("--report", report, "also write a page with figures")
      ->check(not_empty())
      ->type_name("FILE.html");
}

void add_bind(CLI::App& command, std::string& bind) {
  command.add_option("--bind", bind, "hold threads to their cpu, core or node")
      ->envname("KINJO_BIND")
      ->capture_default_str();
}

void add_format(CLI::App& command, Format& format, const std::vector<Format>& choices) {
  static const std::map<Format, std::string> kNames = {
      {Format::text, "text"}, {Format::json, "json"}, {Format::csv, "csv"}, {Format::svg, "svg"}};
  std::map<std::string, Format> known;
  std::vector<std::string> names;
  for (Format choice : choices) {
    known[kNames.at(choice)] = choice;
    names.push_back(kNames.at(choice));
  }
  const std::string expected = fmt::format("{}", fmt::join(names, ", "));
  command
      .add_option_function<std::string>(
          "--format",
          [known, expected, &format](const std::string& name) {
            const auto found = known.find(name);
            if (found == known.end()) {
              throw Error(Errc::invalid_argument,
                          fmt::format("unknown format '{}': expected {}", name, expected));
            }
            format = found->second;
          },
          expected)
      ->default_str(kNames.at(format))
      ->type_name("FORMAT");
}

void note(const std::string& text) {
  const std::string line = "kinjo: " + detail::printable(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(Errc::system, fmt::format("cannot write the output: {}", std::strerror(errno)));
  }
}

std::vector<const CLI::Option*> added(CLI::App& command, const std::function<void()>& add) {
  const std::size_t before = command.get_options().size();
  add();
  const auto options = std::as_const(command).get_options();
  return {options.begin() + static_cast<std::ptrdiff_t>(before), options.end()};
}

void need_none(const std::vector<const CLI::Option*>& options, const std::string& why) {
  for (const CLI::Option* option : options) {
    if (option->count() == 0) continue;
    throw Error(Errc::invalid_argument, fmt::format("{} {}", option->get_name(), why));
  }
}

}  // namespace kinjo::cli
