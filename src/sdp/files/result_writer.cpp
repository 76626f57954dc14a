/// Writing SDPA's `.result`.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp_files.hpp>

#include "base/whole_file.hpp"

namespace kinjo::sdp {

namespace {

const char* phase_of(Status status) {
  switch (status) {
    case Status::optimal:
      return "pdOPT";
    case Status::near_optimal:
      return "pdFEAS";
    case Status::primal_infeasible:
      return "pINF_dFEAS";
    case Status::dual_infeasible:
      return "pFEAS_dINF";
    case Status::limit:
    case Status::numerical_failure:
      break;
  }
  return "noINFO";
}

/// Where an entry and its mirror image lie in their block.
struct Position {
  std::size_t at, mirrored;
};
Position position_of(const Entry& e, Block shape) {
  const std::size_t n = shape.order;
  if (shape.kind == BlockKind::diagonal) return {e.row, e.row};
  return {e.row + n * e.column, e.column + n * e.row};
}

/// max |Σ F_i x_i − F_0 − X|
double primal_violation(const Problem& problem, const Solution& solution) {
  BlockMatrix sum(problem.blocks());
  for (std::size_t i = 0; i <= problem.constraints(); ++i) {
    const double factor = i == 0 ? -1 : solution.x[i - 1];
    for (const Entry& e : problem.matrix(i)) {
      sum.block(e.block)[position_of(e, problem.blocks()[e.block]).at] += factor * e.value;
    }
  }
  double most = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Block shape = problem.blocks()[b];
    const std::span<const double> mine = sum.block(b), X = solution.X.block(b);
    const bool is_diagonal = shape.kind == BlockKind::diagonal;
    for (std::uint32_t j = 0; j < shape.order; ++j) {
      for (std::uint32_t i = is_diagonal ? j : 0; i <= j; ++i) {
        const std::size_t at = position_of({0, i, j, 0}, shape).at;
        most = std::max(most, std::abs(mine[at] - X[at]));
      }
    }
  }
  return most;
}

/// max |F_i • Y − c_i|
double dual_violation(const Problem& problem, const Solution& solution) {
  double most = 0;
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    double sum = -problem.costs()[i];
    for (const Entry& e : problem.matrix(i + 1)) {
      const Position p = position_of(e, problem.blocks()[e.block]);
      const auto Y = solution.Y.block(e.block);
      sum += e.value * (e.row == e.column ? Y[p.at] : Y[p.at] + Y[p.mirrored]);
    }
    most = std::max(most, std::abs(sum));
  }
  return most;
}

bool has_shape(const BlockMatrix& matrix, const Problem& problem) {
  return std::ranges::equal(matrix.blocks(), problem.blocks());
}

/// The text, piece by piece: of a matrix that takes gigabytes it takes many times as much.
class ResultWriter {
 public:
  /// Throws `Error` (`invalid_argument`) for a solution of another shape.
  ResultWriter(const Problem& problem, const Solution& solution)
      : problem_(problem), solution_(solution) {
    if (solution.x.size() != problem.constraints() || !has_shape(solution.X, problem) ||
        !has_shape(solution.Y, problem)) {
      throw Error(Errc::invalid_argument, "the solution's shape is not the problem's");
    }
  }

  /// The next piece, which is there until it is asked again; empty at the end.
  std::string_view next() {
    constexpr std::size_t kPiece = 1 << 20;
    text_.clear();
    while (text_.size() < kPiece && add_next()) {
    }
    return {text_.data(), text_.size()};
  }

 private:
  /// Whether there was anything.
  bool add_next() {
    if (!std::exchange(is_begun_, true)) {
      add_head();
    } else if (matrix_ == std::size(kMatrices)) {
      return false;
    } else {
      add_lines(solution_.*kMatrices[matrix_].second);
    }
    return true;
  }

  void add_head() {
    add_iterations();
    add_summary();
    add("xVec = \n");
    add_values(solution_.x, 0, 1, solution_.x.size());
    add("\n");
  }
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Arguments>(arguments)...);
  }

  void add_iterations() {
    add("   mu      thetaP  thetaD  objP      objD      alphaP  alphaD  beta \n");
    for (const Iteration& it : solution_.iterations) {
      add("{:2} {:.1e} {:.1e} {:.1e} {:+.2e} {:+.2e} {:.1e} {:.1e} {:.2e}\n", it.number, it.mu,
          it.primal_error, it.dual_error, it.primal_objective, it.dual_objective, it.primal_step,
          it.dual_step, it.beta);
    }
  }

  void add_summary() {
    const double primal = solution_.primal_objective, dual = solution_.dual_objective;
    const double gap = primal - dual, size = (std::abs(primal) + std::abs(dual)) / 2;
    const double mu = solution_.iterations.empty() ? 0 : solution_.iterations.back().mu;
    // SDPA's figure for a gap of nothing.
    const double digits = gap == 0 ? 1000 : -std::log10(std::abs(gap) / size);
    add("\nphase.value  = {:<10}\n", phase_of(solution_.status));
    add("   Iteration = {}\n",
        solution_.iterations.empty() ? 0 : solution_.iterations.back().number);
    add("          mu = {:+.16e}\n", mu);
    add("relative gap = {:+.16e}\n", std::abs(gap) / std::max(1.0, size));
    add("        gap  = {:+.16e}\n", gap);
    add("     digits  = {:+.16e}\n", digits);
    add("objValPrimal = {:+.16e}\n", primal);
    add("objValDual   = {:+.16e}\n", dual);
    add("p.feas.error = {:+.16e}\n", primal_violation(problem_, solution_));
    add("d.feas.error = {:+.16e}\n\n", dual_violation(problem_, solution_));
  }

  void add_values(std::span<const double> values, std::size_t first, std::size_t step,
                  std::size_t count) {
    add("{{");
    for (std::size_t k = 0; k < count; ++k) {
      add("{}{:+.16e}", k == 0 ? "" : ",", values[first + k * step]);
    }
    add("}}");
  }

  /// The next row of the matrix, with what stands before and behind it.
  void add_lines(const BlockMatrix& matrix) {
    if (block_ == 0 && row_ == 0) add("{} = \n{{\n", kMatrices[matrix_].first);
    if (block_ < matrix.blocks().size()) add_row(matrix);
    if (block_ < matrix.blocks().size()) return;
    add("}}\n");
    block_ = 0;
    ++matrix_;
  }

  void add_row(const BlockMatrix& matrix) {
    const Block shape = matrix.blocks()[block_];
    const std::size_t n = shape.order;
    if (shape.kind == BlockKind::diagonal || n == 1) {
      add_values(matrix.block(block_), 0, 1, n);
      add("\n");
      ++block_;
      return;
    }
    if (n > 0) {
      add("{}", row_ == 0 ? "{ " : "  ");
      add_values(matrix.block(block_), row_, n, n);
      add("{}\n", row_ + 1 == n ? "   }" : ",");
    }
    if (++row_ < n) return;
    row_ = 0;
    ++block_;
  }

  static constexpr std::pair<const char*, BlockMatrix Solution::*> kMatrices[] = {
      {"xMat", &Solution::X}, {"yMat", &Solution::Y}};

  const Problem& problem_;
  const Solution& solution_;
  fmt::memory_buffer text_;
  bool is_begun_ = false;
  std::size_t matrix_ = 0, block_ = 0, row_ = 0;  ///< of the next row
};

/// Somebody has asked to stop.
struct Ended {};

}  // namespace

std::string result_text(const Problem& problem, const Solution& solution) {
  ResultWriter writer(problem, solution);
  std::string text;
  for (std::string_view piece = writer.next(); !piece.empty(); piece = writer.next()) text += piece;
  return text;
}

bool write_result(const Problem& problem, const Solution& solution, const std::string& file,
                  const std::function<bool()>& go_on) {
  ResultWriter writer(problem, solution);
  try {
    kinjo::detail::write_whole_file(file, [&] {
      if (go_on && !go_on()) throw Ended();
      return writer.next();
    });
    return true;
  } catch (const Ended&) {
    return false;
  }
}

}  // namespace kinjo::sdp
