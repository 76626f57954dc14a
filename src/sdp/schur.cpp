#include "sdp/schur.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/contract.hpp"
#include "sdp/dense_kernels.hpp"
#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Below this order a dense matrix is as good as any.
constexpr std::size_t kAlwaysDense = 200;

/// Entries of a pattern and of a factor that Eigen can do: its numbers have 32 bits, and its
/// ordering works on a good twice the pattern.
constexpr std::uint64_t kMostOfPattern = std::uint64_t{1} << 29;
constexpr std::uint64_t kMostOfFactor = std::numeric_limits<int>::max();

/// For each linear inequality the constraints that have a coefficient in it.
std::vector<std::vector<Index>> constraints_of_rows(const Linear& linear, std::size_t constraints) {
  std::vector<std::vector<Index>> lists(linear.order());
  for (Index i = 0; i < constraints; ++i) {
    for (std::size_t e = linear.begins[i]; e < linear.begins[i + 1]; ++e) {
      lists[linear.items[e].row].push_back(i);
    }
  }
  return lists;
}

}  // namespace

Schur::Schur(const Model& model) : order_(model.constraints) {
  find_pattern(model);
  if (!sparse_) entries_ = static_cast<std::uint64_t>(order_) * (order_ + 1) / 2;
}

std::uint64_t Schur::bytes() const {
  constexpr std::uint64_t kSparseEntry = sizeof(double) + sizeof(int);
  return sparse_ ? kSparseEntry * (2 * entries_ + factor_entries())
                 : sizeof(double) * static_cast<std::uint64_t>(order_) * order_;
}

void Schur::allocate(Team& team) {
  if (sparse_) {
    sparse_values_.resize(columns_.size());
  } else {
    array_.emplace(team, order_ * order_,
                   ArrayOptions{.layout = Layout::block_cyclic, .chunk = kTile * order_});
    dense_ = array_->data();
  }
  threads_ = team.size();
  diagonal_.resize(order_);
}

void Schur::find_pattern(const Model& model) {
  if (order_ <= kAlwaysDense) return;
  // Every cone, and every linear inequality, joins all constraints that have entries in it.
  std::vector<std::vector<Index>> cliques = constraints_of_rows(model.linear, order_);
  for (const Cone& cone : model.cones) {
    cliques.push_back(cone.constraints);
    std::ranges::sort(cliques.back());
  }
  for (const std::vector<Index>& clique : cliques) {
    // One that is as large makes B dense by itself.
    if (2 * clique.size() > order_) return;
  }
  std::vector<std::vector<Index>> cliques_of(order_);
  for (Index c = 0; c < cliques.size(); ++c) {
    for (const Index i : cliques[c]) cliques_of[i].push_back(c);
  }
  const double all = static_cast<double>(order_) * static_cast<double>(order_) / 2;
  std::vector<Index> seen(order_, ~Index{0});
  std::vector<Position> pattern;
  begins_.assign(1, 0);
  for (Index j = 0; j < order_; ++j) {
    const std::size_t begin = columns_.size();
    columns_.push_back(j);
    seen[j] = j;
    for (const Index c : cliques_of[j]) {
      for (auto i = std::ranges::upper_bound(cliques[c], j); i != cliques[c].end(); ++i) {
        if (seen[*i] == j) continue;
        seen[*i] = j;
        columns_.push_back(*i);
      }
    }
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(begin), columns_.end());
    for (std::size_t e = begin; e < columns_.size(); ++e) pattern.push_back({j, columns_[e]});
    begins_.push_back(columns_.size());
    if (static_cast<double>(columns_.size()) > 0.3 * all || columns_.size() > kMostOfPattern) {
      forget_pattern();
      return;
    }
  }
  SparseFactor factor(order_, pattern);
  // A sparse factorisation does one operation in the time in which a dense one does ten.
  if (10 * factor.operations() > all * static_cast<double>(order_) * 2 / 3 ||
      factor.entries() > kMostOfFactor) {
    forget_pattern();
    return;
  }
  sparse_ = std::move(factor);
  entries_ = columns_.size();
}

/// With its memory, which an empty list in braces would leave.
void Schur::forget_pattern() {
  begins_ = std::vector<std::size_t>();
  columns_ = std::vector<Index>();
}

std::uint64_t Schur::factor_entries() const { return sparse_ ? sparse_->entries() : entries_; }

Schur::Line Schur::line(Index i) {
  if (!sparse_) return {dense_ + i * order_, nullptr, nullptr};
  return {sparse_values_.data() + begins_[i], columns_.data() + begins_[i],
          columns_.data() + begins_[i + 1]};
}

std::size_t Schur::place(Index i, Index j) const {
  const auto [row, column] = std::minmax(i, j);
  if (!sparse_) return row * order_ + column;
  const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[row]);
  const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[row + 1]);
  const auto found = std::lower_bound(begin, end, column);
  KINJO_ASSERT(found != end && *found == column);
  return static_cast<std::size_t>(found - columns_.begin());
}

void Schur::clear(const Crew& crew) {
  if (!sparse_) {
    const auto owner_of = [&](std::size_t tile) { return owner(static_cast<Index>(tile * kTile)); };
    crew.each_near((order_ + kTile - 1) / kTile, static_cast<double>(size()), owner_of,
                   [&](std::size_t tile, std::size_t) {
                     const std::size_t end = std::min(order_, (tile + 1) * kTile);
                     std::fill(dense_ + tile * kTile * order_, dense_ + end * order_, 0.0);
                   });
    return;
  }
  double* all = values();
  crew.ranges(
      size(), std::size_t{1} << 16, static_cast<double>(size()),
      [&](std::size_t from, std::size_t to, std::size_t) { std::fill(all + from, all + to, 0.0); });
}

void Schur::keep_dense(const Crew& crew) {
  mirror(crew, order_, dense_, order_);
  for (std::size_t i = 0; i < order_; ++i) diagonal_[i] = dense_[i * order_ + i];
}

bool Schur::try_factorise(const Crew& crew, double shift) {
  if (sparse_) {
    std::vector<double> extra;
    for (std::size_t i = 0; shift != 0 && i < order_; ++i) extra.push_back(shift * diagonal_[i]);
    return sparse_->factorise(sparse_values_, extra);
  }
  for (std::size_t i = 0; i < order_; ++i) {
    dense_[i * order_ + i] = diagonal_[i] * (1 + shift);
  }
  return cholesky(crew, order_, dense_, order_);
}

/// The least that is left of a diagonal entry.
double Schur::least_pivot() const {
  if (sparse_) return sparse_->least_pivot(diagonal_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < order_; ++i) {
    const double root = dense_[i * order_ + i];
    least = std::min(least, root * root / diagonal_[i]);
  }
  return least;
}

bool Schur::factorise(const Crew& crew) {
  if (sparse_) {
    for (std::size_t i = 0; i < order_; ++i) diagonal_[i] = sparse_values_[begins_[i]];
  } else {
    keep_dense(crew);
  }
  double largest = 0;
  for (const double d : diagonal_) largest = std::max(largest, d);
  if (!std::ranges::all_of(diagonal_, [](double d) { return std::isfinite(d); })) return false;
  // A constraint without entries, or one that the others imply, leaves a zero that is to stay
  // harmless.
  for (double& d : diagonal_) {
    if (!(d > 0)) d = largest > 0 ? largest * 1e-16 : 1;
  }
  // Of a constraint that others imply rounding alone leaves a pivot: x would go to and fro by its
  // inverse where F does not see it, until nothing is left of X's digits. The first B, of multiples
  // of the identity, is as well-conditioned as the constraints.
  constexpr double kRounding = 1e-15;
  const bool is_first = !std::exchange(is_looked_at_, true);
  bool is_tried = false;
  for (double shift : {0.0, kRounding, 1e-13, 1e-11, 1e-9, 1e-7}) {
    if (shift < least_shift_) continue;
    // A failed attempt has destroyed the lower triangle.
    if (std::exchange(is_tried, true) && !sparse_) mirror(crew, order_, dense_, order_);
    shift_ = shift;
    const bool is_definite = try_factorise(crew, shift);
    if (is_definite && (!is_first || shift != 0 || least_pivot() > kRounding)) return true;
    if (is_first) least_shift_ = kRounding;
  }
  return false;
}

void Schur::apply(const std::vector<double>& x, std::vector<double>& y) const {
  if (sparse_) {
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t j = 0; j < order_; ++j) {
      y[j] += sparse_values_[begins_[j]] * x[j];
      for (std::size_t e = begins_[j] + 1; e < begins_[j + 1]; ++e) {
        y[columns_[e]] += sparse_values_[e] * x[j];
        y[j] += sparse_values_[e] * x[columns_[e]];
      }
    }
    return;
  }
  dense_kernels().multiply_symmetric(order_, dense_, order_, x.data(), y.data());
  // On the diagonal lies the factor's.
  for (std::size_t i = 0; i < order_; ++i) {
    y[i] += (diagonal_[i] - dense_[i * order_ + i]) * x[i];
  }
}

void Schur::solve_once(std::vector<double>& x) const {
  if (sparse_) {
    sparse_->solve(x.data());
    return;
  }
  solve_lower(order_, dense_, order_, x.data());
  solve_lower_transposed(order_, dense_, order_, x.data());
}

double Schur::solve(std::vector<double>& x) {
  return solve_refined(
      x, [this](std::vector<double>& v) { solve_once(v); },
      [this](const std::vector<double>& v, std::vector<double>& product) { apply(v, product); });
}

std::vector<double> Schur::packed_factor() const {
  std::vector<double> packed(order_ * (order_ + 1) / 2);
  double* to = packed.data();
  for (std::size_t i = 0; i < order_; ++i) to = std::copy_n(dense_ + i * order_, i + 1, to);
  return packed;
}

}  // namespace kinjo::sdp::detail
