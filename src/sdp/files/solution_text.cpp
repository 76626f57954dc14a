#include "sdp/files/solution_text.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "memory/available.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Bytes of X and Y together; of orders that no memory holds, some number that is greater still.
double bytes_of(std::span<const Block> blocks) {
  double values = 0;
  for (const Block& block : blocks) {
    const double n = block.order;
    values += block.kind == BlockKind::diagonal ? n : n * n;
  }
  return 2 * values * sizeof(double);
}

void check_memory(double need, const std::string& file) {
  constexpr double kAlwaysThere = 16 << 20, kMost = 0x1p62;
  if (need <= kAlwaysThere) return;
  const std::uint64_t available = kinjo::detail::read_available_memory("");
  if (need < kMost && (available == 0 || need <= static_cast<double>(available))) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("cannot read '{}': X and Y take {:.3g} bytes: the system has {}",
                  kinjo::detail::printable(file), need, kinjo::detail::format_bytes(available)));
}

}  // namespace

Solution empty_solution(const Problem& problem, const std::string& file) {
  check_memory(bytes_of(problem.blocks()), file);
  Solution solution;
  solution.status = Status::optimal;
  solution.x.resize(problem.constraints());
  solution.X = BlockMatrix(problem.blocks());
  solution.Y = BlockMatrix(problem.blocks());
  return solution;
}

void symmetrise(BlockMatrix& matrix) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    if (matrix.blocks()[b].kind == BlockKind::diagonal) continue;
    const std::size_t n = matrix.blocks()[b].order;
    const std::span<double> values = matrix.block(b);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        double &upper = values[i + n * j], &lower = values[j + n * i];
        upper = lower = upper == lower ? upper : upper / 2 + lower / 2;
      }
    }
  }
}

void find_objectives(const Problem& problem, Solution& solution) {
  double primal = 0, dual = 0;
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    primal += problem.costs()[i] * solution.x[i];
  }
  for (const Entry& e : problem.matrix(0)) {
    const Block shape = problem.blocks()[e.block];
    const auto values = solution.Y.block(e.block);
    dual += shape.kind == BlockKind::diagonal
                ? e.value * values[e.row]
                : (e.row == e.column ? 1 : 2) * e.value *
                      values[e.row + std::size_t{shape.order} * e.column];
  }
  solution.primal_objective = primal;
  solution.dual_objective = dual;
}

}  // namespace kinjo::sdp::detail
