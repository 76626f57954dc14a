#include "tune_options.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "memory/memory_choice.hpp"

namespace kinjo::cli {

namespace {

using Json = nlohmann::ordered_json;

/// CLI11's own bounds on numbers are told with three hundred digits.
std::string check_seconds(const std::string& text) {
  const auto seconds = detail::parse_number<double>(text);
  if (seconds && *seconds >= 0.001 && *seconds <= 1e6) return "";
  return fmt::format("'{}' seconds: expected a number from 0.001 to 1000000", text);
}

/// CLI11's bounds let NaN pass.
std::string check_percent(const std::string& text) {
  const auto percent = detail::parse_number<double>(text);
  if (percent && *percent >= 0 && *percent <= 1000) return "";
  return fmt::format("'{}' per cent: expected a number from 0 to 1000", text);
}

std::string check_pairs(const std::string& text) {
  const auto pairs = detail::parse_number<std::size_t>(text);
  if (pairs && *pairs >= 6 && *pairs <= 10000) return "";
  return fmt::format(
      "'{}' pairs: expected a number from 6, the fewest that allow a verdict, to 10000", text);
}

/// Not NAME=VALUE: the value is the number of threads.
std::string check_variable(const std::string& text) {
  if (!text.empty() && text.find('=') == std::string::npos) return "";
  return fmt::format("'{}' is no name of a variable: expected one such as MY_THREADS", text);
}

/// `a,b,c` as three if each is one of `names`: what else holds commas is one value (an order of
/// levels, a list of CPUs or nodes).
std::vector<std::string> split_names(const std::string& text,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string_view part : detail::split(text, ',')) parts.emplace_back(part);
  const bool all = std::ranges::all_of(
      parts, [&](const std::string& part) { return std::ranges::count(names, part) > 0; });
  return all ? parts : std::vector<std::string>{text};
}

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> read_optional(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

}  // namespace

Json TuneSettings::to_json() const {
  return {{"policies", policies},
          {"threads", threads},
          {"memory", memory},
          {"bind", bind},
          {"openmp", openmp},
          {"oversubscribe", oversubscribe},
          {"rounds", optional_json(rounds)},
          {"pairs", optional_json(pairs)},
          {"budget_s", optional_json(budget_s)},
          {"timeout_s", optional_json(timeout_s)},
          {"least_gain_percent", least_gain_percent},
          {"metric", metric},
          {"better", better},
          {"ignore", ignore},
          {"thread_variables", thread_variables},
          {"parameters", parameters},
          {"suite", suite},
          {"words", words},
          {"is_command", is_command}};
}

TuneSettings TuneSettings::from_json(const Json& json) {
  TuneSettings s;
  json.at("policies").get_to(s.policies);
  json.at("threads").get_to(s.threads);
  json.at("memory").get_to(s.memory);
  json.at("bind").get_to(s.bind);
  json.at("openmp").get_to(s.openmp);
  json.at("oversubscribe").get_to(s.oversubscribe);
  s.rounds = read_optional<std::size_t>(json.at("rounds"));
  s.pairs = read_optional<std::size_t>(json.at("pairs"));
  s.budget_s = read_optional<double>(json.at("budget_s"));
  s.timeout_s = read_optional<double>(json.at("timeout_s"));
  json.at("least_gain_percent").get_to(s.least_gain_percent);
  json.at("metric").get_to(s.metric);
  json.at("better").get_to(s.better);
  json.at("ignore").get_to(s.ignore);
  json.at("thread_variables").get_to(s.thread_variables);
  json.at("parameters").get_to(s.parameters);
  s.suite = json.value("suite", "");
  json.at("words").get_to(s.words);
  json.at("is_command").get_to(s.is_command);
  return s;
}

std::vector<Policy> TuneSettings::parsed_policies() const {
  std::vector<std::string> known = Policy::names();
  known.push_back("all");
  std::vector<Policy> parsed;
  for (const std::string& text : policies) {
    for (const std::string& name : split_names(text, known)) {
      if (name != "all") {
        parsed.push_back(Policy::parse(name));
        continue;
      }
      for (const std::string& each : Policy::names()) parsed.push_back(Policy::parse(each));
    }
  }
  return parsed;
}

std::vector<std::string> TuneSettings::parsed_memory(const Topology& machine) const {
  std::vector<std::string> parsed;
  for (const std::string& text : memory) {
    for (const std::string& name : split_names(text, {"inherited", "local", "interleave"})) {
      if (name != "inherited") detail::parse_memory(name, machine);
      parsed.push_back(name == "inherited" ? "" : name);
    }
  }
  return parsed;
}

std::vector<std::pair<std::string, std::string>> TuneSettings::parsed_parameters(
    const std::string& workload) const {
  std::vector<std::pair<std::string, std::string>> parsed;
  for (const std::string& text : parameters) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
      throw Error(Errc::invalid_argument,
                  fmt::format("--set '{}': expected NAME=VALUE, e.g. elements=1000000", text));
    }
    std::string name = text.substr(0, at);
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
      const std::string of = name.substr(0, dot);
      if (std::ranges::count(words, of) == 0) {
        throw Error(Errc::invalid_argument,
                    fmt::format("--set '{}': there is no workload '{}' in this sweep: expected {}",
                                text, of, fmt::join(words, ", ")));
      }
      if (of != workload) continue;
      name.erase(0, dot + 1);
    }
    std::erase_if(parsed, [&](const auto& earlier) { return earlier.first == name; });
    parsed.emplace_back(std::move(name), text.substr(at + 1));
  }
  return parsed;
}

bool TuneOptions::bind_given() const {
  const char* variable = std::getenv("KINJO_BIND");
  return bind_option->count() > 0 && (!variable || settings.bind != variable);
}

void TuneOptions::add_to(CLI::App& command) {
  TuneSettings& s = settings;
  const auto resumed = command.add_option(
      "--resume", resume, "go on with an interrupted sweep; it brings its settings along");
  resumed->type_name("FILE");
  // What a sweep is; a journal holds all of it.
  const auto add = [&](const char* name, auto& value, const std::string& text) {
    return command.add_option(name, value, text)->excludes(resumed);
  };
  const auto add_list = [&](const char* name, std::vector<std::string>& value,
                            const std::string& text) {
    return add(name, value, text)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)  // what follows is a workload, or --
        ->type_name("LIST");
  };
  add_list("--policies", s.policies,
           "placement policies, joined by commas: all, none, scatter, compact or compact-plus; "
           "an order or a list of CPUs in an option of its own")
      ->capture_default_str();
  threads_option = add("--threads", s.threads,
                       "a number, a list such as 1,2,4, or all: 1, 2, 4 … every allowed CPU")
                       ->capture_default_str();
  add_list("--memory", s.memory,
           "memory policies as in kinjo run, joined by commas: inherited (asks for none), local, "
           "interleave, bind:NODES or preferred:NODES")
      ->capture_default_str();
  // Not excluded: the variable may be set for other commands.
  bind_option = command.add_option("--bind", s.bind, "hold threads to their cpu, core or node")
                    ->envname("KINJO_BIND")
                    ->capture_default_str();
  command.add_flag("--oversubscribe", s.oversubscribe, "allow more threads than CPUs")
      ->excludes(resumed);
  add("--openmp", s.openmp, "whether the command is an OpenMP program: auto, yes or no")
      ->capture_default_str();
  add("--repeat", s.rounds, "rounds in which all configurations run; default: 5, or by --budget")
      ->check(CLI::Range(1, 10000));
  add("--pairs", s.pairs,
      "runs of the best one and of the default that decide, 6 at least; default: 15, or by "
      "--budget")
      ->check(CLI::Validator(check_pairs, ""));
  add("--budget", s.budget_s, "time for everything; plans --repeat and --pairs")
      ->check(CLI::Validator(check_seconds, ""))
      ->type_name("SECONDS");
  add("--timeout", s.timeout_s,
      "longest time for one run of the command; default: --budget, if any")
      ->check(CLI::Validator(check_seconds, ""))
      ->type_name("SECONDS");
  add("--least-gain", s.least_gain_percent, "what counts as a difference, in per cent")
      ->check(CLI::Validator(check_percent, ""))
      ->type_name("PERCENT")
      ->capture_default_str();
  add("--metric", s.metric,
      "compare by a number that the command prints: a regular expression with one group around it, "
      "the last match counts; default: wall time")
      ->type_name("REGEX");
  add("--better", s.better, "which way the metric is better: higher or lower; default: lower");
  add("--ignore", s.ignore,
      "what may differ between the command's outputs; default: numbers and the order of lines")
      ->type_name("REGEX");
  add_list("--thread-variable", s.thread_variables,
           "a variable that tells the command its number of threads, besides OMP_NUM_THREADS and "
           "the like; {threads} among its arguments does too")
      ->check(CLI::Validator(check_variable, ""))
      ->type_name("NAME");
  add_list("--set", s.parameters,
           "a parameter of the workloads, e.g. elements=1000000, or of one of them: fft.size=2^20")
      ->type_name("NAME=VALUE");
  command.add_option("--journal", journal, "keep every run in this file; default: until the end")
      ->excludes(resumed)
      ->type_name("FILE");
  command.add_option("--report", report, "write a report for people, one page of HTML")
      ->check(not_empty())
      ->type_name("FILE");
  command.add_option("--picture", picture, "draw the verdict on every workload and policy")
      ->check(not_empty())
      ->type_name("FILE.svg");
  add("--suite", s.suite,
      "every workload at sizes fit for this machine, which is measured first: quick (five minutes) "
      "or full (an hour)")
      ->type_name("SIZE");
  command.add_flag("--verbose", verbose,
                   "with --suite: also a table of all configurations of each workload");
  command.add_option("WORKLOAD", s.words, "workloads of kinjo's own, or -- and a command")
      ->excludes(resumed)
      ->type_name("... | -- CMD");
  add_format(command, format, {Format::text, Format::json, Format::csv});
}

}  // namespace kinjo::cli
