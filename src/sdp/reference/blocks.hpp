/// Symmetric matrices of blocks in `Real`, and what a problem's F_i do to them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <kinjo/sdp.hpp>

#include "sdp/reference/product.hpp"

namespace kinjo::sdp::detail::reference {

/// As BlockMatrix: a symmetric block in columns, both triangles; a diagonal block as a vector.
template <class Real>
class Blocks {
 public:
  Blocks() = default;
  /// `scale` times the identity.
  explicit Blocks(std::span<const Block> shapes, double scale = 0) {
    for (const Block& shape : shapes) {
      shapes_.push_back(shape);
      const std::size_t n = shape.order, begin = values_.size();
      const bool dense = shape.kind == BlockKind::symmetric;
      begins_.push_back(begin);
      values_.resize(begin + (dense ? n * n : n));
      for (std::size_t i = 0; i < n; ++i) values_[begin + (dense ? i * n + i : i)] = Real(scale);
    }
  }

  std::size_t size() const { return shapes_.size(); }
  std::size_t order(std::size_t b) const { return shapes_[b].order; }
  bool is_diagonal(std::size_t b) const { return shapes_[b].kind == BlockKind::diagonal; }
  std::span<const Block> shapes() const { return shapes_; }
  Real* block(std::size_t b) { return values_.data() + begins_[b]; }
  const Real* block(std::size_t b) const { return values_.data() + begins_[b]; }
  /// Every value, of all blocks.
  std::span<Real> values() { return values_; }
  std::span<const Real> values() const { return values_; }

  /// Where a problem's entry is; both places for one off the diagonal.
  Real& at(const Entry& e) { return block(e.block)[place(e.block, e.row, e.column)]; }
  const Real& at(const Entry& e) const { return block(e.block)[place(e.block, e.row, e.column)]; }
  Real& mirrored(const Entry& e) { return block(e.block)[place(e.block, e.column, e.row)]; }
  const Real& mirrored(const Entry& e) const {
    return block(e.block)[place(e.block, e.column, e.row)];
  }

 private:
  std::size_t place(std::size_t b, std::size_t row, std::size_t column) const {
    return is_diagonal(b) ? row : column * order(b) + row;
  }

  std::vector<Block> shapes_;
  std::vector<std::size_t> begins_;
  std::vector<Real> values_;
};

/// a += scale · b
template <class Real>
void add_scaled(Blocks<Real>& a, Real scale, const Blocks<Real>& b) {
  const std::span<Real> to = a.values();
  const std::span<const Real> from = b.values();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += scale * from[i];
}

/// A • B
template <class Real>
Real inner_product(const Blocks<Real>& a, const Blocks<Real>& b) {
  const std::span<const Real> left = a.values(), right = b.values();
  Real sum(0);
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}

template <class Real>
Real frobenius_norm(const Blocks<Real>& a) {
  return root(inner_product(a, a));
}

/// F • A for the entries of F; A need not be symmetric.
template <class Real>
Real inner_product(std::span<const Entry> f, const Blocks<Real>& a) {
  Real sum(0);
  for (const Entry& e : f) {
    sum += e.row == e.column ? a.at(e) * e.value : (a.at(e) + a.mirrored(e)) * e.value;
  }
  return sum;
}

/// a += scale · F
template <class Real>
void add_scaled(Blocks<Real>& a, Real scale, std::span<const Entry> f) {
  for (const Entry& e : f) {
    const Real value = scale * e.value;
    a.at(e) += value;
    if (e.row != e.column) a.mirrored(e) += value;
  }
}

/// Σ F_i x_i
template <class Real>
Blocks<Real> combination(const Problem& problem, std::span<const Real> x) {
  Blocks<Real> sum(problem.blocks());
  for (std::size_t i = 0; i < x.size(); ++i) add_scaled(sum, x[i], problem.matrix(i + 1));
  return sum;
}

/// A := (A + Aᵀ)/2
template <class Real>
void symmetrise(Blocks<Real>& a) {
  for (std::size_t b = 0; b < a.size(); ++b) {
    if (a.is_diagonal(b)) continue;
    const std::size_t n = a.order(b);
    const Strided<Real> block = columns(a.block(b), n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        block(i, j) = block(j, i) = (block(i, j) + block(j, i)) * Real(0.5);
      }
    }
  }
}

/// Aᵀ
template <class Real>
Blocks<Real> transposed(const Blocks<Real>& a) {
  Blocks<Real> t = a;
  for (std::size_t b = 0; b < a.size(); ++b) {
    if (a.is_diagonal(b)) continue;
    const std::size_t n = a.order(b);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) t.block(b)[i * n + j] = a.block(b)[j * n + i];
    }
  }
  return t;
}

template <class Real>
Blocks<Real> negated(Blocks<Real> a) {
  for (Real& value : a.values()) value = -value;
  return a;
}

/// A B by blocks.
template <class Real>
Blocks<Real> product(const Blocks<Real>& a, const Blocks<Real>& b) {
  Blocks<Real> c(a.shapes());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t n = a.order(k);
    if (a.is_diagonal(k)) {
      for (std::size_t i = 0; i < n; ++i) c.block(k)[i] = a.block(k)[i] * b.block(k)[i];
    } else {
      add_product({n, n, n}, columns(a.block(k), n), columns(b.block(k), n),
                  columns(c.block(k), n));
    }
  }
  return c;
}

}  // namespace kinjo::sdp::detail::reference
