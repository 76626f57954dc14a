#include "sdp/elements.hpp"

#include <algorithm>
#include <cmath>

#include <kinjo/gemm.hpp>

#include "sdp/rank_one.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Above this order F1's product is large enough for all threads.
constexpr std::size_t kShared = 350;

}  // namespace

ConeElements::ConeElements(const Cone& cone) : cone_(&cone), order_(cone.order()) {
  find_needed();
  find_products();
  choose_batches();
}

void ConeElements::find_needed() {
  needed_.assign(constraints() + 1, positions().size());
  for (std::size_t p = constraints(); p-- > 0;) {
    needed_[p] = needed_[p + 1];
    for (std::size_t e = cone_->begins[p]; e < cone_->begins[p + 1]; ++e) {
      needed_[p] = std::min<std::size_t>(needed_[p], cone_->places[e]);
    }
  }
}

void ConeElements::find_products() {
  products_.reserve(constraints());
  for (std::size_t p = 0; p < constraints(); ++p) {
    const std::vector<Term> terms = cone_->terms_of(p);
    Products& products = products_.emplace_back();
    products.rows = touched(terms);
    // Of few rows F2 is as good.
    if (products.rows.size() < 4) continue;
    RankOne one = find_rank_one(terms, order_);
    products.vector = std::move(one.v);
    products.scale = one.scale;
  }
}

void ConeElements::choose_batches() {
  // Operations in units of one vector of `kLanes` numbers; a product does one in a cycle, F2 waits
  // for what it loads.
  constexpr double kLoads = 4;
  const double n = static_cast<double>(order_);
  for (std::size_t p = 0; p < constraints(); ++p) {
    const double reads = static_cast<double>(positions().size() - needed_[p]);
    const double rank = static_cast<double>(products_[p].rank());
    const double full = n * n * n, few = kLoads * reads * rank + 8 * n * rank;
    const Formula formula = few > full ? Formula::f1 : rank <= 2 ? Formula::f3 : Formula::f2;
    const bool opens =
        batches_.empty() || batches_.back().count == kLanes || batches_.back().formula != formula ||
        (formula == Formula::f1 && order_ > kShared) ||
        4 * (positions().size() - needed_[p]) < positions().size() - needed_[batches_.back().first];
    if (opens) batches_.push_back({p, 0, formula, 0});
    Batch& batch = batches_.back();
    ++batch.count;
    batch.operations +=
        std::min(full, few) + static_cast<double>(cone_->values.size() - cone_->begins[p]) + reads;
  }
}

double ConeElements::operations() const {
  double sum = 0;
  for (const Batch& batch : batches_) sum += batch.operations;
  return sum;
}

/// What F2 holds of a batch at a time.
ConeElements::Shape ConeElements::shape_of(const Batch& batch) const {
  // As many vectors as the second cache holds beside each other.
  constexpr std::size_t kHeld = std::size_t{1} << 16;
  Shape shape;
  for (std::size_t p = batch.first; p < batch.first + batch.count; ++p) {
    shape.rank = std::max(shape.rank, products_[p].rank());
    shape.rows = std::max(shape.rows, products_[p].spare_rows());
  }
  shape.chunk = std::clamp<std::size_t>(kHeld / (2 * order_ * kLanes), 1,
                                        std::max<std::size_t>(shape.rank, 1));
  return shape;
}

std::size_t ConeElements::work_size(const Batch& batch) const {
  const std::size_t n = order_;
  if (is_lonely(batch)) return 2 * n;
  const std::size_t sums = (positions().size() - needed_[batch.first]) * kLanes;
  if (batch.formula == Formula::f1) {
    const std::size_t lanes = n > kShared ? 1 : kLanes;
    return sums + 2 * n * n * lanes;
  }
  const Shape shape = shape_of(batch);
  return sums + n * (2 * shape.chunk * kLanes + shape.rows * batch.count);
}

std::size_t ConeElements::work_size() const {
  std::size_t most = 0;
  for (const Batch& batch : batches_) most = std::max(most, work_size(batch));
  return most;
}

std::uint64_t ConeElements::bytes() const {
  std::uint64_t sum = cone_->bytes_of_terms() + needed_.size() * sizeof(std::size_t) +
                      batches_.size() * sizeof(Batch);
  for (const Products& products : products_) {
    sum += sizeof(Products) + products.rows.size() * sizeof(Index) +
           products.vector.size() * sizeof(double);
  }
  return sum;
}

void ConeElements::dual_rows(std::size_t p, const double* dual, double* rows) const {
  const std::vector<Index>& touches = products_[p].rows;
  const std::size_t n = order_;
  const auto add = kernels().add_scaled;
  std::fill_n(rows, touches.size() * n, 0.0);
  const auto slot = [&](Index row) {
    if (touches.size() == n) return static_cast<std::size_t>(row);
    return static_cast<std::size_t>(std::ranges::lower_bound(touches, row) - touches.begin());
  };
  for (std::size_t e = cone_->begins[p]; e < cone_->begins[p + 1]; ++e) {
    const Position& at = positions()[cone_->places[e]];
    add(cone_->values[e], dual + at.column * n, n, rows + slot(at.row) * n);
    if (at.row != at.column)
      add(cone_->values[e], dual + at.row * n, n, rows + slot(at.column) * n);
  }
}

/// The vectors X⁻¹ a_q and Y b_q of a constraint: `left[q]` and `right[q]` point to them, in the
/// matrices themselves or in `spare`.
void ConeElements::find_vectors(std::size_t p, const ConeMatrices& m, double* spare,
                                const double** left, const double** right) const {
  const Products& products = products_[p];
  const std::size_t n = order_;
  if (products.vector.empty()) {
    dual_rows(p, m.dual, spare);
    for (std::size_t q = 0; q < products.rows.size(); ++q) {
      left[q] = m.inverse + products.rows[q] * n;
      right[q] = spare + q * n;
    }
    return;
  }
  std::fill_n(spare, 2 * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double factor = products.vector[k];
    if (factor == 0) continue;
    kernels().add_scaled(products.scale * factor, m.inverse + k * n, n, spare);
    kernels().add_scaled(factor, m.dual + k * n, n, spare + n);
  }
  left[0] = spare;
  right[0] = spare + n;
}

/// A dense constraint of rank one, by itself, that reads positions which no other one does: sums at
/// all of them would take more room than the matrices.
bool ConeElements::is_lonely(const Batch& batch) const {
  return batch.count == 1 && products_[batch.first].rank() == 1 &&
         positions().size() - needed_[batch.first] > 4 * order_;
}

/// F_i • u from the two vectors of u, without u.
void ConeElements::directly(const ConeMatrices& m, const Batch& batch, double* work,
                            double* out) const {
  const double *x = nullptr, *v = nullptr;
  find_vectors(batch.first, m, work, &x, &v);
  for (std::size_t p = batch.first; p < constraints(); ++p, out += kLanes) {
    double sum = 0;
    for (std::size_t e = cone_->begins[p]; e < cone_->begins[p + 1]; ++e) {
      const Position& at = positions()[cone_->places[e]];
      double product = x[at.row] * v[at.column];
      if (at.row != at.column) product += x[at.column] * v[at.row];
      sum += cone_->values[e] * product;
    }
    out[0] = sum;
  }
}

void ConeElements::by_products(const ConeMatrices& m, const Batch& batch, double* work,
                               double* sums) const {
  const std::size_t n = order_;
  const auto [rank, rows, chunk] = shape_of(batch);
  double *x = work, *v = x + n * chunk * kLanes, *spare = v + n * chunk * kLanes;
  std::vector<const double*> vectors(2 * kLanes * rank, nullptr), found(2 * rank);
  for (std::size_t lane = 0; lane < batch.count; ++lane) {
    const std::size_t p = batch.first + lane, own = products_[p].rank();
    find_vectors(p, m, spare + lane * rows * n, found.data(), found.data() + rank);
    for (std::size_t q = 0; q < own; ++q) {
      vectors[q * kLanes + lane] = found[q];
      vectors[(rank + q) * kLanes + lane] = found[rank + q];
    }
  }
  const std::size_t from = needed_[batch.first], count = positions().size() - from;
  const KernelSet& kernel = kernels();
  std::fill_n(sums, count * kLanes, 0.0);
  for (std::size_t first = 0; first < rank; first += chunk) {
    const std::size_t width = std::min(chunk, rank - first);
    for (std::size_t q = 0; q < width; ++q) {
      const std::size_t stride = width * kLanes;
      kernel.interleave(&vectors[(first + q) * kLanes], n, x + q * kLanes, stride);
      kernel.interleave(&vectors[(rank + first + q) * kLanes], n, v + q * kLanes, stride);
    }
    kernel.combine(x, v, width, positions().data() + from, count, sums);
  }
}

void ConeElements::in_full(const Crew& crew, const ConeMatrices& m, const Batch& batch,
                           double* work, double* sums) const {
  using gemm::View;
  const std::size_t n = order_, lanes = n > kShared ? 1 : kLanes;
  // F_j Y's rows lie where the product with X⁻¹ will.
  double *u = work, *v = u + n * n * lanes, *rows = u;
  std::vector<const double*> sources(n * kLanes, nullptr);
  for (std::size_t lane = 0; lane < batch.count; ++lane) {
    const std::size_t p = batch.first + lane;
    dual_rows(p, m.dual, rows + lane * n * n);
    for (std::size_t q = 0; q < products_[p].rows.size(); ++q) {
      sources[products_[p].rows[q] * kLanes + lane] = rows + (lane * n + q) * n;
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    double* to = v + row * n * lanes;
    if (lanes == kLanes) {
      kernels().interleave(&sources[row * kLanes], n, to, kLanes);
    } else if (sources[row * kLanes] != nullptr) {
      std::copy_n(sources[row * kLanes], n, to);
    } else {
      std::fill_n(to, n, 0.0);
    }
  }
  const View<const double> inverse(m.inverse, n, n), right(v, n, n * lanes);
  const View<double> result(u, n, n * lanes);
  if (crew.size() > 1) {
    gemm::multiply(*crew.team(), 1.0, inverse, right, 0.0, result);
  } else {
    gemm::multiply(1.0, inverse, right, 0.0, result);
  }
  const std::size_t from = needed_[batch.first], count = positions().size() - from;
  if (lanes == kLanes) {
    kernels().symmetrise(u, n, positions().data() + from, count, sums);
    return;
  }
  std::fill_n(sums, count * kLanes, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const Position at = positions()[from + k];
    sums[k * kLanes] = u[at.row * n + at.column];
    if (at.row != at.column) sums[k * kLanes] += u[at.column * n + at.row];
  }
}

void ConeElements::columns(const Crew& crew, const ConeMatrices& matrices, const Batch& batch,
                           double* work, double* out) const {
  if (is_lonely(batch)) {
    directly(matrices, batch, work, out);
    return;
  }
  const std::size_t from = needed_[batch.first];
  double *sums = work, *rest = work + (positions().size() - from) * kLanes;
  if (batch.formula == Formula::f1) {
    in_full(crew, matrices, batch, rest, sums);
  } else {
    by_products(matrices, batch, rest, sums);
  }
  kernels().dots(cone_->begins.data() + batch.first, constraints() - batch.first,
                 cone_->places.data(), cone_->values.data(), sums, from, out);
}

}  // namespace kinjo::sdp::detail
