#include "sdp/reference/attempts.hpp"

#include "sdp/reference/parts.hpp"

namespace kinjo::sdp::detail::reference {

namespace {

/// For least squares to be used: about half a second for an iteration.
constexpr double kAffordable = 3e8;

/// Products of matrices of a block's order in an iteration, less those of ELEMENTS.
constexpr double kProducts = 20;

/// What an entry of F_i costs in F_i • U, which is not done by vectors.
constexpr double kEntry = 8;

double schur_operations(const Problem& problem) {
  const auto m = static_cast<double>(problem.constraints());
  const std::vector<std::vector<Part>> parts = parts_of(problem);
  double sum = m * m * m / 6;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (problem.blocks()[b].kind == BlockKind::diagonal) continue;
    const double n = problem.blocks()[b].order;
    sum += kProducts * n * n * n;
    double entries = 0;  // of the parts so far, from behind
    for (auto part = parts[b].rbegin(); part != parts[b].rend(); ++part) {
      const auto own = static_cast<double>(part->entries.size());
      entries += own;
      sum += n * n * static_cast<double>(rows_of(*part).size()) + n * own + kEntry * entries;
    }
  }
  return sum;
}

double least_squares_operations(const Problem& problem) {
  const auto m = static_cast<double>(problem.constraints());
  double length = 0;
  for (const Block& block : problem.blocks()) {
    const double n = block.order;
    length += block.kind == BlockKind::diagonal ? n : n * n;
  }
  return length * m * m;
}

}  // namespace

double operations(const Problem& problem, Method method) {
  const double schur = schur_operations(problem);
  return method == Method::schur ? schur : schur + least_squares_operations(problem);
}

std::vector<Attempt> attempts_for(const Problem& problem, const ReferenceOptions& options) {
  const Options& o = options.options;
  const bool affordable = least_squares_operations(problem) <= kAffordable;
  const Method accurate = affordable ? Method::least_squares : Method::schur;
  std::vector<Attempt> attempts;
  if (options.start && options.start->x.size() == problem.constraints()) {
    // Least squares take several times as long, and their vectors are the most that is held.
    attempts.push_back({Method::schur, 0, o.gamma_star});
    if (affordable) attempts.push_back({accurate, 0, o.gamma_star});
  }
  attempts.push_back({Method::schur, o.lambda_star > 0 ? o.lambda_star : 1e2, o.gamma_star});
  attempts.push_back({accurate, 1e2, 0.9});
  attempts.push_back({accurate, 1e4, 0.8});
  attempts.push_back({Method::schur, 1e4, 0.9});
  attempts.push_back({Method::schur, 1e4, 0.8});
  attempts.push_back({accurate, 1e6, 0.9});
  return attempts;
}

}  // namespace kinjo::sdp::detail::reference
