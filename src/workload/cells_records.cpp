#include "workload/cells_records.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "measure/statistics.hpp"

namespace kinjo {

namespace {

using comm::PingpongLine;
using comm::PingWay;

/// Floating-point operations for an unknown in an iteration: 6 of the five-point equation, 4 of two
/// updates, 2 of the third, and 4 of two inner products.
constexpr double kScgFlops = 16;

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b,
                           double scale) {
  std::vector<double> list;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (b[i] > 0) list.push_back(scale * a[i] / b[i]);
  }
  return list;
}

std::vector<double> scaled(std::vector<double> values, double scale) {
  for (double& value : values) value *= scale;
  return values;
}

/// What each cell did, by a member of what it noted.
template <class Times>
std::vector<double> by_cell(const std::vector<Times>& cells, double Times::*part) {
  std::vector<double> list;
  for (const Times& times : cells) list.push_back(times.*part);
  return list;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// A record of one form, without what is the program's own.
Record form_record(const CellsSettings& settings, comm::Form form, std::size_t cells,
                   const std::string& policy) {
  return {.workload = "cells",
          .parameters = cells_parameters(settings, form),
          .policy = policy,
          .threads = cells};
}

/// The metrics that `gemm` and `scg` have alike.
template <class Result>
void add_metrics(Record& record, const Result& result, double flops, double waited) {
  record.metrics = {
      {.name = "gflops", .unit = "GFLOP/s", .samples = {}},
      {.name = "seconds", .unit = "s", .samples = result.seconds},
      {.name = "alone_seconds", .unit = "s", .samples = result.alone_seconds},
      {.name = "efficiency",
       .unit = "%",
       .samples = ratios(result.alone_seconds, result.seconds, 100)},
      {.name = "waiting", .unit = "%", .samples = {100 * waited / mean(result.seconds)}},
  };
  for (const double seconds : result.seconds) {
    record.metrics[0].samples.push_back(flops / seconds / 1e9);
  }
  record.verified = result.verified;
  if (!result.fault.empty()) record.result.push_back({"fault", result.fault});
}

Record gemm_record(Record record, const comm::ShiftGemmResult& result, double n) {
  using Times = comm::ShiftGemmTimes;
  const auto wait = by_cell(result.cells, &Times::wait);
  const auto barrier = by_cell(result.cells, &Times::barrier);
  record.result = {{"multiply_by_cell", by_cell(result.cells, &Times::multiply)},
                   {"put_by_cell", by_cell(result.cells, &Times::put)},
                   {"wait_by_cell", wait},
                   {"barrier_by_cell", barrier}};
  add_metrics(record, result, 2 * n * n * n, mean(wait) + mean(barrier));
  return record;
}

Record scg_record(Record record, const comm::ScgResult& result, double n) {
  using Times = comm::ScgTimes;
  const auto wait = by_cell(result.cells, &Times::wait);
  const auto reduce = by_cell(result.cells, &Times::reduce);
  record.result = {{"iterations", static_cast<std::int64_t>(result.iterations)},
                   {"residual", result.residual},
                   {"error", result.error},
                   {"compute_by_cell", by_cell(result.cells, &Times::compute)},
                   {"halo_by_cell", by_cell(result.cells, &Times::halo)},
                   {"wait_by_cell", wait},
                   {"reduce_by_cell", reduce}};
  const double flops = kScgFlops * n * n * static_cast<double>(result.iterations);
  add_metrics(record, result, flops, mean(wait) + mean(reduce));
  return record;
}

const PingpongLine* find_line(const comm::PingpongResult& result, PingWay way, std::size_t bytes) {
  for (const PingpongLine& line : result.lines) {
    if (line.way == way && (bytes == 0 || line.bytes == bytes)) return &line;
  }
  return nullptr;
}

/// One way and size; beside the ping-pong by hand where it is of as many bytes, and a copy.
Record ping_record(const CellsSettings& settings, const comm::PingpongResult& result,
                   const PingpongLine& line) {
  Record record{.workload = "cells",
                .parameters = {{"app", std::string("pingpong")},
                               {"size", static_cast<std::int64_t>(line.bytes)},
                               {"way", std::string(to_string(line.way))},
                               {"transport", std::string(to_string(settings.transport))},
                               {"rounds", static_cast<std::int64_t>(settings.rounds)}}};
  const PingpongLine* hand = find_line(result, PingWay::by_hand, line.bytes);
  const PingpongLine* copy = find_line(result, PingWay::copy, line.bytes);
  const Metric metrics[] = {
      {.name = "latency_ns", .unit = "ns", .samples = scaled(line.latency_seconds, 1e9)},
      {.name = "latency_to_hand",
       .unit = "",
       .samples =
           hand ? ratios(line.latency_seconds, hand->latency_seconds, 1) : std::vector<double>()},
      {.name = "send_overhead_ns",
       .unit = "ns",
       .samples = scaled(line.send_overhead_seconds, 1e9)},
      {.name = "receive_overhead_ns",
       .unit = "ns",
       .samples = scaled(line.receive_overhead_seconds, 1e9)},
      {.name = "bandwidth", .unit = "GB/s", .samples = scaled(line.bytes_per_second, 1e-9)},
      {.name = "bandwidth_to_copy",
       .unit = "",
       .samples = copy ? ratios(line.bytes_per_second, copy->bytes_per_second, 1)
                       : std::vector<double>()}};
  for (const Metric& metric : metrics) {
    if (!metric.samples.empty()) record.metrics.push_back(metric);
  }
  record.result = {{"path", std::string(to_string(result.path))}};
  return record;
}

}  // namespace

std::vector<MetricKind> cells_metrics(CellsApp app) {
  if (app == CellsApp::pingpong) {
    return {{.name = "latency_ns", .unit = "ns", .better = Better::lower},
            {.name = "bandwidth", .unit = "GB/s"}};
  }
  return {{.name = "gflops", .unit = "GFLOP/s"},
          {.name = "seconds", .unit = "s", .better = Better::lower},
          {.name = "alone_seconds", .unit = "s", .better = Better::lower},
          {.name = "efficiency", .unit = "%"},
          {.name = "waiting", .unit = "%", .better = Better::lower}};
}

Values cells_parameters(const CellsSettings& settings, comm::Form form) {
  Values values = {{"app", std::string(to_string(settings.app))},
                   {"size", static_cast<std::int64_t>(settings.sizes.front())}};
  if (settings.app != CellsApp::pingpong) values.push_back({"form", std::string(to_string(form))});
  if (settings.ahead > 0) {
    values.push_back({"ahead", static_cast<std::int64_t>(settings.ahead)});
  }
  values.push_back({"transport", std::string(to_string(settings.transport))});
  values.push_back({"rounds", static_cast<std::int64_t>(settings.rounds)});
  return values;
}

std::vector<Record> cells_records(const CellsSettings& settings, const CellsOutcome& outcome,
                                  const std::string& policy) {
  const auto n = static_cast<double>(settings.sizes.front());
  std::vector<Record> records;
  for (const PingpongLine& line : outcome.pingpong.lines) {
    records.push_back(ping_record(settings, outcome.pingpong, line));
    records.back().policy = policy;
    records.back().threads = outcome.cells;
  }
  for (const comm::ShiftGemmResult& result : outcome.gemm) {
    records.push_back(
        gemm_record(form_record(settings, result.form, outcome.cells, policy), result, n));
  }
  for (const comm::ScgResult& result : outcome.scg) {
    records.push_back(
        scg_record(form_record(settings, result.form, outcome.cells, policy), result, n));
  }
  return records;
}

}  // namespace kinjo
