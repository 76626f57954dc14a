/// Multiplication by shifted blocks (S4 section 4.1): rounds of a product by the form and one
/// without communication, in turn.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/comm_apps.hpp>

#include "comm/apps/rounds.hpp"
#include "comm/apps/shift_steps.hpp"
#include "comm/apps/shift_verify.hpp"

namespace kinjo::comm {

namespace {

using namespace detail;

void check(World& world, const ShiftGemmOptions& options) {
  if (options.size == 0)
    throw Error(Errc::invalid_argument, "matrices of order 0: expected at least 1");
  if (options.ahead < 1) {
    throw Error(Errc::invalid_argument,
                fmt::format("blocks for {} steps ahead: expected at least 1", options.ahead));
  }
  check_forms(world, options.forms);
}

/// To how many cells a block is put at a time.
int ahead_of(const ShiftGemmOptions& options, int cells) {
  return std::clamp(options.ahead, 1, std::max(1, cells - 1));
}

/// The mean over the rounds.
ShiftGemmTimes mean(const ShiftGemmTimes& sum, std::size_t rounds) {
  const auto count = static_cast<double>(rounds);
  return {sum.multiply / count, sum.put / count, sum.wait / count, sum.barrier / count};
}

}  // namespace

std::vector<ShiftGemmResult> shift_gemm(World& world, const ShiftGemmOptions& options) {
  check(world, options);
  const int ahead = ahead_of(options, world.cells());
  ShiftMatrices matrices(world, options.size, ahead + 1);
  ShiftSteps steps(world, matrices, ahead);
  std::vector<ShiftGemmTimes> times(options.forms.size());
  ShiftGemmTimes ignored;
  Rounds rounds(world, options.rounds, options.tracing);
  rounds.run(
      options.forms.size(), [&](std::size_t f) { steps.run(options.forms[f], times[f]); },
      [&] { steps.run_alone(ignored); }, [&] { times.assign(times.size(), {}); });
  std::vector<ShiftGemmResult> results;
  for (std::size_t f = 0; f < options.forms.size(); ++f) {
    results.push_back(result_of<ShiftGemmResult>(world, rounds, options.forms, f,
                                                 mean(times[f], options.rounds)));
    if (!options.verify) continue;
    matrices.forget_c();
    steps.run(options.forms[f], ignored);
    results.back().fault = shift_fault(world, matrices);
    results.back().verified = results.back().fault.empty();
  }
  return results;
}

std::size_t shift_gemm_heap_bytes(const ShiftGemmOptions& options, int cells) {
  const std::size_t block = largest_block(options.size, cells) *
                            gemm::placed_line(options.size, sizeof(double)) * sizeof(double);
  const auto blocks = static_cast<std::size_t>(4 + ahead_of(options, cells));
  return blocks * (block + kHeapSlack) + static_cast<std::size_t>(cells) * 64 + kHeapSlack;
}

}  // namespace kinjo::comm
