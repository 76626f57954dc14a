#include "sdp/elements.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

#include <kinjo/gemm.hpp>

#include "sdp/rank_one.hpp"

namespace kinjo::sdp::detail {

namespace {

/// The more terms, the greater: constraints of one density are sorted by where they lie.
int density_of(std::size_t terms) { return static_cast<int>(std::bit_width(terms)) / 2; }

/// Above this order F1's product is large enough for all threads.
constexpr std::size_t kShared = 350;

/// Rows and columns that the terms touch, ascending.
std::vector<Index> touched(const Term* begin, const Term* end) {
  std::vector<Index> rows;
  for (const Term* t = begin; t != end; ++t) {
    rows.push_back(t->row);
    rows.push_back(t->column);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

ConeElements::ConeElements(const Cone& cone) : order_(cone.order()) {
  sort(cone);
  find_positions();
  find_products();
  choose_batches();
}

void ConeElements::sort(const Cone& cone) {
  struct Key {
    int density, rows;
    Index row, column;
    std::size_t slot;
  };
  std::vector<Key> keys;
  for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
    const Term* begin = cone.terms.data() + cone.begins[k];
    const Term* end = cone.terms.data() + cone.begins[k + 1];
    const auto rows = touched(begin, end).size();
    keys.push_back({-density_of(static_cast<std::size_t>(end - begin)),
                    -static_cast<int>(std::bit_width(rows)), begin->row, begin->column, k});
  }
  std::ranges::sort(keys, {}, [](const Key& k) {
    return std::tuple(k.density, k.rows, k.row, k.column, k.slot);
  });
  begins_.push_back(0);
  for (const Key& key : keys) {
    constraint_.push_back(cone.constraints[key.slot]);
    terms_.insert(terms_.end(), cone.terms.begin() + static_cast<std::ptrdiff_t>(cone.begins[key.slot]),
                  cone.terms.begin() + static_cast<std::ptrdiff_t>(cone.begins[key.slot + 1]));
    begins_.push_back(terms_.size());
  }
}

void ConeElements::find_positions() {
  // Each position with the last constraint that reads it: what only dense constraints read comes
  // first, and is dropped once these are done.
  struct Read {
    Position position;
    int last;
    std::size_t term;
  };
  std::vector<Read> reads(terms_.size());
  for (std::size_t p = 0; p < constraints(); ++p) {
    const int density = density_of(begins_[p + 1] - begins_[p]);
    for (std::size_t e = begins_[p]; e < begins_[p + 1]; ++e) {
      reads[e] = {{terms_[e].row, terms_[e].column}, -density, e};
      values_.push_back(terms_[e].value);
    }
  }
  const auto place = [](const Read& r) { return std::tuple(r.position.row, r.position.column); };
  std::ranges::sort(reads, {}, [&](const Read& r) { return std::tuple(place(r), r.last); });
  for (std::size_t i = reads.size(); i-- > 1;) {
    if (place(reads[i - 1]) == place(reads[i])) reads[i - 1].last = reads[i].last;
  }
  std::ranges::stable_sort(reads, {}, [&](const Read& r) { return std::tuple(r.last, place(r)); });
  places_.resize(terms_.size());
  for (const Read& read : reads) {
    if (positions_.empty() || positions_.back().row != read.position.row ||
        positions_.back().column != read.position.column) {
      positions_.push_back(read.position);
    }
    places_[read.term] = static_cast<Index>(positions_.size() - 1);
  }
  needed_.assign(constraints() + 1, positions_.size());
  for (std::size_t p = constraints(); p-- > 0;) {
    needed_[p] = needed_[p + 1];
    for (std::size_t e = begins_[p]; e < begins_[p + 1]; ++e) {
      needed_[p] = std::min<std::size_t>(needed_[p], places_[e]);
    }
  }
}

void ConeElements::find_products() {
  for (std::size_t p = 0; p < constraints(); ++p) {
    const Term *begin = terms_.data() + begins_[p], *end = terms_.data() + begins_[p + 1];
    Products& products = products_.emplace_back();
    products.rows = touched(begin, end);
    // Of few rows F2 is as good.
    if (products.rows.size() < 4) continue;
    RankOne one = find_rank_one({begin, end}, order_);
    products.vector = std::move(one.v);
    products.scale = one.scale;
  }
}

void ConeElements::choose_batches() {
  // Operations in units of one vector of `kLanes` numbers; a product does one in a cycle, F2 waits for
  // what it loads.
  constexpr double kLoads = 4;
  const double n = static_cast<double>(order_);
  for (std::size_t p = 0; p < constraints(); ++p) {
    const double positions = static_cast<double>(positions_.size() - needed_[p]);
    const double rank = static_cast<double>(products_[p].rank());
    const double full = n * n * n, few = kLoads * positions * rank + 8 * n * rank;
    const Formula formula = few > full  ? Formula::f1
                            : rank <= 2 ? Formula::f3
                                        : Formula::f2;
    const bool opens = batches_.empty() || batches_.back().count == kLanes ||
                       batches_.back().formula != formula ||
                       (formula == Formula::f1 && order_ > kShared) ||
                       4 * (positions_.size() - needed_[p]) <
                           positions_.size() - needed_[batches_.back().first];
    if (opens) batches_.push_back({p, 0, formula, 0});
    Batch& batch = batches_.back();
    ++batch.count;
    batch.operations += std::min(full, few) +
                        static_cast<double>(terms_.size() - begins_[p]) + positions;
  }
}

double ConeElements::operations() const {
  double sum = 0;
  for (const Batch& batch : batches_) sum += batch.operations;
  return sum;
}

std::size_t ConeElements::work_size() const {
  std::size_t most = 0;
  for (const Batch& batch : batches_) {
    std::size_t rank = 0, rows = 0;
    for (std::size_t p = batch.first; p < batch.first + batch.count; ++p) {
      rank = std::max(rank, products_[p].rank());
      rows = std::max(rows, products_[p].rows.size());
    }
    const std::size_t sums = (positions_.size() - needed_[batch.first]) * kLanes;
    const std::size_t lanes = order_ > kShared ? 1 : kLanes;
    const std::size_t rest = batch.formula == Formula::f1
                                 ? order_ * order_ * (2 * lanes + 1)
                                 : 2 * order_ * rank * kLanes + order_ * rows + 2 * order_;
    most = std::max(most, sums + rest);
  }
  return most;
}

void ConeElements::dual_rows(std::size_t p, const double* dual, double* rows) const {
  const std::vector<Index>& touches = products_[p].rows;
  const std::size_t n = order_;
  std::fill_n(rows, touches.size() * n, 0.0);
  const auto slot = [&](Index row) {
    if (touches.size() == n) return static_cast<std::size_t>(row);
    return static_cast<std::size_t>(std::ranges::lower_bound(touches, row) - touches.begin());
  };
  for (std::size_t e = begins_[p]; e < begins_[p + 1]; ++e) {
    const Term& t = terms_[e];
    double* to = rows + slot(t.row) * n;
    const double* from = dual + t.column * n;
    for (std::size_t i = 0; i < n; ++i) to[i] += t.value * from[i];
    if (t.row == t.column) continue;
    to = rows + slot(t.column) * n;
    from = dual + t.row * n;
    for (std::size_t i = 0; i < n; ++i) to[i] += t.value * from[i];
  }
}

void ConeElements::products_of(std::size_t p, const ConeMatrices& m, std::size_t lane,
                               std::size_t rank, double* x, double* v) const {
  const Products& products = products_[p];
  const std::size_t n = order_, stride = rank * kLanes;
  double* spare = v + n * stride;
  if (!products.vector.empty()) {
    double *left = spare, *right = spare + n;
    std::fill_n(spare, 2 * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = products.vector[k];
      if (factor == 0) continue;
      for (std::size_t i = 0; i < n; ++i) left[i] += factor * m.inverse[k * n + i];
      for (std::size_t i = 0; i < n; ++i) right[i] += factor * m.dual[k * n + i];
    }
    for (std::size_t i = 0; i < n; ++i) x[i * stride + lane] = products.scale * left[i];
    for (std::size_t i = 0; i < n; ++i) v[i * stride + lane] = right[i];
    return;
  }
  dual_rows(p, m.dual, spare);
  for (std::size_t q = 0; q < products.rows.size(); ++q) {
    const double *left = m.inverse + products.rows[q] * n, *right = spare + q * n;
    const std::size_t at = q * kLanes + lane;
    for (std::size_t i = 0; i < n; ++i) x[i * stride + at] = left[i];
    for (std::size_t i = 0; i < n; ++i) v[i * stride + at] = right[i];
  }
}

void ConeElements::by_products(const ConeMatrices& m, const Batch& batch, double* work,
                               double* sums) const {
  std::size_t rank = 0;
  for (std::size_t p = batch.first; p < batch.first + batch.count; ++p) {
    rank = std::max(rank, products_[p].rank());
  }
  double *x = work, *v = work + order_ * rank * kLanes;
  std::fill_n(work, 2 * order_ * rank * kLanes, 0.0);
  for (std::size_t lane = 0; lane < batch.count; ++lane) {
    products_of(batch.first + lane, m, lane, rank, x, v);
  }
  const std::size_t from = needed_[batch.first];
  kernels().combine(x, v, rank, positions_.data() + from, positions_.size() - from, sums);
}

void ConeElements::in_full(const Crew& crew, const ConeMatrices& m, const Batch& batch,
                           double* work, double* sums) const {
  using gemm::View;
  const std::size_t n = order_, lanes = n > kShared ? 1 : kLanes;
  double *u = work, *v = u + n * n * lanes, *rows = v + n * n * lanes;
  std::fill_n(v, n * n * lanes, 0.0);
  for (std::size_t lane = 0; lane < batch.count; ++lane) {
    const std::size_t p = batch.first + lane;
    dual_rows(p, m.dual, rows);
    for (std::size_t q = 0; q < products_[p].rows.size(); ++q) {
      double* to = v + products_[p].rows[q] * n * lanes + lane;
      for (std::size_t i = 0; i < n; ++i) to[i * lanes] = rows[q * n + i];
    }
  }
  const View<const double> inverse(m.inverse, n, n), right(v, n, n * lanes);
  const View<double> result(u, n, n * lanes);
  if (crew.size() > 1) {
    gemm::multiply(*crew.team(), 1.0, inverse, right, 0.0, result);
  } else {
    gemm::multiply(1.0, inverse, right, 0.0, result);
  }
  const std::size_t from = needed_[batch.first], count = positions_.size() - from;
  if (lanes == kLanes) {
    kernels().symmetrise(u, n, positions_.data() + from, count, sums);
    return;
  }
  std::fill_n(sums, count * kLanes, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const Position at = positions_[from + k];
    sums[k * kLanes] = u[at.row * n + at.column];
    if (at.row != at.column) sums[k * kLanes] += u[at.column * n + at.row];
  }
}

void ConeElements::columns(const Crew& crew, const ConeMatrices& matrices, const Batch& batch,
                           double* work, double* out) const {
  const std::size_t from = needed_[batch.first];
  double *sums = work, *rest = work + (positions_.size() - from) * kLanes;
  if (batch.formula == Formula::f1) {
    in_full(crew, matrices, batch, rest, sums);
  } else {
    by_products(matrices, batch, rest, sums);
  }
  kernels().dots(begins_.data() + batch.first, constraints() - batch.first, places_.data(),
                 values_.data(), sums, from, out);
}

}  // namespace kinjo::sdp::detail
