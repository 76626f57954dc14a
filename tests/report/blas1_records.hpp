/// Invented records of BLAS-1 and its ladder.
#pragma once

#include <string>
#include <vector>

#include "measure/record.hpp"

namespace kinjo::test {

inline Record blas1_record(const char* kernel, std::int64_t size, double reached, double limit,
                           const char* policy = "none", std::size_t threads = 1) {
  Record r{.workload = "blas1",
           .parameters = {{"kernel", kernel}, {"size", size}},
           .policy = policy,
           .threads = threads,
           .result = {{"bound_by", "loads"}, {"level", "L1"}, {"calls", "one thread"}}};
  const bool computes = std::string(kernel) != "copy";
  if (computes) r.metrics.push_back({"gflops", "GFLOP/s", {reached}, 0.125});
  r.metrics.push_back({"bandwidth", "GB/s", {8 * reached}});
  r.metrics.push_back({"limit", computes ? "GFLOP/s" : "GB/s", {computes ? limit : 8 * limit}});
  r.metrics.push_back({"share", "%", {100 * reached / limit}});
  return r;
}

inline Record rung_record(const char* kernel, const char* rung, double reached, double predicted) {
  Record r{.workload = "blas1-ladder",
           .parameters = {{"kernel", kernel}, {"size", std::int64_t{1024}}, {"rung", rung}},
           .policy = "none",
           .threads = 1,
           .metrics = {{"gflops", "GFLOP/s", {reached}}, {"share", "%", {reached * 4}}},
           .result = {{"peak_gflops", 25.0}, {"limit_gflops", 20.0}, {"level", "L1"}}};
  if (predicted > 0) {
    r.result.push_back({"latency_cycles", 3.0});
    r.result.push_back({"predicted_gflops", predicted});
    if (std::string(rung) != "plain") r.result.push_back({"ports", 2.0});
  }
  return r;
}

/// A sum's ladder with two rungs of vectors.
inline std::vector<Record> ladder_records() {
  return {rung_record("sum", "plain", 1, 1.1), rung_record("sum", "1 vector", 4, 4.5),
          rung_record("sum", "2 vectors", 8, 9), rung_record("sum", "library", 19, 0)};
}

}  // namespace kinjo::test
