#include "sdp/rank_one.hpp"

#include <cmath>

namespace kinjo::sdp::detail {

RankOne find_rank_one(std::span<const Term> terms, std::size_t order) {
  Term pivot;
  std::size_t diagonal = 0;
  for (const Term& t : terms) {
    if (t.row != t.column) continue;
    ++diagonal;
    if (std::abs(t.value) > std::abs(pivot.value)) pivot = t;
  }
  // All products of the vector's components must be there.
  if (pivot.value == 0 || terms.size() != diagonal * (diagonal + 1) / 2) return {};
  RankOne found{std::vector<double>(order, 0.0), pivot.value > 0 ? 1.0 : -1.0};
  const double root = std::sqrt(std::abs(pivot.value));
  for (const Term& t : terms) {
    if (t.row == pivot.row) found.v[t.column] = found.scale * t.value / root;
    if (t.column == pivot.row) found.v[t.row] = found.scale * t.value / root;
  }
  constexpr double kRounding = 1e-15;
  for (const Term& t : terms) {
    const double product = found.scale * found.v[t.row] * found.v[t.column];
    if (std::abs(product - t.value) > kRounding * std::abs(t.value)) return {};
  }
  return found;
}

}  // namespace kinjo::sdp::detail
