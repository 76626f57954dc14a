#include "sdp/state.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sdp/dense.hpp"
#include "sdp/dense_kernels.hpp"
#include "sdp/lanczos.hpp"
#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Up to this order all eigenvalues are computed at once.
constexpr std::size_t kExactEigenvalues = 24;

constexpr auto kByPlace = [](const auto& p) { return std::tuple(p.row, p.column); };

/// In order, each once, and no room for more.
void make_unique(std::vector<Position>& positions) {
  const auto equal = [](const Position& a, const Position& b) {
    return a.row == b.row && a.column == b.column;
  };
  std::ranges::sort(positions, {}, kByPlace);
  positions.erase(std::unique(positions.begin(), positions.end(), equal), positions.end());
  positions.shrink_to_fit();
}

/// to ← −(a + aᵀ)/2 + what `add(i, j)` says, for symmetric `add`.
template <class Add>
void minus_symmetrised(const Crew& crew, std::size_t n, const Square& a, Square& to, Add&& add) {
  constexpr std::size_t kEdge = 64;
  const std::size_t tiles = (n + kEdge - 1) / kEdge;
  crew.each(tiles, static_cast<double>(n) * static_cast<double>(n),
            [&](std::size_t t, std::size_t) {
              const std::size_t end = std::min(n, (t + 1) * kEdge);
              for (std::size_t other = 0; other <= t; ++other) {
                for (std::size_t j = t * kEdge; j < end; ++j) {
                  const std::size_t stop = std::min(j + 1, (other + 1) * kEdge);
                  for (std::size_t i = other * kEdge; i < stop; ++i) {
                    const double value = add(j * n + i) - 0.5 * (a[j * n + i] + a[i * n + j]);
                    to[j * n + i] = value;
                    to[i * n + j] = value;
                  }
                }
              }
            });
}

void add_term(Square& to, std::size_t n, const Term& t, double factor) {
  to[t.column * n + t.row] += factor * t.value;
  if (t.row != t.column) to[t.row * n + t.column] += factor * t.value;
}

}  // namespace

void pack(const Square& square, std::size_t n, Packed& half) {
  half.resize(n * (n + 1) / 2);
  double* to = half.data();
  for (std::size_t j = 0; j < n; ++j) to = std::copy_n(square.data() + j * n, j + 1, to);
}

void unpack(const Packed& half, std::size_t n, Square& square) {
  const double* from = half.data();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) square[j * n + i] = square[i * n + j] = *from++;
  }
}

ConeState::ConeState(const Cone& cone) : cone_(cone), n_(cone.order()) {
  find_moving();
  find_pattern();
}

void ConeState::find_pattern() {
  pattern_.reserve(cone_.positions.size() + cone_.constant.size() + n_);
  pattern_ = cone_.positions;
  for (const Term& t : cone_.constant) pattern_.push_back({t.row, t.column});
  for (Index i = 0; i < n_; ++i) pattern_.push_back({i, i});
  make_unique(pattern_);
  const double all = static_cast<double>(n_) * static_cast<double>(n_);
  few_pattern_ = n_ > 32 && static_cast<double>(pattern_.size()) < all / 40;
  if (n_ > 100 && static_cast<double>(pattern_.size()) < all / 16) {
    SparseFactor factor(n_, pattern_);
    if (static_cast<double>(factor.entries()) < all / 10) sparse_ = std::move(factor);
  }
  if (!few_pattern_ && !sparse_) pattern_ = std::vector<Position>();
}

std::uint64_t ConeState::bytes() const {
  const std::uint64_t squares = sparse_ ? 8 : 9;
  const std::uint64_t factor = sparse_ ? 3 * sparse_->entries() : 0;
  return sizeof(double) * (squares * n_ * n_ + factor);
}

void ConeState::allocate() {
  for (Square* s : {&x_, &y_, &inverse_, &dx_, &dy_, &factor_y_, &rest_, &second_}) {
    s->resize(n_ * n_);
  }
  if (!sparse_) factor_x_.resize(n_ * n_);
}

void ConeState::release() {
  // An empty list in braces would leave them their memory.
  for (Square* s : {&inverse_, &dx_, &dy_, &factor_x_, &factor_y_, &rest_, &second_}) {
    *s = Square();
  }
}

void ConeState::find_moving() {
  // A product with v vᵀ costs as much as one with n entries, once v is known.
  constexpr std::size_t kOuters = 8;
  for (std::size_t k = 0; k < cone_.constraints.size(); ++k) {
    const std::vector<Term> terms = cone_.terms_of(k);
    if (terms.size() > 4 * n_ && outers_.size() < kOuters) {
      RankOne one = find_rank_one(terms, n_);
      if (!one.v.empty()) {
        outers_.push_back({cone_.constraints[k], std::move(one)});
        continue;
      }
    }
    thin_.push_back(k);
    for (const Term& t : terms) moving_.push_back({t.row, t.column});
  }
  const std::size_t terms = moving_.size();
  make_unique(moving_);
  const double all = static_cast<double>(n_) * static_cast<double>(n_);
  few_moving_ = n_ > 32 && static_cast<double>(moving_.size()) < all / 40;
  if (!few_moving_) {
    outers_ = std::vector<Outer>();
    thin_ = std::vector<std::size_t>();
    moving_ = std::vector<Position>();
    return;
  }
  moving_places_.reserve(terms);
  for (const std::size_t k : thin_) {
    for (const Term& t : cone_.terms_of(k)) {
      const auto place = std::ranges::lower_bound(moving_, kByPlace(t), {}, kByPlace);
      moving_places_.push_back(static_cast<Index>(place - moving_.begin()));
    }
  }
}

void ConeState::start(double a, double b) {
  std::ranges::fill(x_, 0.0);
  std::ranges::fill(y_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    x_[i * n_ + i] = a;
    y_[i * n_ + i] = b;
  }
}

bool ConeState::factorise(const Crew& crew) {
  if (sparse_) {
    std::vector<double> values;
    values.reserve(pattern_.size());
    for (const Position& p : pattern_) values.push_back(x_[p.column * n_ + p.row]);
    if (!sparse_->factorise(values)) return false;
  } else {
    factor_x_ = x_;
    if (!cholesky(crew, n_, factor_x_.data(), n_)) return false;
  }
  factor_y_ = y_;
  return cholesky(crew, n_, factor_y_.data(), n_);
}

void ConeState::invert(const Crew& crew) {
  if (!sparse_) {
    detail::invert(crew, n_, factor_x_.data(), n_, inverse_.data());
    return;
  }
  std::fill(inverse_.begin(), inverse_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) inverse_[i * n_ + i] = 1;
  sparse_->solve(crew, inverse_.data(), n_, n_);
  // Solved column by column it is symmetric up to rounding only.
  minus_symmetrised(crew, n_, inverse_, inverse_, [](std::size_t) { return 0.0; });
  for (double& v : inverse_) v = -v;
}

double ConeState::find_rest(const std::vector<double>& x) {
  for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = -x_[k];
  for (const Term& t : cone_.constant) add_term(rest_, n_, t, -1);
  add_combination(x, rest_);
  double sum = 0;
  for (const double v : rest_) sum += v * v;
  return sum;
}

void ConeState::set_x(const std::vector<double>& x) {
  std::fill(x_.begin(), x_.end(), 0.0);
  for (const Term& t : cone_.constant) add_term(x_, n_, t, -1);
  add_combination(x, x_);
}

void ConeState::set_dx(const std::vector<double>& dx, Primal primal) {
  if (primal == Primal::feasible) {
    std::fill(dx_.begin(), dx_.end(), 0.0);
  } else {
    dx_ = rest_;
  }
  add_combination(dx, dx_);
}

/// to += Σ F_i factors[i].
void ConeState::add_combination(const std::vector<double>& factors, Square& to) const {
  for (std::size_t k = 0; k < cone_.constraints.size(); ++k) {
    const double factor = factors[cone_.constraints[k]];
    for (std::size_t e = cone_.begins[k]; e < cone_.begins[k + 1]; ++e) {
      add_term(to, n_, cone_.term(e), factor);
    }
  }
}

/// result ← D y + beta result, beta 0 or 1, for D with these values at these positions and the
/// outer products besides.
void ConeState::multiply_by(const Crew& crew, const std::vector<Position>& positions,
                            const std::vector<double>& values,
                            const std::vector<double>& outer_factors, const Square& y,
                            Square& result, double beta) const {
  const auto column = [&](const double* from, double* to) {
    for (std::size_t m = 0; m < positions.size(); ++m) {
      const Position& p = positions[m];
      to[p.row] += values[m] * from[p.column];
      if (p.row != p.column) to[p.column] += values[m] * from[p.row];
    }
    for (std::size_t o = 0; o < outer_factors.size(); ++o) {
      const std::vector<double>& v = outers_[o].product.v;
      double dot = 0;
      for (std::size_t i = 0; i < n_; ++i) dot += v[i] * from[i];
      kernels().add_scaled(outer_factors[o] * dot, v.data(), n_, to);
    }
  };
  const std::size_t each = positions.size() + n_ * outer_factors.size();
  crew.ranges(n_, 16, 2.0 * static_cast<double>(each * n_),
              [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t j = begin; j < end; ++j) {
                  double* to = result.data() + j * n_;
                  if (beta == 0) std::fill_n(to, n_, 0.0);
                  column(y.data() + j * n_, to);
                }
              });
}

/// D = Σ F_i factors[i], where that has few entries.
void ConeState::multiply_moving(const Crew& crew, const std::vector<double>& factors,
                                const Square& y, Square& result, double beta) const {
  std::vector<double> values(moving_.size(), 0.0), outer_factors;
  std::size_t place = 0;
  for (const std::size_t k : thin_) {
    const double factor = factors[cone_.constraints[k]];
    for (std::size_t e = cone_.begins[k]; e < cone_.begins[k + 1]; ++e) {
      values[moving_places_[place++]] += factor * cone_.values[e];
    }
  }
  for (const Outer& outer : outers_) {
    outer_factors.push_back(factors[outer.constraint] * outer.product.scale);
  }
  multiply_by(crew, moving_, values, outer_factors, y, result, beta);
}

/// D of X's pattern, or any other.
void ConeState::multiply_pattern(const Crew& crew, const Square& d, const Square& y, Square& result,
                                 double beta) const {
  if (!few_pattern_) {
    multiply(crew, n_, 1, d.data(), y.data(), beta, result.data());
    return;
  }
  std::vector<double> values;
  values.reserve(pattern_.size());
  for (const Position& p : pattern_) values.push_back(d[p.column * n_ + p.row]);
  multiply_by(crew, pattern_, values, {}, y, result, beta);
}

/// D = dX, whose dx is given.
void ConeState::multiply_dx(const Crew& crew, Primal primal, const std::vector<double>& factors,
                            const Square& y, Square& result, double beta) const {
  if (few_moving_ && primal == Primal::feasible) {
    multiply_moving(crew, factors, y, result, beta);
  } else {
    multiply_pattern(crew, dx_, y, result, beta);
  }
}

void ConeState::apply_inverse(const Crew& crew, const Square& m, Square& result) const {
  if (sparse_) {
    result = m;
    sparse_->solve(crew, result.data(), n_, n_);
  } else {
    multiply(crew, n_, 1, inverse_.data(), m.data(), 0, result.data());
  }
}

void ConeState::find_fixed(const Crew& crew, Primal primal, Second second,
                           const std::vector<double>& dx) {
  if (second == Second::none && primal == Primal::feasible) {
    std::fill(dy_.begin(), dy_.end(), 0.0);
    return;
  }
  if (second == Second::predictor) multiply_dx(crew, primal, dx, dy_, second_, 0);
  if (primal == Primal::infeasible) {
    Square& sum = dx_;
    if (second == Second::predictor) sum = second_;
    multiply_pattern(crew, rest_, y_, sum, second == Second::none ? 0 : 1);
    apply_inverse(crew, sum, dy_);
  } else {
    apply_inverse(crew, second_, dy_);
  }
  minus_symmetrised(crew, n_, dy_, dy_, [](std::size_t) { return 0.0; });
}

void ConeState::set_dy(const Crew& crew, double target, Primal primal, Second second,
                       const std::vector<double>& dx) {
  Square& product = second_;
  multiply_dx(crew, primal, dx, y_, product, second == Second::none ? 0 : 1);
  apply_inverse(crew, product, dy_);
  minus_symmetrised(crew, n_, dy_, dy_,
                    [&](std::size_t at) { return target * inverse_[at] - y_[at]; });
}

void ConeState::add_direction(const Crew& crew, const std::vector<double>& delta) {
  Square &d = rest_, &turned = rest_;
  std::fill(d.begin(), d.end(), 0.0);
  add_combination(delta, d);
  if (few_moving_) {
    multiply_moving(crew, delta, y_, second_, 0);
  } else {
    multiply_pattern(crew, d, y_, second_, 0);
  }
  for (std::size_t k = 0; k < d.size(); ++k) dx_[k] += d[k];
  apply_inverse(crew, second_, turned);
  minus_symmetrised(crew, n_, turned, dy_, [&](std::size_t at) { return dy_[at]; });
}

ConeMatrices ConeState::identity() {
  std::fill(second_.begin(), second_.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i) second_[i * n_ + i] = 1;
  return {second_.data(), second_.data()};
}

void ConeState::add_gram_products(const std::vector<double>& x, std::vector<double>& products) {
  std::fill(second_.begin(), second_.end(), 0.0);
  add_combination(x, second_);
  add_products(second_, 1, products);
}

void ConeState::add_products(const Square& w, double factor, std::vector<double>& sums) const {
  for (std::size_t k = 0; k < cone_.constraints.size(); ++k) {
    double sum = 0;
    for (std::size_t e = cone_.begins[k]; e < cone_.begins[k + 1]; ++e) {
      const Term t = cone_.term(e);
      sum += (t.row == t.column ? t.value : 2 * t.value) * w[t.column * n_ + t.row];
    }
    sums[cone_.constraints[k]] += factor * sum;
  }
}

double ConeState::constant_product() const {
  double sum = 0;
  for (const Term& t : cone_.constant) {
    sum += (t.row == t.column ? t.value : 2 * t.value) * y_[t.column * n_ + t.row];
  }
  return sum;
}

double ConeState::constant_terms() const {
  double sum = 0;
  for (const Term& t : cone_.constant) {
    sum += std::abs((t.row == t.column ? t.value : 2 * t.value) * y_[t.column * n_ + t.row]);
  }
  return sum;
}

namespace {

/// λmin(L⁻¹ D L⁻ᵀ) of a dense factor.
double least_dense(const Crew& crew, std::size_t n, const Square& factor, const Square& d) {
  if (n <= kExactEigenvalues) {
    Square m = d;
    solve_lower(n, n, factor.data(), n, m.data(), n);
    solve_rows(n, n, factor.data(), n, m.data(), n);
    std::vector<double> values(n);
    return eigenvalues(n, m.data(), values.data()) ? values[0] : -1e300;
  }
  std::vector<double> z(n);
  return least_eigenvalue(n, [&](const double* v, double* w) {
    std::copy_n(v, n, z.data());
    solve_lower_transposed(crew, n, factor.data(), z.data());
    multiply_vector(crew, n, d.data(), z.data(), w);
    solve_lower(crew, n, factor.data(), w);
  });
}

}  // namespace

double ConeState::least_primal(const Crew& crew) const {
  if (!sparse_) return least_dense(crew, n_, factor_x_, dx_);
  std::vector<double> z(n_), u(n_);
  return least_eigenvalue(n_, [&](const double* v, double* w) {
    sparse_->backward(v, z.data());
    if (few_pattern_) {
      std::fill(u.begin(), u.end(), 0.0);
      for (const Position& p : pattern_) {
        const double value = dx_[p.column * n_ + p.row];
        u[p.row] += value * z[p.column];
        if (p.row != p.column) u[p.column] += value * z[p.row];
      }
    } else {
      dense_kernels().multiply_symmetric(n_, dx_.data(), n_, z.data(), u.data());
    }
    sparse_->forward(u.data(), w);
  });
}

double ConeState::least_dual(const Crew& crew) const {
  return least_dense(crew, n_, factor_y_, dy_);
}

void ConeState::step(double a, double b) {
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += a * dx_[k];
  for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += b * dy_[k];
}

}  // namespace kinjo::sdp::detail
