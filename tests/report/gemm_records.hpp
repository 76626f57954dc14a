/// Invented records of matrix products.
#pragma once

#include <string>

#include "measure/record.hpp"

namespace kinjo::test {

inline Record gemm_record(const char* size, const char* plan, double reached, double limit,
                          const char* policy = "none", std::size_t threads = 1) {
  return {.workload = "gemm",
          .parameters = {{"size", size}, {"plan", plan}},
          .policy = policy,
          .threads = threads,
          .metrics = {{"gflops", "GFLOP/s", {reached}, 128},
                      {"cpu_gflops", "GFLOP/s", {reached / 0.968}},
                      {"cpu_share", "%", {96.8}},
                      {"limit", "GFLOP/s", {limit}},
                      {"share", "%", {100 * reached / limit}},
                      {"seconds", "s", {0.25}}},
          .result = {{"plan", "N(n=4080)/C(k=256)/S(m=120)/V(n)/V(m)"},
                     {"short_plan", "N/C/S"},
                     {"tasks", std::int64_t{1}},
                     {"memory_bytes", std::int64_t{1} << 20},
                     {"l3_bytes", std::int64_t{3} << 20},
                     {"l2_bytes", std::int64_t{5} << 30},
                     {"packed_bytes", std::int64_t{1024}},
                     {"level", "L3"},
                     {"calls", "one thread"}}};
}

}  // namespace kinjo::test
