#include "sdp/verify/sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kinjo::sdp::detail {

namespace {

/// Where an entry lies among its block's values, and how often it counts in A • B.
std::size_t position_of(const Entry& e, Block shape) {
  if (shape.kind == BlockKind::diagonal) return e.row;
  return e.row + std::size_t{shape.order} * e.column;
}
double weight_of(const Entry& e) { return e.row == e.column ? 1 : 2; }

/// An entry of a matrix, times its factor.
struct Term {
  std::uint32_t block;
  std::uint64_t position;  ///< in the upper triangle
  std::uint32_t row, column;
  double factor, value;
};

std::vector<Term> terms_of(const Problem& problem, std::span<const double> x, Constant constant) {
  std::vector<Term> terms;
  terms.reserve(problem.entries());
  for (std::size_t i = constant == Constant::subtracted ? 0 : 1; i <= problem.constraints(); ++i) {
    const double factor = i == 0 ? -1 : x[i - 1];
    for (const Entry& e : problem.matrix(i)) {
      terms.push_back(
          {e.block, position_of(e, problem.blocks()[e.block]), e.row, e.column, factor, e.value});
    }
  }
  std::ranges::sort(terms, {}, [](const Term& t) { return std::pair(t.block, t.position); });
  return terms;
}

}  // namespace

DoubleDouble inner_product(const Problem& problem, std::size_t i, const BlockMatrix& Y) {
  DoubleDouble sum;
  for (const Entry& e : problem.matrix(i)) {
    const double value = Y.block(e.block)[position_of(e, problem.blocks()[e.block])];
    sum += DoubleDouble(weight_of(e) * e.value) * value;
  }
  return sum;
}

double norm(std::span<const Entry> matrix) {
  double largest = 0;
  for (const Entry& e : matrix) largest = std::max(largest, std::abs(e.value));
  if (largest == 0) return 0;
  DoubleDouble sum;
  for (const Entry& e : matrix) {
    const double value = e.value / largest;
    sum += DoubleDouble(weight_of(e) * value) * value;
  }
  return largest * std::sqrt(sum.high);
}

DoubleDouble inner_product(std::span<const double> c, std::span<const double> x) {
  DoubleDouble sum;
  for (std::size_t i = 0; i < c.size(); ++i) sum += DoubleDouble(c[i]) * x[i];
  return sum;
}

DoubleDouble inner_product(const BlockMatrix& X, const BlockMatrix& Y) {
  DoubleDouble sum;
  for (std::size_t b = 0; b < X.blocks().size(); ++b) sum += inner_product(X.block(b), Y.block(b));
  return sum;
}

BlockMatrix combination(const Problem& problem, std::span<const double> x, Constant constant,
                        const BlockMatrix& X) {
  BlockMatrix result(problem.blocks());
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    std::ranges::transform(X.block(b), result.block(b).begin(), [](double v) { return -v; });
  }
  const std::vector<Term> terms = terms_of(problem, x, constant);
  for (std::size_t k = 0; k < terms.size();) {
    const Term& first = terms[k];
    const std::size_t n = problem.blocks()[first.block].order;
    const auto values = result.block(first.block);
    DoubleDouble sum = values[first.position];
    for (; k < terms.size() && terms[k].block == first.block && terms[k].position == first.position;
         ++k) {
      sum += DoubleDouble(terms[k].factor) * terms[k].value;
    }
    values[first.position] = sum.high;
    if (first.row != first.column) values[first.column + n * first.row] = sum.high;
  }
  return result;
}

double norm(const BlockMatrix& matrix) { return std::sqrt(inner_product(matrix, matrix).high); }

}  // namespace kinjo::sdp::detail
