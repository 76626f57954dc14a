#include "paths_saved.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <kinjo/diagram_files.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "measure/sampling.hpp"
#include "paths_members.hpp"
#include "paths_result.hpp"
#include "paths_team.hpp"

namespace kinjo::cli {

namespace {

/// Counting the sets of a diagram, as something that is measured.
class SavedDiagram : public Subject {
 public:
  SavedDiagram(const PathsOptions& options, paths::Diagram diagram, Team& team)
      : options_(options), diagram_(std::move(diagram)), team_(team) {}

  std::string name() const override { return "paths"; }
  Values parameters() const override { return {{"graph", options_.settings.graph}}; }
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration&) override {
    PathsRun run = counted();
    const Sample sample = PathsSubject::sample_of(run);
    last_ = std::move(run);
    return sample;
  }

  PathsRun& last() { return last_; }
  std::vector<Count>& by_length() { return by_length_; }

 private:
  PathsRun counted() {
    const std::uint64_t limit = memory_limit_of(options_);
    PathsRun run{.states = diagram_.nodes(),
                 .nodes = diagram_.nodes(),
                 .peak_bytes = diagram_.bytes(),
                 .diagram = diagram_};
    const double start = now_seconds();
    if (options_.by_length) {
      by_length_ = diagram_.count_by_size(limit);
      if (by_length_.empty()) by_length_.emplace_back(0);  // none of length 0, as of a graph
      for (const Count& count : by_length_) run.count += count;
    } else {
      run.count = diagram_.count(team_, limit);
    }
    run.seconds = now_seconds() - start;
    return run;
  }

  const PathsOptions& options_;
  const paths::Diagram diagram_;
  Team& team_;
  const std::vector<MetricKind> metrics_ = PathsSubject({}).metrics();
  PathsRun last_;
  std::vector<Count> by_length_;
};

std::vector<std::string> names_of(const paths::Diagram& diagram) {
  if (!diagram.names().empty()) return diagram.names();
  std::vector<std::string> numbers;
  for (std::size_t item = 0; item < diagram.items(); ++item) {
    numbers.push_back(std::to_string(item + 1));
  }
  return numbers;
}

/// A picture of a diagram without names has numbers of items; other forms have what they had.
void save(const PathsOptions& options, const paths::Diagram& diagram) {
  if (!options.save.empty()) paths::write_diagram(diagram, options.save);
}

PathsResult count(const PathsOptions& options, const paths::Diagram& diagram, Team& team) {
  SavedDiagram subject(options, diagram, team);
  const Configuration configuration{team.mapping()};
  RecordBuilder record(subject, configuration);
  for (std::size_t i = 0; i < options.repeat; ++i) record.add(*subject.run(configuration));
  PathsResult result;
  result.run = std::move(subject.last());
  result.by_length = std::move(subject.by_length());
  result.record = record.finish();
  result.names = names_of(diagram);
  return result;
}

/// Which a thread counts before others would have started.
constexpr std::size_t kFewNodes = 1 << 16;

}  // namespace

bool is_saved_diagram(const std::string& file) {
  constexpr std::array<std::string_view, 3> kEndings = {".kzdd", ".setset", ".zbdd"};
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return file.ends_with(end); });
}

int run_saved(const PathsOptions& options) {
  need_none(options.of_graph,
            fmt::format("is for a graph, and '{}' is a diagram that was saved: expected none",
                        detail::printable(options.settings.graph)));
  detail::Signals signals;
  PathsTeam team(options);
  PathsResult result;
  {
    const detail::Signals::Ending ending(signals);
    const paths::Diagram read = paths::read_diagram(options.settings.graph);
    if (read.nodes() > kFewNodes) team.grow();
    result = count(options, read, *team);
  }
  const paths::Diagram& diagram = *result.run->diagram;
  if (options.wants_members()) {
    result.members = take_members(options, result.run->count, diagram, signals);
    if (signals.interrupted() != 0) return end_interrupted(signals, "nothing is written");
  }
  save(options, diagram);
  if (signals.interrupted() != 0) return end_interrupted(signals, "only the diagram is written");
  tell(options, result, signals);
  return kDone;
}

}  // namespace kinjo::cli
