/// Records of Fourier transforms, for tests of what is made of them.
#pragma once

#include <string>

#include "measure/record.hpp"

namespace kinjo::test {

/// A step takes as many milliseconds as its number says, and moves 100 times as many bytes.
inline Record fft_record(const char* size, const char* numbers, const char* policy,
                         std::size_t threads) {
  Record record{.workload = "fft",
                .parameters = {{"size", size},
                               {"precision", "double"},
                               {"numbers", numbers},
                               {"place", "out"},
                               {"data", "block"},
                               {"deal", "block"},
                               {"in_cache", "automatic"},
                               {"overlap", "automatic"}},
                .policy = policy,
                .threads = threads,
                .metrics = {{"mflops", "MFLOP/s", {3123}},
                            {"limit", "MFLOP/s", {6246}},
                            {"share", "%", {50}},
                            {"seconds", "s", {0.644}}},
                .result = {{"level", "memory"}}};
  if (record.parameters[2].second == Value("real")) return record;
  record.metrics.push_back({"memory_ms", "ms", {432}});
  record.metrics.push_back({"compute_ms", "ms", {212}});
  record.result.push_back({"moved_bytes", std::int64_t{1} << 30});
  record.result.push_back({"moved_arrays", 4.0});
  int ms = 0;
  for (const char* name : {"load_1", "compute_1", "store_1", "load_2", "compute_2", "store_2"}) {
    record.result.push_back({std::string(name) + "_ms", static_cast<double>(++ms)});
    record.result.push_back({std::string(name) + "_bytes", std::int64_t{ms * 100}});
  }
  return record;
}

}  // namespace kinjo::test
