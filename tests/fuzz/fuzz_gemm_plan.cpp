/// Any text as a plan: an `Error`, or a plan that reads back as the same plan.
#include <cstdlib>

#include <kinjo/error.hpp>
#include <kinjo/gemm_plan.hpp>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kinjo::gemm::Problem problem;
  problem.m = problem.n = problem.k = 3000;
  problem.threads = 64;
  problem.caches = {};
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto plan = kinjo::gemm::Plan::parse(text, problem);
    if (kinjo::gemm::Plan::parse(plan.to_string(), problem) != plan) std::abort();
    if (plan.tasks() > problem.threads) std::abort();
    if (!(plan.bytes_moved(problem).memory > 0)) std::abort();
  } catch (const kinjo::Error&) {
  }
  return 0;
}
