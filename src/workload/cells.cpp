#include "workload/cells.hpp"

#include <utility>

#include "measure/sampling.hpp"
#include "measure/statistics.hpp"
#include "workload/cells_records.hpp"

namespace kinjo {

namespace {

/// The record that a sweep compares: the only form's, of a ping-pong that of put.
const Record& judged(const std::vector<Record>& records, CellsApp app) {
  if (app == CellsApp::pingpong) {
    for (const Record& record : records) {
      for (const auto& [name, value] : record.parameters) {
        if (name == "way" && value == Value(std::string("put"))) return record;
      }
    }
  }
  return records.front();
}

std::string fault_of(const Record& record) {
  for (const auto& [name, value] : record.result) {
    if (name == "fault") return std::get<std::string>(value);
  }
  return "";
}

}  // namespace

CellsSubject::CellsSubject(const CellsSettings& settings)
    : settings_(settings), metrics_(cells_metrics(settings.app)) {
  settings_.sizes.resize(1);
  settings_.verify = true;
  settings_.tracing = comm::Tracing::off;
  if (settings_.app == CellsApp::gemm) {
    // 2 n³ operations, and A and B in, C in and out at least: as a product within one process.
    metrics_.front().flops_per_byte = static_cast<double>(settings_.sizes.front()) / 16;
  }
}

Values CellsSubject::parameters() const {
  Values values = cells_parameters(settings_, settings_.forms.front());
  values.push_back({"bind", to_string(settings_.bind)});
  return values;
}

CellsOutcome CellsSubject::traced(const Mapping& mapping) const {
  CellsSettings settings = settings_;
  settings.tracing = comm::Tracing::on;
  settings.verify = false;
  return run_cells(settings, mapping);
}

std::optional<Sample> CellsSubject::run(const Configuration& configuration) {
  const double start = now_seconds();
  Sample sample;
  if (settings_.app == CellsApp::pingpong && configuration.mapping.size() < 2) {
    sample.fault = "a ping-pong needs two cells";
    return sample;
  }
  check_cells_memory(settings_, configuration.mapping.size(), 0);
  const CellsOutcome outcome = run_cells(settings_, configuration.mapping);
  const auto records = cells_records(settings_, outcome, configuration.mapping.policy().name());
  const Record& record = judged(records, settings_.app);
  for (const MetricKind& kind : metrics_) {
    sample.values.push_back(summarize(find_metric(record, kind.name).samples).median);
  }
  sample.result = record.result;
  std::erase_if(sample.result, [](const auto& value) { return value.first == "fault"; });
  sample.fault = fault_of(record);
  sample.seconds = now_seconds() - start;
  return sample;
}

}  // namespace kinjo
