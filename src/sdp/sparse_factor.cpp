#include "sdp/sparse_factor.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <Eigen/SparseCholesky>

namespace kinjo::sdp::detail {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Factor = Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>>;

/// Gives access to the factor's arrays, which Eigen hands out as expressions only.
class OpenFactor : public Factor {
 public:
  const Matrix& lower() const { return m_matrix; }
  /// Of each column below the diagonal; to be asked before the first factorisation, which adds to
  /// it.
  const auto& heights() const { return m_nonZerosPerCol; }
};

}  // namespace

struct SparseFactor::Impl {
  std::size_t order = 0;
  Matrix matrix;              ///< lower triangle
  std::vector<int> places;    ///< of the pattern's values in the matrix
  std::vector<int> diagonal;  ///< of the diagonal's
  OpenFactor factor;
  std::uint64_t entries = 0;  ///< of L
  double operations = 0;
  std::vector<std::size_t> from;  ///< row i of the permuted matrix is row from[i]

  FactorView view() const {
    const Matrix& l = factor.lower();
    return {order, l.outerIndexPtr(), l.innerIndexPtr(), l.valuePtr()};
  }
};

SparseFactor::SparseFactor(std::size_t order, std::span<const Position> pattern)
    : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  s.order = order;
  const int n = static_cast<int>(order);
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(pattern.size() + order);
  for (const Position& p : pattern) {
    triplets.emplace_back(static_cast<int>(p.column), static_cast<int>(p.row), 1.0);
  }
  for (int i = 0; i < n; ++i) triplets.emplace_back(i, i, 1.0);
  s.matrix.resize(n, n);
  s.matrix.setFromTriplets(triplets.begin(), triplets.end());
  s.matrix.makeCompressed();
  const auto place_of = [&](std::uint32_t row, std::uint32_t column) {
    const int* rows = s.matrix.innerIndexPtr();
    const int begin = s.matrix.outerIndexPtr()[column], end = s.matrix.outerIndexPtr()[column + 1];
    return static_cast<int>(std::lower_bound(rows + begin, rows + end, static_cast<int>(row)) -
                            rows);
  };
  for (const Position& p : pattern) s.places.push_back(place_of(p.column, p.row));
  for (std::uint32_t i = 0; i < order; ++i) s.diagonal.push_back(place_of(i, i));
  s.factor.analyzePattern(s.matrix);
  for (Eigen::Index j = 0; j < s.factor.heights().size(); ++j) {
    const double height = s.factor.heights()[j] + 1;
    s.entries += static_cast<std::uint64_t>(height);
    s.operations += height * height;
  }
  s.from.resize(order);
  const auto& to = s.factor.permutationP().indices();
  for (std::size_t i = 0; i < order; ++i) {
    s.from[static_cast<std::size_t>(to.size() == 0 ? static_cast<int>(i)
                                                   : to[static_cast<int>(i)])] = i;
  }
}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

std::uint64_t SparseFactor::entries() const { return impl_->entries; }
double SparseFactor::operations() const { return impl_->operations; }

bool SparseFactor::factorise(std::span<const double> values, std::span<const double> diagonal) {
  Impl& s = *impl_;
  std::fill_n(s.matrix.valuePtr(), s.matrix.nonZeros(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) s.matrix.valuePtr()[s.places[k]] = values[k];
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    s.matrix.valuePtr()[s.diagonal[i]] += diagonal[i];
  }
  s.factor.factorize(s.matrix);
  return s.factor.info() == Eigen::Success;
}

double SparseFactor::least_pivot(std::span<const double> diagonal) const {
  const FactorView l = impl_->view();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < l.order; ++j) {
    const double root = l.values[l.begins[j]];
    least = std::min(least, root * root / diagonal[impl_->from[j]]);
  }
  return least;
}

void SparseFactor::forward(const double* x, double* y) const {
  const FactorView l = impl_->view();
  for (std::size_t i = 0; i < l.order; ++i) y[i] = x[impl_->from[i]];
  for (std::size_t j = 0; j < l.order; ++j) {
    int e = l.begins[j];
    const double value = y[j] /= l.values[e];
    for (++e; e < l.begins[j + 1]; ++e) y[l.rows[e]] -= l.values[e] * value;
  }
}

void SparseFactor::backward(const double* x, double* y) const {
  const FactorView l = impl_->view();
  std::vector<double> z(x, x + l.order);
  for (std::size_t j = l.order; j-- > 0;) {
    const int begin = l.begins[j];
    double sum = z[j];
    for (int e = begin + 1; e < l.begins[j + 1]; ++e)
      sum -= l.values[e] * z[static_cast<std::size_t>(l.rows[e])];
    z[j] = sum / l.values[begin];
  }
  for (std::size_t i = 0; i < l.order; ++i) y[impl_->from[i]] = z[i];
}

void SparseFactor::solve(double* x) const {
  std::vector<double> y(impl_->order);
  forward(x, y.data());
  backward(y.data(), x);
}

void SparseFactor::solve(const Crew& crew, double* b, std::size_t columns, std::size_t ld) const {
  const FactorView l = impl_->view();
  const std::size_t n = l.order;
  const KernelSet& kernel = kernels();
  std::vector<std::vector<double>> works(crew.size());
  const std::size_t tasks = (columns + kSides - 1) / kSides;
  const double operations = 4.0 * static_cast<double>(entries()) * static_cast<double>(columns);
  crew.each(tasks, operations, [&](std::size_t task, std::size_t thread) {
    std::vector<double>& work = works[thread];
    work.resize(n * kSides);
    const std::size_t first = task * kSides, count = std::min(kSides, columns - first);
    if (count < kSides) std::fill(work.begin(), work.end(), 0.0);
    for (std::size_t c = 0; c < count; ++c) {
      const double* column = b + (first + c) * ld;
      for (std::size_t i = 0; i < n; ++i) work[i * kSides + c] = column[impl_->from[i]];
    }
    kernel.forward(l, work.data());
    kernel.backward(l, work.data());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < count; ++c)
        b[(first + c) * ld + impl_->from[i]] = work[i * kSides + c];
    }
  });
}

}  // namespace kinjo::sdp::detail
