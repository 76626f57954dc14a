/// kinjo where: where a running process's threads run and its pages lie.
///
/// A process that runs is looked at and left alone. A command is started as a child with these
/// standard streams, so the report goes to standard error or a file, and its status is passed on.
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "launch/launch.hpp"
#include "launch/program.hpp"
#include "observe/child.hpp"
#include "observe/watch.hpp"
#include "report/where_json.hpp"
#include "report/where_text.hpp"

namespace kinjo::cli {

namespace {

constexpr int kInterrupted = 128 + SIGINT;

struct WhereOptions {
  std::string after, every, looks, largest;  ///< empty: the default
  std::string source = "auto";
  std::string output;
  std::vector<std::string> expectations;
  std::vector<std::string> target;  ///< a PID, or a command with its arguments
  Format format = Format::text;
  bool verbose = false;
};

double parse_seconds(const char* option, const std::string& text, double least) {
  constexpr double kMost_s = 1e6;
  const auto seconds = detail::parse_number<double>(text);
  if (!seconds || !(*seconds >= least && *seconds <= kMost_s)) {
    throw Error(Errc::invalid_argument, fmt::format("'{}' seconds for {}: expected a number from "
                                                    "{} to {:.0f}",
                                                    text, option, least, kMost_s));
  }
  return *seconds;
}

std::size_t parse_count(const char* option, const std::string& text, std::size_t least) {
  constexpr std::size_t kMost = 1'000'000'000;
  const auto count = detail::parse_number<std::size_t>(text);
  if (!count || *count < least || *count > kMost) {
    throw Error(Errc::invalid_argument, fmt::format("'{}' for {}: expected a number from {} to {}",
                                                    text, option, least, kMost));
  }
  return *count;
}

WatchPlan parse_plan(const WhereOptions& options, Target target) {
  constexpr double kLeastEvery_s = 0.001;
  WatchPlan plan;
  // A command that has just begun has no memory yet that is worth a look.
  plan.after_s = target == Target::command ? 1 : 0;
  if (!options.after.empty()) plan.after_s = parse_seconds("--after", options.after, 0);
  if (!options.every.empty()) {
    plan.every_s = parse_seconds("--every", options.every, kLeastEvery_s);
    plan.looks = 0;
  }
  if (!options.looks.empty()) plan.looks = parse_count("--looks", options.looks, 1);
  return plan;
}

std::optional<PageSource> parse_source(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "numa_maps") return PageSource::numa_maps;
  if (text == "move_pages") return PageSource::move_pages;
  throw Error(Errc::invalid_argument,
              fmt::format("unknown source '{}': expected auto, numa_maps or move_pages", text));
}

/// How many mappings are listed: on a screen the largest few, for programs all.
WhereDetail parse_detail(const WhereOptions& options) {
  WhereDetail detail{.every_thread = options.verbose};
  if (options.verbose || options.format != Format::text) detail.largest.reset();
  if (!options.largest.empty() && options.largest != "all") {
    detail.largest = parse_count("--largest", options.largest, 0);
  } else if (!options.largest.empty()) {
    detail.largest.reset();
  }
  return detail;
}

void require_target(const std::vector<std::string>& words) {
  if (!words.empty()) return;
  throw Error(Errc::invalid_argument, "no process: expected a PID, or -- and a command");
}

pid_t parse_pid(const std::vector<std::string>& words) {
  if (words.size() != 1) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("expected one PID, or -- and a command: got '{}'", fmt::join(words, " ")));
  }
  const auto pid = detail::parse_number<pid_t>(words[0]);
  if (!pid || *pid < 1) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("'{}' is no process: expected a PID from 1 on, or -- and a command", words[0]));
  }
  return *pid;
}

/// One run of the command, from its options to the exit status.
class Where {
 public:
  Where(const WhereOptions& options, Target target)
      : options_(options),
        target_(target),
        plan_(parse_plan(options, target)),
        detail_(parse_detail(options)),
        machine_(Topology::this_machine()) {
    require_target(options.target);
    look_.source = parse_source(options.source);
    for (const std::string& text : options.expectations) add_expectation(text);
    if (!options.output.empty()) detail::check_writable(options.output);
  }

  int run() { return target_ == Target::process ? look_at_process() : look_at_command(); }

 private:
  void add_expectation(const std::string& text);
  int look_at_process();
  int look_at_command();
  /// What to say of a command that was gone before its first look.
  std::string describe_end(detail::ChildEnd end) const;
  Waited watch_process(pid_t pid, detail::ProcessWaiter& waiter);
  void see(const ProcessView& view);
  void check_expectations(const ProcessView& view);
  /// Gives out text as it comes, unless all of it goes to a file in the end.
  void emit(const std::string& text);
  void finish();
  /// Says what was not as expected; 0 if all was.
  int judge() const;

  const WhereOptions& options_;
  Target target_;
  WatchPlan plan_;
  WhereDetail detail_;
  const Topology& machine_;
  LookOptions look_;
  WhereReport report_;
  std::size_t taken_ = 0;       ///< looks, of which the report may hold fewer
  std::set<std::string> said_;  ///< what is missing is told once
  std::string text_;            ///< that waits for the file
  int refusal_ = 0;             ///< errno of what standard error did not take
};

void Where::add_expectation(const std::string& text) {
  const Expectation expectation = parse_expectation(text);
  for (int node : expectation.nodes) {
    if (machine_.find_node(node)) continue;
    throw Error(Errc::not_found, fmt::format("node {} of the expectation '{}' does not exist: "
                                             "expected nodes of {}",
                                             node, text, machine_.all_nodes().to_string()));
  }
  report_.expectations.push_back({expectation, {}, 0});
}

int Where::look_at_process() {
  const pid_t pid = parse_pid(options_.target);
  const detail::SignalFile signals;
  detail::ProcessWaiter waiter(pid, signals, detail::OnSignal::stop);
  const Waited end = watch_process(pid, waiter);
  if (report_.looks.empty()) {
    note("interrupted before the first look");
    return kInterrupted;
  }
  finish();
  if (end == Waited::process_ended) {
    note(fmt::format("process {} ended after look {}", pid, taken_));
  }
  return judge();
}

int Where::look_at_command() {
  report_.command = options_.target;
  const detail::FoundProgram found = detail::find_program(options_.target[0]);
  int error = found.error;
  const detail::SignalFile signals;
  std::optional<detail::Child> child;
  if (error == 0) error = child.emplace(found.path, options_.target, signals).error();
  if (error != 0) {
    note(fmt::format("cannot start {}: {}", options_.target[0],
                     found.error == ENOENT   ? "not found"
                     : found.error == EACCES ? "not an executable file"
                     : child
                         ? fmt::format("{} returned {}", child->call(), detail::errno_name(error))
                         : detail::errno_name(error)));
    return error == ENOENT ? detail::kProgramNotFound : detail::kNotExecutable;
  }
  bool gone = false;
  try {
    detail::ProcessWaiter waiter(child->pid(), signals, detail::OnSignal::pass);
    watch_process(child->pid(), waiter);
  } catch (const Error& failed) {
    // The child is not to blame, and goes on.
    gone = failed.code() == Errc::not_found;
    if (!gone) note(failed.what());
  } catch (...) {  // want of memory: the command still ends before this program does
    child->wait();
    throw;
  }
  const detail::ChildEnd end = child->wait();
  const int status = end.status;
  if (gone) note(describe_end(end));
  if (report_.looks.empty()) return report_.expectations.empty() ? status : kBadUsage;
  finish();
  const int judgement = judge();
  return judgement == 0 ? status : judgement;
}

std::string Where::describe_end(detail::ChildEnd end) const {
  constexpr int kSignalled = 128;  // the shell's way to tell a signal
  if (end.by_signal) {
    return fmt::format("{} was ended by signal {} before the look after {} s", options_.target[0],
                       end.status - kSignalled, plan_.after_s);
  }
  return fmt::format("{} ended before the look after {} s: expected an earlier one (--after)",
                     options_.target[0], plan_.after_s);
}

Waited Where::watch_process(pid_t pid, detail::ProcessWaiter& waiter) {
  report_.numa_balancing = numa_balancing();
  return watch(
      plan_, [&](double seconds) { return waiter.wait(seconds); },
      [&] { return look(pid, machine_, look_); }, [&](const ProcessView& view) { see(view); });
}

void Where::see(const ProcessView& view) {
  WhereLook seen{view, std::nullopt};
  if (!report_.looks.empty()) seen.drift = drift(report_.looks.back().view, view);
  report_.looks.push_back(std::move(seen));
  ++taken_;
  for (const std::string& line : view.missing) {
    if (said_.insert(line).second) note(line);
  }
  check_expectations(view);
  if (options_.format != Format::text) return;
  const auto& latest = report_.looks.back();
  const std::chrono::duration<double> passed = view.when - report_.looks[0].view.when;
  emit(latest.drift ? drift_text(*latest.drift, view, taken_, passed.count())
                    : look_text(view, detail_));
  // Of what has been shown only the next drift needs the last look, however long this goes on.
  if (taken_ > 2) report_.looks.erase(report_.looks.begin() + 1);
}

void Where::check_expectations(const ProcessView& view) {
  for (WhereExpectation& checked : report_.expectations) {
    // The first look that does not meet it is the one to tell of.
    if (taken_ > 1 && checked.finding.verdict != Finding::Verdict::satisfied) continue;
    checked.finding = check(checked.expectation, view);
    checked.look = taken_ - 1;
  }
}

void Where::emit(const std::string& text) {
  if (!options_.output.empty()) {
    text_ += text;
  } else if (target_ == Target::process) {
    print(text);
  } else if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size()) {
    refusal_ = errno;  // the command goes on
  }
}

void Where::finish() {
  switch (options_.format) {
    case Format::text:
      for (const WhereExpectation& checked : report_.expectations) {
        // On a screen the rest is told in lines of its own.
        if (checked.finding.verdict == Finding::Verdict::satisfied || !options_.output.empty()) {
          emit(expectation_text(checked));
        }
      }
      break;
    case Format::json:
      emit(json_text(where_json(report_, detail_)));
      break;
    case Format::csv:
      emit(where_table(report_, detail_).to_csv());
      break;
    case Format::svg:
      break;  // not offered
  }
  if (!options_.output.empty()) detail::write_whole_file(options_.output, text_);
  if (refusal_ != 0) {
    throw Error(Errc::system, fmt::format("cannot write the report to standard error: {}",
                                          std::strerror(refusal_)));
  }
}

int Where::judge() const {
  int status = 0;
  for (const WhereExpectation& checked : report_.expectations) {
    const std::string expected = checked.expectation.to_string();
    if (checked.finding.verdict == Finding::Verdict::violated) {
      const std::string when = taken_ > 1 ? fmt::format(" in look {}", checked.look + 1) : "";
      note(fmt::format("expected {}: found {}{}", expected, checked.finding.found, when));
      status = kBadResult;
    } else if (checked.finding.verdict == Finding::Verdict::unknown) {
      note(fmt::format("expected {}: cannot be checked, since the pages are unknown", expected));
      if (status == 0) status = kBadUsage;
    }
  }
  return status;
}

const char* const kFooter =
    "Example: status 1 unless 95 % of a program's memory is on node 0 after 2 s\n"
    "  kinjo where --after 2 --expect 'node 0: 95%' -- ./solve input.dat\n\n"
    "Exit status: 0, or that of the command; 1 if an expectation is not met; 2 for\n"
    "bad usage, a process that cannot be looked at, and an expectation that cannot\n"
    "be checked; 126 and 127 for a command that cannot be started. See docs/where.md.";

/// When to look.
void add_time_options(CLI::App& command, WhereOptions& options) {
  command
      .add_option("--after", options.after,
                  "seconds before the first look; default: 0 for a process, 1 for a command")
      ->type_name("SECONDS");
  command
      .add_option("--every", options.every,
                  "look again after so many seconds, until the process ends or Ctrl-C, and show "
                  "what has moved")
      ->type_name("SECONDS");
  command
      .add_option("--looks", options.looks,
                  "so many looks and no more; default: 1, with --every no limit")
      ->type_name("N");
}

/// What to ask, and what must come of it.
void add_question_options(CLI::App& command, WhereOptions& options) {
  command
      .add_option("--expect", options.expectations,
                  "what must hold in every look, e.g. 'node 0: 95%', 'nodes 0-1: <= 50%', 'threads "
                  "on node 0: 100%', 'running threads on node 1: 50%', 'local: 90%'; may be given "
                  "several times")
      ->type_name("EXPECTATION")
      ->allow_extra_args(false);
  command
      .add_option("--source", options.source,
                  "who is asked about pages: auto, numa_maps or move_pages")
      ->capture_default_str();
}

/// What is shown of the answer, and where.
void add_answer_options(CLI::App& command, WhereOptions& options) {
  command
      .add_option("--largest", options.largest,
                  "list the N mappings with the most memory, or all; default: 5, in json and csv "
                  "all")
      ->type_name("N");
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
  command
      .add_option("-o,--output", options.output,
                  "write the report to a file; default: standard output, standard error for a "
                  "command")
      ->type_name("FILE");
  command.add_flag("-v,--verbose", options.verbose, "a row for every thread and mapping");
}

void add_options(CLI::App& command, WhereOptions& options) {
  add_time_options(command, options);
  add_question_options(command, options);
  add_answer_options(command, options);
  command
      .add_option("PID", options.target,
                  "the process; or, behind --, a command that is started, with its arguments")
      ->type_name("or -- CMD…");
}

}  // namespace

void add_where(CLI::App& app, int& status, Target target) {
  CLI::App* command =
      app.add_subcommand("where", "Show where a process's threads run and its pages lie");
  const auto options = std::make_shared<WhereOptions>();
  add_options(*command, *options);
  command->footer(kFooter);
  command->callback([options, &status, target] { status = Where(*options, target).run(); });
}

}  // namespace kinjo::cli
