#include "sdp/face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/double_double.hpp"
#include "sdp/rank_one.hpp"
#include "sdp/reference/measure.hpp"
#include "sdp/serial.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

namespace {

using kinjo::detail::DoubleDouble;

/// Adds Vᵀ E V of one entry E of a matrix of the block to the builder.
class Congruence {
 public:
  Congruence(ProblemBuilder& builder, std::size_t matrix, std::size_t block, std::uint32_t pivot,
             const std::vector<double>& w)
      : builder_(builder), matrix_(matrix), block_(block), pivot_(pivot), w_(w) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (w[j] != 0) support_.push_back(j);
    }
  }

  void add(const Entry& e) const {
    if (e.row != pivot_ && e.column != pivot_) {
      add(row_of(e.row), row_of(e.column), e.value);
    } else if (e.row == e.column) {
      for (const std::size_t i : support_) {
        for (const std::size_t j : support_) {
          if (i <= j) add(i, j, e.value * w_[i] * w_[j]);
        }
      }
    } else {
      const std::size_t a = row_of(e.row == pivot_ ? e.column : e.row);
      for (const std::size_t j : support_) add(a, j, (a == j ? 2 : 1) * e.value * w_[j]);
    }
  }

 private:
  std::size_t row_of(std::uint32_t row) const { return row < pivot_ ? row : row - 1; }
  void add(std::size_t i, std::size_t j, double value) const {
    builder_.add(matrix_, block_, i, j, value);
  }

  ProblemBuilder& builder_;
  std::size_t matrix_, block_;
  std::uint32_t pivot_;
  const std::vector<double>& w_;
  std::vector<std::size_t> support_;
};

/// Whether a matrix of `block` alone, of which there are entries.
bool in_one_block(std::span<const Entry> entries) {
  return !entries.empty() && entries.front().block == entries.back().block;
}

bool is_certificate(const Solution& solution) { return solution.status == Status::dual_infeasible; }

/// What −λmin(X) is measured by: 1 + ‖F_0‖∞, or of a certificate what kinjo/sdp_verify.hpp has.
double unit_of(const Problem& problem, const Solution& solution) {
  if (!is_certificate(solution)) return reference::Scales(problem).matrix;
  double least_trace = 0;
  for (std::size_t i = 1; i <= problem.constraints(); ++i) {
    const double size = frobenius_norm(problem.matrix(i));
    if (size > 0) least_trace = std::max(least_trace, std::abs(problem.costs()[i - 1]) / size);
  }
  return least_trace > 0 ? 1 / least_trace : 1;
}

DoubleDouble product(std::span<const Entry> f, const BlockMatrix& Y) {
  DoubleDouble sum;
  for (const Entry& e : f) {
    const Block shape = Y.blocks()[e.block];
    const std::size_t place =
        shape.kind == BlockKind::diagonal ? e.row : e.column * std::size_t{shape.order} + e.row;
    sum += DoubleDouble((e.row == e.column ? 1 : 2) * e.value) * Y.block(e.block)[place];
  }
  return sum;
}

/// Objectives and errors of the restored x, X and Y, in 32 digits since x_i may be huge. That X is
/// indefinite by less than `kNothing` is not said.
void measure(const Problem& problem, double rest, double indefinite, Solution& solution) {
  constexpr double kNothing = 1e-10;
  const reference::Scales scales(problem);
  DoubleDouble primal, complementarity;
  double square = 0;
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    const double cost = problem.costs()[i];
    primal += DoubleDouble(cost) * solution.x[i];
    const double error = (product(problem.matrix(i + 1), solution.Y) - cost).high;
    square += error * error;
  }
  for (std::size_t b = 0; b < solution.X.blocks().size(); ++b) {
    const auto x = solution.X.block(b), y = solution.Y.block(b);
    for (std::size_t i = 0; i < x.size(); ++i) complementarity += DoubleDouble(x[i]) * y[i];
  }
  const DoubleDouble dual = product(problem.matrix(0), solution.Y);
  const double size = 1 + std::abs(primal.high) + std::abs(dual.high);
  solution.primal_objective = primal.high;
  solution.dual_objective = dual.high;
  auto& errors = solution.dimacs_errors;
  errors[0] = std::sqrt(square) / scales.cost;
  errors[2] = rest / scales.matrix;
  if (indefinite > kNothing) errors[3] = std::max(errors[3], indefinite);
  errors[4] = (primal - dual).high / size;
  errors[5] = complementarity.high / size;
}

/// What the errors leave of a status.
void lower_status(double tolerance, Solution& solution) {
  const double error = reference::worst(solution.dimacs_errors);
  Status& status = solution.status;
  if (status == Status::optimal && error > tolerance) status = Status::near_optimal;
  if (status == Status::near_optimal && error > 1000 * tolerance) {
    status = Status::numerical_failure;
  }
}

}  // namespace

FaceReduction::FaceReduction(const Problem& problem) : problem_(problem) { find_faces(); }

void FaceReduction::find_faces() {
  // X of a larger block would take more than any memory, and v in proportion to it.
  constexpr std::uint32_t kMostOrder = 1 << 20;
  std::vector<char> taken(problem_.blocks().size(), 0);
  for (std::size_t i = 1; i <= problem_.constraints(); ++i) {
    const auto entries = problem_.matrix(i);
    if (problem_.costs()[i - 1] != 0 || entries.size() < 3 || !in_one_block(entries)) continue;
    const std::uint32_t block = entries.front().block;
    const Block& shape = problem_.blocks()[block];
    if (taken[block] || shape.kind == BlockKind::diagonal || shape.order > kMostOrder) continue;
    std::vector<Term> terms;
    for (const Entry& e : entries) terms.push_back({e.row, e.column, e.value});
    RankOne one = find_rank_one(terms, shape.order);
    if (one.v.empty()) continue;
    const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto pivot =
        static_cast<std::uint32_t>(std::ranges::max_element(one.v, larger) - one.v.begin());
    Face face{i, block, pivot, std::move(one.v), {}, one.scale};
    for (std::size_t j = 0; j < face.v.size(); ++j) {
      if (j != pivot) face.w.push_back(-face.v[j] / face.v[pivot]);
    }
    taken[block] = 1;
    faces_.push_back(std::move(face));
  }
}

Problem FaceReduction::reduced() const {
  std::vector<Block> blocks(problem_.blocks().begin(), problem_.blocks().end());
  std::vector<const Face*> face_of(blocks.size(), nullptr);
  for (const Face& face : faces_) {
    --blocks[face.block].order;
    face_of[face.block] = &face;
  }
  ProblemBuilder builder(blocks, {problem_.costs().begin(), problem_.costs().end()});
  for (std::size_t k = 0; k <= problem_.constraints(); ++k) {
    for (const Entry& e : problem_.matrix(k)) {
      const Face* face = face_of[e.block];
      if (face == nullptr) {
        builder.add(k, e.block, e.row, e.column, e.value);
      } else if (face->constraint != k) {
        Congruence(builder, k, e.block, face->pivot, face->w).add(e);
      }
    }
  }
  return builder.finish();
}

void FaceReduction::restore_dual(const Face& face, const BlockMatrix& reduced,
                                 BlockMatrix& whole) const {
  const std::size_t n = face.v.size(), small = n - 1, p = face.pivot;
  const auto from = reduced.block(face.block);
  const auto to = whole.block(face.block);
  const auto row_of = [p](std::size_t r) { return r < p ? r : r + 1; };
  double corner = 0;
  for (std::size_t j = 0; j < small; ++j) {
    double edge = 0;
    for (std::size_t i = 0; i < small; ++i) {
      to[row_of(j) * n + row_of(i)] = from[j * small + i];
      edge += from[j * small + i] * face.w[i];
    }
    to[row_of(j) * n + p] = to[p * n + row_of(j)] = edge;
    corner += face.w[j] * edge;
  }
  to[p * n + p] = corner;
}

std::vector<double> FaceReduction::sum_of_others(const Face& face, const Solution& solution) const {
  const std::size_t n = face.v.size();
  std::vector<double> sum(n * n);
  for (std::size_t k = 0; k <= problem_.constraints(); ++k) {
    const double factor = k > 0 ? solution.x[k - 1] : is_certificate(solution) ? 0 : -1;
    if (k == face.constraint || factor == 0) continue;
    for (const Entry& e : problem_.matrix(k)) {
      if (e.block != face.block) continue;
      sum[e.column * n + e.row] += factor * e.value;
      if (e.row != e.column) sum[e.row * n + e.column] += factor * e.value;
    }
  }
  return sum;
}

double FaceReduction::choose_x(const Face& face, double unit, Solution& solution) const {
  const std::size_t n = face.v.size();
  const std::vector<double> others = sum_of_others(face, solution);
  std::vector<double> sum(n * n), factor(n * n);
  const auto choose = [&](double t) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        sum[j * n + i] = sum[i * n + j] = others[j * n + i] + t * face.v[i] * face.v[j];
      }
    }
    solution.x[face.constraint - 1] = face.scale * t;
  };
  const auto is_definite = [&](double tolerated) {
    factor = sum;
    for (std::size_t j = 0; j < n; ++j) factor[j * n + j] += tolerated * unit;
    return factorise(n, factor.data(), n);
  };
  double largest = is_certificate(solution) ? unit : 1, square = 0;
  for (const double v : others) largest = std::max(largest, std::abs(v));
  for (const double v : face.v) square += v * v;
  // Where only a huge x_i would do, X may be indefinite by as little as nobody minds, and as its
  // rounding is; but what other x_i have made of it is rounded likewise.
  constexpr double kMuch = 64;
  for (const double tolerated : {1e-10, 1e-9, 1e-8}) {
    const double farthest = std::max(tolerated * 0x1p53 * unit, kMuch * largest) / square;
    for (double t = largest / square; t <= farthest; t *= 4) {
      choose(t);
      if (is_definite(tolerated)) return tolerated;
    }
  }
  for (double tolerated = 5e-8; tolerated < 1; tolerated *= 10) {
    if (is_definite(tolerated)) return tolerated;
  }
  return std::numeric_limits<double>::infinity();
}

void FaceReduction::restore(Solution& solution, double tolerance) const {
  BlockMatrix X(problem_.blocks()), Y(problem_.blocks());
  const double unit = unit_of(problem_, solution);
  double indefinite = 0;
  for (std::size_t b = 0; b < problem_.blocks().size(); ++b) {
    const auto face = std::ranges::find(faces_, b, &Face::block);
    if (face != faces_.end()) {
      restore_dual(*face, solution.Y, Y);
      indefinite = std::max(indefinite, choose_x(*face, unit, solution));
    } else {
      std::ranges::copy(solution.X.block(b), X.block(b).begin());
      std::ranges::copy(solution.Y.block(b), Y.block(b).begin());
    }
  }
  solution.X = std::move(X);
  solution.Y = std::move(Y);
  const double rest = restore_primal(solution);
  if (is_certificate(solution)) {
    if (indefinite > tolerance) solution.status = Status::numerical_failure;
  } else if (solution.status != Status::primal_infeasible) {
    measure(problem_, rest, indefinite, solution);
    lower_status(tolerance, solution);
  }
}

/// X of the faces' blocks from all x, rounded once. Returns ‖Σ F_i x_i − F_0 − X‖.
double FaceReduction::restore_primal(Solution& solution) const {
  std::vector<DoubleDouble> x(solution.x.begin(), solution.x.end());
  reference::Blocks<DoubleDouble> sum = reference::combination<DoubleDouble>(problem_, x);
  if (!is_certificate(solution)) {
    reference::add_scaled(sum, DoubleDouble(-1), problem_.matrix(0));
  }
  for (std::size_t b = 0; b < sum.size(); ++b) {
    const auto X = solution.X.block(b);
    const bool is_face = std::ranges::find(faces_, b, &Face::block) != faces_.end();
    for (std::size_t i = 0; i < X.size(); ++i) {
      if (is_face) X[i] = sum.block(b)[i].high;
      sum.block(b)[i] -= X[i];
    }
  }
  return reference::frobenius_norm(sum).high;
}

}  // namespace kinjo::sdp::detail
