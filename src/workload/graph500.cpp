#include "workload/graph500.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "graph/limits.hpp"
#include "measure/sampling.hpp"
#include "workload/choose.hpp"
#include "workload/graph500_statistics.hpp"

namespace kinjo {

namespace {

using Rates = std::vector<double>;

Rates of_searches(const Graph500Result& result, double (*value)(const Graph500Search&)) {
  Rates values;
  for (const Graph500Search& search : result.searches) values.push_back(value(search));
  return values;
}
Rates teps_of(const Graph500Result& result) {
  return of_searches(result, [](const Graph500Search& s) { return s.teps(); });
}
Rates seconds_of(const Graph500Result& result) {
  return of_searches(result, [](const Graph500Search& s) { return s.seconds; });
}
Rates validations_of(const Graph500Result& result) {
  return of_searches(result, [](const Graph500Search& s) { return s.validation_seconds; });
}
Rates edges_of(const Graph500Result& result) {
  return of_searches(result, [](const Graph500Search& s) { return static_cast<double>(s.edges); });
}

/// `time_min`, `time_first_quartile` …
void add_statistics(Values& values, const std::string& name, const Rates& of) {
  const Graph500Statistics s = graph500_statistics(of);
  const std::pair<const char*, double> all[] = {
      {"min", s.min},         {"first_quartile", s.first_quartile},
      {"median", s.median},   {"third_quartile", s.third_quartile},
      {"max", s.max},         {"mean", s.mean},
      {"stddev", s.deviation}};
  for (const auto& [what, value] : all) {
    values.push_back({fmt::format("{}_{}", name, what), value});
  }
}

/// What the searches looked at, in the mean.
void add_work(Values& values, const Graph500Result& result) {
  double looked_at = 0, levels = 0, bottom_up = 0;
  for (const Graph500Search& search : result.searches) {
    levels += static_cast<double>(search.levels.size());
    for (const graph::Level& level : search.levels) {
      looked_at += static_cast<double>(level.looked_at);
      bottom_up += level.direction == graph::Direction::bottom_up;
    }
  }
  const auto n = static_cast<double>(result.searches.size());
  values.push_back({"looked_at", looked_at / n});
  values.push_back({"levels", levels / n});
  values.push_back({"levels_bottom_up", bottom_up / n});
}

Values result_values(const Graph500Result& result, bool validated) {
  Values values = {{"vertices", static_cast<std::int64_t>(result.vertices)},
                   {"edges", static_cast<std::int64_t>(result.edges)},
                   {"entries", static_cast<std::int64_t>(result.entries)},
                   {"graph_bytes", static_cast<std::int64_t>(result.graph_bytes)},
                   {"bytes_per_edge",
                    static_cast<double>(result.graph_bytes) / static_cast<double>(result.edges)},
                   {"parts", static_cast<std::int64_t>(result.parts)},
                   {"numbers", to_string(result.order)},
                   {"simd", to_string(simd_level())}};
  add_statistics(values, "time", seconds_of(result));
  add_statistics(values, "nedge", edges_of(result));
  const Rates rates = teps_of(result);
  add_statistics(values, "teps", rates);
  const HarmonicMean mean = harmonic_mean(rates);
  values.push_back({"teps_harmonic_mean", mean.mean});
  values.push_back({"teps_harmonic_stddev", mean.deviation});
  if (validated) add_statistics(values, "validate", validations_of(result));
  add_work(values, result);
  return values;
}

std::vector<MetricKind> metric_kinds() {
  const auto seconds = [](const char* name) {
    return MetricKind{.name = name, .unit = "s", .better = Better::lower};
  };
  return {{.name = "gteps", .unit = "GTEPS"},
          seconds("search"),
          seconds("construction"),
          seconds("generation"),
          seconds("validation")};
}

}  // namespace

void set_graph500(Graph500Settings& settings, const std::string& name, const std::string& value) {
  using graph::Order;
  if (name == "scale") {
    constexpr unsigned kMost = graph::detail::kMostScale<graph::VertexId>;
    settings.scale = static_cast<unsigned>(choose_whole(name, value, 1, kMost));
  } else if (name == "edgefactor") {
    settings.edge_factor = choose_whole(name, value, 1, 65536);
  } else if (name == "roots") {
    settings.roots = choose_whole(name, value, 1, 1'000'000);
  } else if (name == "bits") {
    settings.parent_bits = choose<unsigned>(name, value, {{"32", 32}, {"64", 64}});
  } else if (name == "listed") {
    settings.listed = choose<bool>(name, value, {{"yes", true}, {"no", false}});
  } else if (name == "order") {
    settings.order = choose<Order>(name, value,
                                   {{"automatic", Order::automatic},
                                    {"caller", Order::caller},
                                    {"degree", Order::degree},
                                    {"locality", Order::locality}});
  } else if (name == "validate") {
    settings.validate = choose<bool>(name, value, {{"yes", true}, {"no", false}});
  } else if (name == "pages") {
    settings.pages = choose_pages(value);
  } else {
    throw Error(Errc::invalid_argument, fmt::format("graph500 has no parameter '{}': expected {}",
                                                    name, kGraph500Parameters));
  }
}

Graph500Subject::Graph500Subject(const Graph500Settings& settings)
    : settings_(settings), metrics_(metric_kinds()) {}

Values Graph500Subject::parameters() const {
  Values values;
  if (!settings_.graph.empty()) values.push_back({"graph", settings_.graph});
  if (settings_.listed) values.push_back({"listed", "yes"});
  const Values others = {{"scale", static_cast<std::int64_t>(settings_.scale)},
                         {"edgefactor", static_cast<std::int64_t>(settings_.edge_factor)},
                         {"roots", static_cast<std::int64_t>(settings_.roots)},
                         {"bits", static_cast<std::int64_t>(settings_.parent_bits)},
                         {"order", to_string(settings_.order)},
                         {"pages", to_string(settings_.pages)},
                         {"bind", to_string(settings_.bind)}};
  for (const auto& value : others) {
    const bool of_rule = value.first == "scale" || value.first == "edgefactor";
    if (settings_.graph.empty() || !of_rule) values.push_back(value);
  }
  return values;
}

std::optional<Sample> Graph500Subject::run(const Configuration& configuration) {
  const double start = now_seconds();
  const Graph500Result result = run_graph500_once(settings_, configuration.mapping, {});
  Sample sample;
  sample.values = {harmonic_mean(teps_of(result)).mean / 1e9,
                   graph500_statistics(seconds_of(result)).mean, result.construction_seconds,
                   result.generation_seconds, graph500_statistics(validations_of(result)).mean};
  sample.fault = result.fault;
  sample.result = result_values(result, settings_.validate);
  sample.seconds = now_seconds() - start;
  return sample;
}

std::vector<Record> run_graph500(const Graph500Settings& settings,
                                 const std::vector<Mapping>& configurations,
                                 const ProgressSink& progress) {
  check_graph500(settings);
  const Graph500Subject subject(settings);
  std::vector<Record> records;
  for (const Mapping& mapping : configurations) {
    const Configuration configuration{mapping};
    const ProgressSink named = [&](const Progress& p) {
      if (!progress) return;
      progress({records.size() * settings.roots + p.done, configurations.size() * settings.roots,
                fmt::format("{}, {}", configuration.name(), p.now)});
    };
    Graph500Settings each = settings;
    if (!records.empty()) each.save.clear();  // the graph is the same
    const Graph500Result result = run_graph500_once(each, mapping, named);
    Record record{.workload = subject.name(),
                  .parameters = subject.parameters(),
                  .policy = mapping.policy().name(),
                  .threads = mapping.size(),
                  .result = result_values(result, settings.validate)};
    Rates gteps = teps_of(result);
    for (double& rate : gteps) rate /= 1e9;
    record.metrics = {{"gteps", "GTEPS", gteps},
                      {"search", "s", seconds_of(result)},
                      {"construction", "s", {result.construction_seconds}},
                      {"generation", "s", {result.generation_seconds}}};
    if (settings.validate) {
      record.metrics.push_back({"validation", "s", validations_of(result)});
      record.verified = result.fault.empty();
    }
    if (!result.fault.empty()) record.result.push_back({"fault", result.fault});
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace kinjo
