#include "sdp/face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sdp/rank_one.hpp"
#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

namespace {

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

}  // namespace

FaceReduction::FaceReduction(const Problem& problem) : problem_(problem) { find_faces(); }

void FaceReduction::find_faces() {
  std::vector<char> taken(problem_.blocks().size(), 0);
  for (std::size_t i = 1; i <= problem_.constraints(); ++i) {
    const auto entries = problem_.matrix(i);
    if (problem_.costs()[i - 1] != 0 || entries.size() < 3 || !in_one_block(entries)) continue;
    const std::uint32_t block = entries.front().block;
    const Block& shape = problem_.blocks()[block];
    if (taken[block] || shape.kind == BlockKind::diagonal) continue;
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

double FaceReduction::restore_primal(const Face& face, Solution& solution,
                                     BlockMatrix& whole) const {
  const std::size_t n = face.v.size();
  const auto x = whole.block(face.block);
  const double constant = solution.status == Status::dual_infeasible ? 0 : -1;
  double largest = 1, scale = 1;
  for (const Entry& e : problem_.matrix(0)) scale = std::max(scale, 1 + std::abs(e.value));
  for (std::size_t k = 0; k <= problem_.constraints(); ++k) {
    const double factor = k == 0 ? constant : solution.x[k - 1];
    if (k == face.constraint || factor == 0) continue;
    for (const Entry& e : problem_.matrix(k)) {
      if (e.block != face.block) continue;
      x[e.column * n + e.row] += factor * e.value;
      if (e.row != e.column) x[e.row * n + e.column] += factor * e.value;
    }
  }
  for (const double v : x) largest = std::max(largest, std::abs(v));
  double square = 0;
  for (const double v : face.v) square += v * v;
  std::vector<double> sum(n * n), factor(n * n);
  const auto choose = [&](double t) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        sum[j * n + i] = sum[i * n + j] = x[j * n + i] + t * face.v[i] * face.v[j];
      }
    }
    solution.x[face.constraint - 1] = face.scale * t;
  };
  const auto is_definite = [&](double tolerated) {
    factor = sum;
    for (std::size_t j = 0; j < n; ++j) factor[j * n + j] += tolerated * scale;
    return factorise(n, factor.data(), n);
  };
  // Where only a huge x_i would do, X may be indefinite by as little as nobody minds, and as its
  // rounding is; but what other x_i have made of it is rounded likewise.
  constexpr double kMuch = 64;
  double indefinite = std::numeric_limits<double>::infinity();
  for (const double tolerated : {1e-10, 1e-9, 1e-8}) {
    const double farthest = std::max(tolerated * 0x1p53 * scale, kMuch * largest) / square;
    for (double t = largest / square; t <= farthest && indefinite > tolerated; t *= 4) {
      choose(t);
      if (is_definite(tolerated)) indefinite = tolerated;
    }
    if (indefinite <= tolerated) break;
  }
  for (double tolerated = 1e-7; tolerated < std::min(indefinite, 1.0); tolerated *= 10) {
    if (is_definite(tolerated)) indefinite = tolerated;
  }
  std::ranges::copy(sum, x.begin());
  return indefinite;
}

void FaceReduction::restore(Solution& solution, double tolerance) const {
  constexpr double kNothing = 1e-10;
  double indefinite = 0;
  BlockMatrix X(problem_.blocks()), Y(problem_.blocks());
  for (std::size_t b = 0; b < problem_.blocks().size(); ++b) {
    const auto face = std::ranges::find(faces_, b, &Face::block);
    if (face != faces_.end()) {
      restore_dual(*face, solution.Y, Y);
      indefinite = std::max(indefinite, restore_primal(*face, solution, X));
    } else {
      std::ranges::copy(solution.X.block(b), X.block(b).begin());
      std::ranges::copy(solution.Y.block(b), Y.block(b).begin());
    }
  }
  solution.X = std::move(X);
  solution.Y = std::move(Y);
  if (indefinite <= kNothing) return;
  solution.dimacs_errors[3] = std::max(solution.dimacs_errors[3], indefinite);
  Status& status = solution.status;
  if (status == Status::optimal && indefinite > tolerance) status = Status::near_optimal;
  if (status == Status::near_optimal && indefinite > 1000 * tolerance) {
    status = Status::numerical_failure;
  }
}

}  // namespace kinjo::sdp::detail
