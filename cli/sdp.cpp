/// kinjo sdp: solves a semidefinite program, or verifies somebody's solution of it.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/sdp_files.hpp>

#include "base/free_memory.hpp"
#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "sdp_check.hpp"
#include "sdp_result.hpp"
#include "tune/signals.hpp"
#include "workload/sdp.hpp"

namespace kinjo::cli {

namespace {

/// The parameters of the solver that are given, as `set_sdp` takes them.
using Given = std::vector<std::pair<std::string, std::string>>;

struct Options {
  SdpSettings settings;
  std::string preset = "default";
  Given given;
  std::string memory_limit, output, save_problem, check;
  bool verify = false, table = false, plan = false, save_on_interrupt = false;
  std::size_t repeat = 1;
  PlacementOptions placement;
  std::string bind = "cpu";
  Format format = Format::text;
  std::vector<const CLI::Option*> of_solving;  ///< what --check has no use for

  /// Whether the problem is needed once it is solved.
  bool needs_problem() const { return verify || !output.empty(); }
  Iterations iterations() const { return table ? Iterations::told : Iterations::untold; }
};

/// What is written for `-o`, by the ending of its name.
enum class Kept { result, npz, json };

Kept kept_of(const std::string& file) {
  const auto ends = [&](const char* ending) { return file.ends_with(ending); };
  if (ends(".result")) return Kept::result;
  if (ends(".npz")) return Kept::npz;
  if (ends(".json")) return Kept::json;
  throw Error(
      Errc::invalid_argument,
      fmt::format("'{}': expected a name that ends in .result (SDPA's layout), .npz or .json",
                  detail::printable(file)));
}

/// Shows the iterations on a terminal, and ends them when somebody asks to stop.
class Watch {
 public:
  Watch(detail::Signals& signals, Iterations printed)
      : signals_(signals), shows_(isatty(STDERR_FILENO) != 0 && printed == Iterations::untold) {}

  bool shows() const { return shows_; }

  bool go_on(const sdp::Iteration& iteration) {
    if (shows_) {
      if (!begun_) std::fputs(sdp_table_head().c_str(), stderr);
      begun_ = true;
      std::fputs(sdp_iteration_line(iteration).c_str(), stderr);
    }
    return signals_.interrupted() == 0;
  }

 private:
  detail::Signals& signals_;
  bool shows_, begun_ = false;
};

SdpSettings settings_of(const Options& options) {
  SdpSettings settings = options.settings;
  set_sdp(settings, "preset", options.preset);
  for (const auto& [name, value] : options.given) set_sdp(settings, name, value);
  settings.bind = parse_bind_level(options.bind);
  if (!options.memory_limit.empty()) {
    settings.options.memory_limit = parse_memory_limit(options.memory_limit);
  }
  return settings;
}

void check(const Options& options) {
  if (options.save_on_interrupt && options.output.empty()) {
    throw Error(Errc::invalid_argument,
                "--save-on-interrupt writes to the file of -o: expected -o FILE beside it");
  }
  if (options.plan && (options.needs_problem() || options.format != Format::text)) {
    throw Error(
        Errc::invalid_argument,
        "--plan says in a line what a solution will need, and solves nothing: expected no -o, "
        "--verify or --format beside it");
  }
  if (!options.check.empty()) {
    need_none(options.of_solving, "is for a problem that is solved: expected no --check beside it");
  }
  check_apart({{"PROBLEM", options.settings.problem},
               {"--check", options.check},
               {"-o", options.output},
               {"--save-problem", options.save_problem}});
  for (const std::string& file : {options.output, options.save_problem}) {
    if (!file.empty()) detail::check_writable(file);
  }
  if (!options.output.empty()) kept_of(options.output);
}

/// All runs, and their record; the last one is kept. An interrupted one is the last.
void work(const Options& options, const SdpSettings& settings, sdp::Problem& problem, Team& team,
          SdpResult& result) {
  const SdpSubject subject(settings);
  RecordBuilder record(subject, Configuration{team.mapping()});
  for (std::size_t i = 0; i < options.repeat; ++i) {
    const bool is_last = i + 1 == options.repeat;
    result.run = is_last && !options.needs_problem()
                     ? run_sdp(team, std::move(problem), settings.options)
                     : run_sdp(team, std::as_const(problem), settings.options);
    record.add(SdpSubject::sample_of(result.run));
    if (result.run.solution.interrupted) break;
  }
  result.record = record.finish();
}

/// Whether all was written: of text, which may take minutes, `go_on` may end it.
bool keep(const std::string& file, const sdp::Problem& problem, const SdpResult& result,
          Iterations iterations, const Topology& machine, const std::function<bool()>& go_on) {
  switch (kept_of(file)) {
    case Kept::result:
      return sdp::write_result(problem, result.run.solution, file, go_on);
    case Kept::npz:
      sdp::write_npz(result.run.solution, file);
      break;
    case Kept::json:
      detail::write_whole_file(file, sdp_json(result, iterations, machine));
      break;
  }
  return true;
}

std::string shown(const SdpResult& result, const Options& options, const Topology& machine) {
  return options.format == Format::json  ? sdp_json(result, options.iterations(), machine)
         : options.format == Format::csv ? sdp_csv(result, options.iterations())
                                         : sdp_text(result, options.iterations());
}

/// What was done about an interruption, and its exit status.
int end_interrupted(const Options& options, const sdp::Problem& problem, const SdpResult& result,
                    const Topology& machine, int signal) {
  if (!options.save_on_interrupt) {
    note("interrupted; nothing is written (--save-on-interrupt: the best iterate so far)");
    return 128 + signal;
  }
  keep(options.output, problem, result, options.iterations(), machine, {});
  note(fmt::format("interrupted; the best iterate so far is in {}", options.output));
  print(shown(result, options, machine));
  return 128 + signal;
}

int exit_status(sdp::Status status) {
  switch (status) {
    case sdp::Status::optimal:
    case sdp::Status::primal_infeasible:
    case sdp::Status::dual_infeasible:
      return kDone;
    default:
      return kBadResult;
  }
}

sdp::Problem load(const Options& options, const SdpSettings& settings) {
  sdp::Problem problem = load_sdp(settings);
  detail::give_back_free_memory();
  if (!options.save_problem.empty()) sdp::write_problem(problem, options.save_problem);
  return problem;
}

int solve(const Options& options, SdpSettings settings) {
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = options.placement.mapping(machine);
  // Where this thread reads the problem it solves it: later steps take the memory again that is
  // given back here.
  const Binding binding(mapping, 0, settings.bind);
  sdp::Problem problem = load(options, settings);
  detail::Signals signals;
  Team team(mapping, {.bind = settings.bind, .caller = Caller::joins});
  if (options.plan) {
    print(sdp_plan_line(sdp::plan(team, problem, settings.options)) + "\n");
    return kDone;
  }
  Watch watch(signals, options.iterations());
  settings.options.go_on = [&](const sdp::Iteration& i) { return watch.go_on(i); };
  if (watch.shows()) note(sdp_plan_line(sdp::plan(team, problem, settings.options)));
  SdpResult result;
  work(options, settings, problem, team, result);
  if (result.run.solution.interrupted && signals.interrupted() != 0) {
    return end_interrupted(options, problem, result, machine, signals.interrupted());
  }
  std::string fault;
  if (options.verify) {
    fault = sdp_fault(problem, result.run, settings.options.tolerance);
    result.record.verified = fault.empty();
  }
  if (!options.output.empty()) {
    const auto go_on = [&] { return signals.interrupted() == 0; };
    if (!keep(options.output, problem, result, options.iterations(), machine, go_on)) {
      note("interrupted; nothing is written");
      return 128 + signals.interrupted();
    }
  }
  print(shown(result, options, machine));
  if (!fault.empty()) {
    note("verification failed: " + fault);
    return kBadResult;
  }
  return exit_status(result.run.solution.status);
}

/// Memory that one step gives back is the system's, and so the next one's, whatever its size. Else
/// glibc keeps pieces as large as the largest that it has seen freed, in a heap that cannot shrink.
void give_memory_back() {
  constexpr int kLarge = 1 << 20;  // bytes; what comes and goes in every iteration is smaller
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
}

int run(const Options& options) {
  check(options);
  give_memory_back();
  const SdpSettings settings = settings_of(options);
  if (options.check.empty()) return solve(options, settings);
  return check_sdp(load(options, settings), settings.problem, options.check,
                   settings.options.tolerance, options.format);
}

/// An option that is passed on as it is given, by the parameter's name with hyphens; so that what
/// `kinjo tune` prints works too, also with its underscores.
void add_parameter(CLI::App& command, Options& options, const std::string& name,
                   const std::string& type, const std::string& help) {
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  const auto take = [&options, name](const std::string& value) {
    options.given.push_back({name, value});
  };
  command.add_option_function<std::string>(flag, take, help)->type_name(type);
  if (flag != "--" + name) {
    command.add_option_function<std::string>("--" + name, take, help)->group("");
  }
}

void add_problem_options(CLI::App& command, Options& options) {
  // Required, but help would say so of both names.
  command.add_option("PROBLEM,--problem", options.settings.problem,
                     "a file in SDPA's sparse format, or a rule: maxcut:RxC, "
                     "theta:VERTICES,EDGES, control:STATES, random:ORDER,CONSTRAINTS");
  add_parameter(command, options, "seed", "NUMBER", "of a rule's random numbers; default: 1");
  add_parameter(command, options, "tolerance", "NUMBER",
                "of the relative gap and of both feasibilities; default: 1e-7");
}

void add_solver_options(CLI::App& command, Options& options) {
  command
      .add_option("--preset", options.preset,
                  "fast, default or stable: SDPA's parameters as its -pt 1, 0 and 2")
      ->capture_default_str();
  add_parameter(command, options, "lambda_star", "NUMBER",
                "X and Y begin at this multiple of the identity; 0: chosen");
  add_parameter(command, options, "beta_star", "NUMBER",
                "least part of the gap to aim at while both are feasible");
  add_parameter(command, options, "beta_bar", "NUMBER", "the same before");
  add_parameter(command, options, "gamma_star", "NUMBER",
                "part of the way to the boundary that is gone");
  add_parameter(command, options, "max_iteration", "NUMBER",
                "default: 100, with --preset stable 1000");
  add_parameter(command, options, "precision", "PRECISION",
                "double, or extended: where 16 digits do not suffice it may go on in about 32; "
                "default: extended");
  command.add_option("--memory-limit", options.memory_limit, "bytes that may be taken, such as 2G")
      ->type_name("BYTES");
}

void add_solution_options(CLI::App& command, Options& options) {
  command
      .add_option("-o,--output", options.output,
                  "keep the solution: .result (SDPA's layout), .npz (NumPy), .json (the record)")
      ->type_name("FILE");
  command.add_flag("--save-on-interrupt", options.save_on_interrupt,
                   "write the best iterate so far to -o when somebody asks to stop");
  command.add_flag("--table", options.table, "tell of each iteration");
  command.add_flag("--plan", options.plan, "say what a solution will need, and do not solve");
  command.add_flag("--verify", options.verify, "verify the solution, by independent code");
  add_repeat(command, options.repeat, "solutions, of whose times the median is recorded");
}

void add_other_options(CLI::App& command, Options& options) {
  command
      .add_option("--check", options.check,
                  "verify a solution instead: .result (SDPA), .sol (CSDP), .npz")
      ->type_name("SOLUTION");
  command
      .add_option("--save-problem", options.save_problem,
                  "write the problem in SDPA's sparse format")
      ->type_name("FILE");
}

}  // namespace

void add_sdp(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("sdp", "Solve a semidefinite program");
  add_problem_options(*command, *options);
  options->of_solving = added(*command, [&] {
    add_solver_options(*command, *options);
    add_solution_options(*command, *options);
  });
  add_other_options(*command, *options);
  options->placement.add_to(*command);
  add_bind(*command, options->bind);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  command->footer(
      "Example: kinjo sdp problem.dat-s -o problem.result\n"
      "Example: kinjo sdp control1.dat-s --tolerance 1e-8 --preset stable --format json\n"
      "Example: kinjo sdp theta:50,100 --table\n"
      "Example: kinjo sdp problem.dat-s --check theirs.sol");
  command->callback([command, options, &status] {
    if (command->count("--problem") == 0) throw CLI::RequiredError("PROBLEM");
    status = run(*options);
  });
}

}  // namespace kinjo::cli
