#include "workload/paths.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "measure/sampling.hpp"
#include "workload/choose.hpp"

namespace kinjo {

void set_paths(PathsSettings& settings, const std::string& name, const std::string& value) {
  using paths::EdgeOrder;
  constexpr unsigned kMost = std::numeric_limits<unsigned>::max();
  if (name == "graph") {
    settings.graph = value;
  } else if (name == "kind") {
    choose_paths_kind(value, true);
    settings.kind = value;
  } else if (name == "components") {
    settings.components = choose_whole(name, value, 1, kMost);
  } else if (name == "degrees") {
    settings.degrees.clear();
    for (const std::string_view degree : detail::split(value, ',')) {
      settings.degrees.push_back(static_cast<unsigned>(choose_whole(name, degree, 0, kMost)));
    }
  } else if (name == "from") {
    settings.from = value;
  } else if (name == "to") {
    settings.to = value;
  } else if (name == "order") {
    settings.order = choose<EdgeOrder>(name, value,
                                       {{"automatic", EdgeOrder::automatic},
                                        {"breadth", EdgeOrder::breadth},
                                        {"frontier", EdgeOrder::frontier},
                                        {"given", EdgeOrder::given}});
  } else if (name == "method") {
    settings.method = choose<PathsMethod>(name, value,
                                          {{"automatic", PathsMethod::automatic},
                                           {"sweep", PathsMethod::sweep},
                                           {"diagram", PathsMethod::diagram},
                                           {"grid", PathsMethod::grid},
                                           {"determinant", PathsMethod::determinant}});
  } else {
    throw Error(Errc::invalid_argument,
                fmt::format("paths has no parameter '{}': expected {}", name, kPathsParameters));
  }
}

std::vector<std::string> listed_graphs(const std::string& text) {
  std::vector<std::string> graphs;
  for (const std::string_view part : detail::split(text, ',')) {
    if (!paths::is_rule(part)) return {text};
    if (std::ranges::find(graphs, part) == graphs.end()) graphs.emplace_back(part);
  }
  return graphs;
}

PathsSubject::PathsSubject(const PathsSettings& settings)
    : settings_(settings),
      metrics_({{.name = "mstates", .unit = "M/s"},
                {.name = "seconds", .unit = "s", .better = Better::lower}}) {}

Values PathsSubject::parameters() const {
  Values values = {{"graph", settings_.graph}, {"kind", settings_.kind}};
  if (!settings_.from.empty()) values.push_back({"from", settings_.from});
  if (!settings_.to.empty()) values.push_back({"to", settings_.to});
  const auto add_list = [&](const char* name, const auto& list) {
    if (!list.empty()) values.push_back({name, fmt::format("{}", fmt::join(list, ","))});
  };
  add_list("through", settings_.through);
  add_list("avoid", settings_.avoid);
  add_list("degrees", settings_.degrees);
  if (settings_.kind == "components") {
    values.push_back({"components", static_cast<std::int64_t>(settings_.components)});
  }
  if (settings_.parallel == paths::Parallel::keep) values.push_back({"parallel", "keep"});
  values.push_back({"order", to_string(settings_.order)});
  values.push_back({"method", to_string(settings_.method)});
  values.push_back({"bind", to_string(settings_.bind)});
  return values;
}

Sample PathsSubject::sample_of(const PathsRun& run) {
  Sample sample;
  sample.values = {static_cast<double>(run.states) / run.seconds / 1e6, run.seconds};
  sample.result = {{"count", run.count.to_string()},
                   {"states", static_cast<std::int64_t>(run.states)},
                   {"peak_bytes", static_cast<std::int64_t>(run.peak_bytes)}};
  if (run.diagram) sample.result.push_back({"nodes", static_cast<std::int64_t>(run.nodes)});
  return sample;
}

std::optional<Sample> PathsSubject::run(const Configuration& configuration) {
  const double start = now_seconds();
  Team team(configuration.mapping, {.bind = settings_.bind, .caller = Caller::joins});
  const PathsInput input = load_paths(team, settings_);
  std::optional<paths::Family> family;
  if (has_family(input.method)) family.emplace(input.problem);
  if (!expected_)
    expected_ = count_otherwise(team, input, {.memory_limit = settings_.memory_limit});
  const PathsRun run = run_paths(team, input, family, {.memory_limit = settings_.memory_limit});
  Sample sample = sample_of(run);
  if (run.count != *expected_) {
    sample.fault = fmt::format("counted {}, but {} by a second way", run.count.to_string(),
                               expected_->to_string());
  }
  sample.seconds = now_seconds() - start;
  return sample;
}

}  // namespace kinjo
