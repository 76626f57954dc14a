/// kinjo tune: which placement suits a program, found by running it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "progress.hpp"
#include "report/placement_lines.hpp"
#include "report/verdict.hpp"
#include "report_file.hpp"
#include "tune/command.hpp"
#include "tune/configurations.hpp"
#include "tune/journal.hpp"
#include "tune/sweep.hpp"
#include "tune_options.hpp"
#include "tune_output.hpp"
#include "tune_suite.hpp"
#include "workload/registry.hpp"

namespace kinjo::cli {

namespace {

using HeaderJson = nlohmann::ordered_json;

/// One subject with its configurations.
struct Task {
  std::unique_ptr<Subject> subject;
  std::vector<Configuration> configurations;
  std::string name;               ///< the subject's, or which of several of it
  WorkloadParameters parameters;  ///< of a workload
  double share = 1;               ///< of the time, relative to the others'
};

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  return fmt::format("{:.0f} minutes", std::ceil(seconds / 60));
}

class Tuning {
 public:
  Tuning(const TuneOptions& options, bool is_command);
  int run();

 private:
  void load_journal();
  void check_settings() const;
  void make_tasks();
  void add_workload(const std::string& word, BindLevel bind);
  void add_task(std::unique_ptr<Subject> subject, bool own_threads);
  HeaderJson header() const;
  void open_journal();
  double budget_of(const Task& task) const;
  SweptSubject sweep_task(Task& task, ProgressBar& bar);
  std::optional<Sample> run_or_replay(Task& task, const SweepRun& run, ProgressBar& bar);
  /// A run of a workload, which nothing but the program's end can break off.
  std::optional<Sample> run_here(Task& task, const Configuration& configuration, ProgressBar& bar);
  void conclude(const Task& task, SweptSubject& swept) const;
  void look_closer(const Task& task, SweptSubject& swept) const;
  int stop();
  /// Shows what was found, and gives the journal up unless it is to be kept.
  int finish(const std::vector<SweptSubject>& all);
  bool tell_journal() const;  ///< whether it could be told where the runs so far are

  const TuneOptions& options_;
  TuneSettings settings_;
  const Topology& machine_ = Topology::this_machine();
  detail::Signals signals_{detail::Signals::Quit::waits};
  std::string command_line_ = own_command_line();
  std::vector<Task> tasks_;
  std::string obstacle_;  ///< to pinning threads one by one
  std::optional<JournalContent> resumed_;
  std::optional<Replay> replay_;
  std::unique_ptr<Journal> journal_;
  bool keep_ = false;      ///< the journal, when the sweep is over
  bool measured_ = false;  ///< the journal holds more than warm-ups
  std::size_t runs_done_ = 0;
  std::size_t runs_planned_ = 0;
  double seconds_ = 0;  ///< that all runs took
};

// ---- Beforehand ---------------------------------------------------------------------------------

Tuning::Tuning(const TuneOptions& options, bool is_command)
    : options_(options), settings_(options.settings) {
  settings_.is_command = is_command;
  keep_ = !options_.journal.empty();
  if (!options_.resume.empty()) {
    load_journal();
  } else if (!settings_.suite.empty()) {
    expand_suite(settings_, suite_machine(machine_));
    if (!options_.threads_given()) settings_.threads.clear();
  }
  check_settings();
  check_apart({{"--report", options_.report},
               {"--picture", options_.picture},
               {"--journal", options_.journal},
               {"--resume", options_.resume}});
  for (const std::string& file : {options_.report, options_.picture}) {
    if (!file.empty()) detail::check_writable(file);
  }
  make_tasks();
}

void Tuning::load_journal() {
  resumed_ = parse_journal(read_journal(options_.resume), options_.resume);
  try {
    settings_ = TuneSettings::from_json(resumed_->header.at("settings"));
    command_line_ = resumed_->header.at("command").get<std::string>();
    keep_ = resumed_->header.value("keep", true);
  } catch (const HeaderJson::exception&) {
    throw Error(
        Errc::bad_input,
        fmt::format("line 1 of the journal {}: expected the settings of a sweep", options_.resume));
  }
  if (!options_.report.empty()) command_line_ = with_report(command_line_, options_.report);
  if (options_.bind_given() && options_.settings.bind != settings_.bind) {
    throw Error(Errc::invalid_argument,
                fmt::format("--bind {} contradicts the journal {}, whose sweep has --bind {}",
                            options_.settings.bind, options_.resume, settings_.bind));
  }
  replay_.emplace(std::move(resumed_->runs), options_.resume);
}

void Tuning::check_settings() const {
  if (settings_.words.empty()) {
    throw Error(Errc::invalid_argument,
                "nothing to tune: expected a workload, e.g. kinjo tune stream, or a command, e.g. "
                "kinjo tune -- ./program");
  }
  if (!settings_.better.empty() && settings_.better != "higher" && settings_.better != "lower") {
    throw Error(Errc::invalid_argument, fmt::format("unknown direction '{}' of --better: expected "
                                                    "higher or lower",
                                                    settings_.better));
  }
  const auto needs = [&](bool wrong, const char* option, const char* what) {
    if (wrong) throw Error(Errc::invalid_argument, fmt::format("{} is for {}", option, what));
  };
  needs(!settings_.better.empty() && settings_.metric.empty(), "--better",
        "a metric of the command's own: expected --metric too");
  needs(settings_.suite.empty() && options_.verbose, "--verbose", "suites: others show it all");
  needs(settings_.is_command && !settings_.parameters.empty(), "--set", "workloads, not commands");
  const bool workload = !settings_.is_command;
  needs(workload && !settings_.metric.empty(), "--metric", "commands: workloads have their own");
  needs(workload && !settings_.ignore.empty(), "--ignore", "commands: workloads check themselves");
  needs(workload && settings_.timeout_s.has_value(), "--timeout", "commands, not workloads");
  needs(workload && settings_.memory != std::vector<std::string>{"inherited"}, "--memory",
        "commands: workloads place their memory by their threads");
}

void Tuning::make_tasks() {
  const BindLevel bind = parse_bind_level(settings_.bind);
  if (!settings_.is_command) {
    for (const std::string& word : settings_.words) add_workload(word, bind);
    return;
  }
  CommandSettings command{.command = settings_.words,
                          .bind = bind,
                          .openmp = detail::parse_openmp(settings_.openmp),
                          .thread_variables = settings_.thread_variables,
                          .metric = settings_.metric,
                          .better = settings_.better == "higher" ? Better::higher : Better::lower,
                          .ignore = settings_.ignore};
  command.limits.timeout_s = settings_.timeout_s ? settings_.timeout_s : settings_.budget_s;
  auto subject = std::make_unique<CommandSubject>(command, machine_, signals_);
  CommandSubject& prepared = *subject;
  add_task(std::move(subject), !takes_threads(settings_.words));
  obstacle_ = prepared.prepare(tasks_.back().configurations);
  if (!obstacle_.empty()) note(obstacle_);
}

void Tuning::add_workload(const std::string& word, BindLevel bind) {
  const Workload& workload = find_workload(word);
  const auto sweeps = sweeps_of(workload, settings_.parsed_parameters(word));
  for (const WorkloadSweep& sweep : sweeps) {
    add_task(workload.make(machine_, {bind, sweep.parameters}), false);
    Task& task = tasks_.back();
    task.name = sweep.name;
    task.parameters = sweep.parameters;
    task.share = suite_share(settings_, word) / static_cast<double>(sweeps.size());
  }
}

void Tuning::add_task(std::unique_ptr<Subject> subject, bool own_threads) {
  SweepSpace space{
      .policies = settings_.parsed_policies(),
      .threads =
          [&](std::size_t cpus) {
            return settings_.threads.empty() ? suite_threads(parse_suite(settings_.suite), cpus)
                                             : parse_thread_counts(settings_.threads, cpus);
          },
      .memory = settings_.parsed_memory(machine_),
      .bind = parse_bind_level(settings_.bind),
      .oversubscribe = settings_.oversubscribe ? Oversubscribe::wrap : Oversubscribe::refuse,
      .own_threads = own_threads};
  const std::string name = subject->name();
  tasks_.push_back({std::move(subject), make_configurations(machine_, space), name, {}});
}

HeaderJson Tuning::header() const {
  HeaderJson tasks = HeaderJson::array();
  for (const Task& task : tasks_) {
    HeaderJson list = HeaderJson::array();
    for (const Configuration& c : task.configurations) {
      std::vector<int> cpus;
      for (const Place& place : c.mapping) cpus.push_back(place.cpu);
      list.push_back({{"name", c.name()}, {"cpus", cpus}});
    }
    tasks.push_back({{"workload", task.name}, {"configurations", std::move(list)}});
  }
  return {{"command", command_line_},
          {"keep", keep_},
          {"settings", settings_.to_json()},
          {"tasks", std::move(tasks)}};
}

void Tuning::open_journal() {
  if (!resumed_) {
    try {
      journal_ = std::make_unique<Journal>(options_.journal, header());
    } catch (const HeaderJson::type_error&) {
      note("an argument is not UTF-8: no journal is kept");
    }
    return;
  }
  if (resumed_->header.value("tasks", HeaderJson()) != header().at("tasks")) {
    throw Error(Errc::bad_input,
                fmt::format("the journal {} is of another machine, or this process may use other "
                            "CPUs than then: expected the same configurations",
                            options_.resume));
  }
  journal_ = std::make_unique<Journal>(options_.resume, resumed_->good_bytes);
}

// ---- Running ------------------------------------------------------------------------------------

std::optional<Sample> Tuning::run_here(Task& task, const Configuration& configuration,
                                       ProgressBar& bar) {
  const std::string kept =
      journal_ ? fmt::format(", and {} keeps those before it; go on by: kinjo tune --resume {}",
                             journal_->path(), detail::shell_text({journal_->path()}))
               : "";
  const detail::Signals::Finishing finishing(signals_, [&bar, kept] {
    bar.wipe();
    note("the run that has begun is finished first; once more ends it at once" + kept);
  });
  return task.subject->run(configuration);
}

std::optional<Sample> Tuning::run_or_replay(Task& task, const SweepRun& run, ProgressBar& bar) {
  if (replay_) {
    if (auto known = replay_->next(run, task.subject->metrics().size())) return known;
  }
  if (signals_.interrupted() != 0) return std::nullopt;
  const Configuration& configuration = task.configurations[run.configuration];
  auto sample =
      settings_.is_command ? task.subject->run(configuration) : run_here(task, configuration, bar);
  if (sample && journal_) {
    journal_->append({run, *sample});
    measured_ = measured_ || run.phase != Phase::warm_up;
  }
  return sample;
}

/// What is left is shared by those that are left: one that needs less leaves more to the others.
/// Counted by what runs took, which a journal knows as well.
double Tuning::budget_of(const Task& task) const {
  double shares = 0;
  for (const Task* left = &task; left <= &tasks_.back(); ++left) shares += left->share;
  return std::max(0.0, *settings_.budget_s - seconds_) * task.share / shares;
}

SweptSubject Tuning::sweep_task(Task& task, ProgressBar& bar) {
  SweepHooks hooks;
  hooks.run = [&](const SweepRun& run) { return run_or_replay(task, run, bar); };
  hooks.progress = [&](const Progress& p) { bar.show(p); };
  hooks.planned = [&](const SweepPlan& plan) {
    bar.wipe();
    note(fmt::format("{}: {} round{} of {} configurations, then {} pairs of runs: about {}",
                     task.name, plan.rounds, plan.rounds == 1 ? "" : "s",
                     task.configurations.size(), plan.pairs, duration_text(plan.seconds)));
  };
  SweepSettings settings{.rounds = settings_.rounds,
                         .pairs = settings_.pairs,
                         .budget_s = settings_.budget_s,
                         .least_gain = settings_.least_gain_percent / 100};
  if (settings.budget_s) *settings.budget_s = budget_of(task);
  if (!settings_.suite.empty()) settings.short_budget = ShortBudget::exceed;
  SweptSubject swept{.outcome = sweep(*task.subject, task.configurations, settings, hooks)};
  seconds_ += swept.outcome.seconds;
  runs_done_ += swept.outcome.runs_done;
  runs_planned_ += swept.outcome.runs_planned;
  conclude(task, swept);
  if (!options_.report.empty() && !swept.outcome.interrupted) look_closer(task, swept);
  return swept;
}

/// One more run for the report, of the best placement or of one that fills the machine; of one
/// thread there is nothing to see.
void Tuning::look_closer(const Task& task, SweptSubject& swept) const {
  const Mapping* shown = nullptr;
  const auto& verdict = swept.section.verdict;
  const std::size_t trials = swept.outcome.trials.size();
  const std::size_t best = verdict && verdict->recommends() ? verdict->best : trials;
  for (std::size_t c = 0; c < trials; ++c) {
    const Trial& trial = swept.outcome.trials[c];
    const Mapping& mapping = trial.configuration.mapping;
    if (!trial.fault.empty() || !mapping.binds() || mapping.size() < 2) continue;
    if (!shown || c == best || mapping.size() > shown->size()) shown = &mapping;
    if (c == best) break;
  }
  if (shown) swept.section.waits = waits_of(*task.subject, *shown);
}

void Tuning::conclude(const Task& task, SweptSubject& swept) const {
  swept.metric = task.subject->metrics()[task.subject->deciding_metric()].name;
  ReportSection& section = swept.section;
  section.workload = task.name;
  section.records = sweep_records(*task.subject, swept.outcome);
  section.verdict = swept.outcome.verdict;
  if (swept.outcome.interrupted) return;
  const auto& trials = swept.outcome.trials;
  if (!trials[0].fault.empty()) {
    section.sentence =
        fmt::format("Nothing can be compared: the default fails ({}).", trials[0].fault);
  } else if (!section.verdict) {
    section.sentence = trials.size() == 1
                           ? "Nothing was compared with the default."
                           : "Nothing can be compared: every configuration but the default failed.";
  } else {
    section.sentence = verdict_sentence(section.records, *section.verdict);
  }
  if (!section.verdict || !section.verdict->recommends()) return;
  const Configuration& best = trials[section.verdict->best].configuration;
  if (settings_.is_command) {
    PlacementOfCommand placement{.mapping = best.mapping,
                                 .bind = parse_bind_level(settings_.bind),
                                 .command = with_threads(settings_.words, best.mapping.size()),
                                 .thread_variables = thread_variables()};
    placement.thread_variables.insert(placement.thread_variables.end(),
                                      settings_.thread_variables.begin(),
                                      settings_.thread_variables.end());
    if (!best.memory.empty()) placement.memory = detail::parse_memory(best.memory, machine_);
    section.lines = placement_lines(placement);
  } else {
    section.lines = {workload_line(task.subject->name(), best.mapping,
                                   parse_bind_level(settings_.bind), task.parameters)};
  }
}

// ---- Afterwards ---------------------------------------------------------------------------------

bool writes_to_a_pipe() {
  struct stat output {};
  return fstat(STDOUT_FILENO, &output) == 0 &&
         (S_ISFIFO(output.st_mode) || S_ISSOCK(output.st_mode));
}

bool Tuning::tell_journal() const {
  try {
    note(fmt::format("the runs so far are in {}", journal_->path()));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

int Tuning::stop() {
  const int signal = signals_.interrupted();
  const std::string runs =
      fmt::format("interrupted after {} of {} runs", runs_done_, runs_planned_);
  note(journal_ ? fmt::format("{}, which {} keeps; go on by: kinjo tune --resume {}", runs,
                              journal_->path(), detail::shell_text({journal_->path()}))
                : runs);
  return 128 + signal;
}

int Tuning::run() {
  if (!settings_.suite.empty() && !resumed_) {
    const detail::Signals::Ending ending(signals_);  // there is nothing to keep yet
    prepare_suite(settings_, machine_);
  }
  open_journal();
  std::vector<SweptSubject> all;
  {
    ProgressBar bar;
    try {
      for (Task& task : tasks_) {
        all.push_back(sweep_task(task, bar));
        if (all.back().outcome.interrupted) break;
      }
    } catch (...) {
      // What cannot be planned or started at all leaves nothing worth keeping.
      if (journal_ && !(measured_ && tell_journal()) && !keep_) journal_->discard();
      throw;
    }
  }
  if (all.back().outcome.interrupted) return stop();
  return finish(all);
}

int Tuning::finish(const std::vector<SweptSubject>& all) {
  const std::string& fault = all.front().outcome.trials[0].fault;
  if (fault.starts_with("--metric")) {
    if (journal_ && !keep_) journal_->discard();
    throw Error(Errc::invalid_argument, fault);
  }
  const TuneOutput output{options_, settings_, machine_, command_line_, obstacle_};
  for (const SweptSubject& swept : all) output.complain(swept);
  // Files first: who reads the text may have gone, which ends us, and nothing is to be left then.
  bool has_journal = journal_ != nullptr;
  const auto give_up = [&] {
    if (has_journal && !keep_) journal_->discard();
    has_journal = has_journal && keep_;
  };
  try {
    output.write_files(all);
    if (writes_to_a_pipe()) give_up();
    output.print_results(all);
  } catch (...) {
    if (has_journal) tell_journal();
    throw;
  }
  give_up();
  return output.status_of(all);
}

const char* const kFooter =
    "Example: which placement is best for a program, within five minutes\n"
    "  kinjo tune --budget 300 -- ./solve input.dat\n"
    "Example: by a figure that it prints, with its number of threads as an argument\n"
    "  kinjo tune --metric 'GFLOP/s: ([0-9.]+)' --better higher -- ./app -t {threads}\n"
    "Example: kinjo tune stream\n"
    "Example: every computation of kinjo's own, and a report\n"
    "  kinjo tune --suite quick --report report.html";

}  // namespace

void add_tune(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("tune", "Find the best placement of a program by running it");
  const auto options = std::make_shared<TuneOptions>();
  options->add_to(*command);
  command->footer(kFooter);
  command->callback([options, command, &status] {
    const auto rest = command->remaining();
    const bool is_command = std::ranges::count(rest, "--") > 0;
    status = Tuning(*options, is_command).run();
  });
}

}  // namespace kinjo::cli
