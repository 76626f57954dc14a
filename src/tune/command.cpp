#include "tune/command.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "memory/memory_choice.hpp"

namespace kinjo {

namespace {

constexpr std::string_view kThreadsMark = "{threads}";
constexpr std::size_t kLastWords = 5;

/// The last lines of a text that say anything.
std::vector<std::string> last_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : detail::split(text, '\n')) {
    if (detail::trim(line).empty()) continue;
    lines.push_back(detail::printable(line.substr(0, 500)));
    if (lines.size() > kLastWords) lines.erase(lines.begin());
  }
  return lines;
}

constexpr std::string_view kSign = "kinjo: ";

/// The first line that begins so, without kinjo's name; empty if there is none.
std::string first_line(std::string_view text, std::string_view beginning) {
  for (const std::string_view line : detail::split(text, '\n')) {
    if (line.starts_with(beginning)) return detail::printable(line.substr(kSign.size(), 500));
  }
  return {};
}

/// What kinjo itself said in the program's place: that something could not be pinned. Of what is
/// said by the program, which may be one of kinjo's, only the preloaded library's line counts.
std::string own_words(const detail::ChildOutcome& outcome) {
  const std::string words = first_line(outcome.notes, kSign);
  return words.empty() ? first_line(outcome.errors, "kinjo: cannot pin thread ") : words;
}

void write_note(const std::string& line) {
  const std::string text = "kinjo: " + line + "\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

const std::vector<std::string>& thread_variables() {
  static const std::vector<std::string> kNames = {
      "OMP_NUM_THREADS",   "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",   "BLIS_NUM_THREADS",
      "RAYON_NUM_THREADS", "NUMEXPR_NUM_THREADS",  "JULIA_NUM_THREADS", "GOMAXPROCS"};
  return kNames;
}

bool takes_threads(const std::vector<std::string>& command) {
  return std::ranges::any_of(command, [](const std::string& argument) {
    return argument.find(kThreadsMark) != std::string::npos;
  });
}

std::vector<std::string> with_threads(const std::vector<std::string>& command,
                                      std::size_t threads) {
  std::vector<std::string> replaced = command;
  for (std::string& argument : replaced) {
    std::size_t at = 0;
    const std::string number = std::to_string(threads);
    while ((at = argument.find(kThreadsMark, at)) != std::string::npos) {
      argument.replace(at, kThreadsMark.size(), number);
      at += number.size();
    }
  }
  return replaced;
}

CommandSubject::CommandSubject(CommandSettings settings, const Topology& machine,
                               detail::Signals& signals)
    : settings_(std::move(settings)), machine_(machine), signals_(signals) {
  if (!settings_.metric.empty()) {
    metric_ = detail::parse_metric_pattern(settings_.metric);
    metrics_.push_back({settings_.metric_name, "", settings_.better});
  }
  if (!settings_.ignore.empty()) ignore_ = detail::LinePattern("--ignore", settings_.ignore);
  metrics_.push_back({"seconds", "s", Better::lower});
  metrics_.push_back({"cpu_seconds", "s", Better::lower});
  metrics_.push_back({"max_resident_bytes", "B", Better::lower});
}

std::string CommandSubject::name() const { return detail::shell_text(settings_.command); }

Values CommandSubject::parameters() const {
  Values values = {{"bind", to_string(settings_.bind)}};
  if (metric_) values.push_back({"metric", metric_->text()});
  return values;
}

const detail::Launch& CommandSubject::launch_for(const Configuration& configuration) {
  const auto known = launches_.find(configuration.name());
  if (known != launches_.end()) return known->second;
  const std::size_t threads = configuration.mapping.size();
  detail::LaunchRequest request{.command = with_threads(settings_.command, threads),
                                .mapping = configuration.mapping,
                                .level = settings_.bind,
                                .openmp = settings_.openmp};
  if (!configuration.memory.empty()) {
    request.memory = detail::parse_memory(configuration.memory, machine_);
  }
  if (!configuration.own_threads) {
    request.tell_threads = true;
    const auto tell = [&](const std::vector<std::string>& names) {
      for (const std::string& name : names) {
        request.variables.emplace_back(name, std::to_string(threads));
      }
    };
    tell(thread_variables());
    tell(settings_.thread_variables);
  }
  return launches_.emplace(configuration.name(), detail::Launch(std::move(request))).first->second;
}

std::string CommandSubject::prepare(const std::vector<Configuration>& configurations) {
  std::string first;
  for (const Configuration& configuration : configurations) {
    const std::string& obstacle = launch_for(configuration).obstacle();
    if (first.empty()) first = obstacle;
  }
  return first;
}

std::optional<Sample> CommandSubject::run(const Configuration& configuration) {
  const detail::Launch& launch = launch_for(configuration);
  const auto become = [&](const std::function<void()>& begins) {
    return launch.become(write_note, begins).message;
  };
  const auto outcome = detail::run_child(become, settings_.limits, signals_);
  if (outcome.end == detail::ChildOutcome::End::interrupted) return std::nullopt;
  return read(outcome);
}

Sample CommandSubject::read(const detail::ChildOutcome& outcome) const {
  Sample sample{.seconds = outcome.seconds,
                .fault = detail::describe_failure(outcome, settings_.limits)};
  if (const std::string words = own_words(outcome); !words.empty()) {
    sample.result.push_back({"placement_message", words});
  }
  if (sample.fault.empty() && metric_) read_metric(outcome, sample);
  if (!sample.fault.empty()) {
    sample.last_words = last_lines(outcome.errors);
    sample.values.clear();
    return sample;
  }
  sample.values.push_back(outcome.seconds);
  sample.values.push_back(outcome.user_seconds + outcome.system_seconds);
  sample.values.push_back(static_cast<double>(outcome.max_resident_bytes));
  sample.output = detail::digest_output(outcome.output, ignore_);
  return sample;
}

void CommandSubject::read_metric(const detail::ChildOutcome& outcome, Sample& sample) const {
  try {
    auto value = detail::find_metric_value(*metric_, outcome.output);
    if (!value) value = detail::find_metric_value(*metric_, outcome.errors);
    if (value) {
      sample.values.push_back(*value);
    } else {
      sample.fault = fmt::format("--metric '{}' matches nothing in its output", metric_->text());
    }
  } catch (const Error& error) {
    sample.fault = error.what();
  }
}

}  // namespace kinjo
