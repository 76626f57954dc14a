/// An even sequence of m numbers in half the time and memory of any other. With N = m/4,
///
///     y_k        = e_k + d_k          e: the transform of x_0, x_2, x_4 …, which is even, of 2N
///     y_(2N − k) = e_k − d_k          d_k = 2 Σ_(j < N) x_(2j+1) cos(2π·(2j+1)k/m)
///
/// and d_k = w^k v_k + w^−k v_(N−k), w = exp(−2πi/m), where v is the transform of N numbers, x_1,
/// x_5, x_9 … from the front and x_3, x_7 … from the back (J. Makhoul, A fast cosine transform in
/// one and two dimensions, IEEE Trans. ASSP-28 (1980)). So it goes on with e until 4 does not
/// divide its length. Nothing is divided by a sine, so no accuracy is lost.
///
/// Transforms of N by Stockham's passes: each combines p transforms of length l to one of length
/// p·l, from one array to another; what lies side by side has the same factors.
#include "fft/wide_transform.hpp"

#include <algorithm>

#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

Wide product(const Wide& a, const Wide& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Wide times_minus_i(const Wide& a) { return {a.imag(), -a.real()}; }

/// exp(−2πi·k/m) for k < m; a quarter of them, if there is one.
class WideRoots {
 public:
  explicit WideRoots(std::size_t m) : order_(m), kept_(kept(m)), list_(kept_) {
    const Roots roots(m);
    for (std::size_t k = 0; k < kept_; ++k) {
      const ExactRoot root = roots.exact(k);
      list_[k] = {static_cast<long double>(root.real.high) + root.real.low,
                  static_cast<long double>(root.imaginary.high) + root.imaginary.low};
    }
  }
  static std::size_t kept(std::size_t m) { return m % 4 == 0 ? m / 4 : m; }

  std::size_t order() const { return order_; }
  Wide operator[](std::size_t k) const {
    Wide root = list_[k % kept_];
    for (std::size_t quarters = k / kept_; quarters > 0; --quarters) root = times_minus_i(root);
    return root;
  }

 private:
  std::size_t order_, kept_;
  std::vector<Wide> list_;
};

/// One pass: the p numbers of a butterfly lie `others` apart where they come from, and `length`
/// times that where they go.
struct Pass {
  const Wide* from;
  Wide* to;
  std::size_t length, others;
};

/// Butterflies of radix 2 or 4 whose factors are those of k.
template <std::size_t kRadix>
void butterflies(const Pass& pass, std::size_t k, const Wide* factors) {
  const std::size_t others = pass.others, step = pass.length * others;
  const Wide* const from = pass.from + kRadix * k * others;
  Wide* const to = pass.to + k * others;
  for (std::size_t o = 0; o < others; ++o) {
    const Wide a = from[o], b = product(from[o + others], factors[1]);
    if constexpr (kRadix == 2) {
      to[o] = a + b;
      to[o + step] = a - b;
    } else {
      const Wide c = product(from[o + 2 * others], factors[2]);
      const Wide d = product(from[o + 3 * others], factors[3]);
      const Wide even = a + c, odd = b + d, turned = times_minus_i(b - d);
      to[o] = even + odd;
      to[o + 2 * step] = even - odd;
      to[o + step] = (a - c) + turned;
      to[o + 3 * step] = (a - c) - turned;
    }
  }
}

/// Those of any radix, by the definition: `inner` are its roots.
void butterflies(const Pass& pass, std::size_t k, const std::vector<Wide>& factors,
                 const std::vector<Wide>& inner) {
  const std::size_t radix = factors.size(), others = pass.others;
  std::vector<Wide> terms(radix);
  for (std::size_t o = 0; o < others; ++o) {
    for (std::size_t j = 0; j < radix; ++j) {
      terms[j] = product(pass.from[(radix * k + j) * others + o], factors[j]);
    }
    for (std::size_t q = 0; q < radix; ++q) {
      Wide sum = terms[0];
      for (std::size_t j = 1; j < radix; ++j) sum += product(terms[j], inner[j * q % radix]);
      pass.to[(k + q * pass.length) * others + o] = sum;
    }
  }
}

std::size_t radix_of(std::size_t rest) {
  if (rest % 4 == 0) return 4;
  std::size_t p = 2;
  while (rest % p != 0) ++p;
  return p;
}

void run(const Pass& pass, std::size_t radix, const WideRoots& roots) {
  const std::size_t step = roots.order() / (radix * pass.length);
  std::vector<Wide> factors(radix), inner(radix);
  for (std::size_t j = 0; j < radix; ++j) inner[j] = roots[j * (roots.order() / radix)];
  for (std::size_t k = 0; k < pass.length; ++k) {
    for (std::size_t j = 0; j < radix; ++j) factors[j] = roots[j * k * step];
    if (radix == 4) {
      butterflies<4>(pass, k, factors.data());
    } else if (radix == 2) {
      butterflies<2>(pass, k, factors.data());
    } else {
      butterflies(pass, k, factors, inner);
    }
  }
}

/// Of n numbers, between two arrays. Returns the one that has the result. n divides the roots'
/// order.
Wide* transform(Wide* x, Wide* other, std::size_t n, const WideRoots& roots) {
  for (std::size_t length = 1; length < n;) {
    const std::size_t radix = radix_of(n / length);
    run({x, other, length, n / (length * radix)}, radix, roots);
    std::swap(x, other);
    length *= radix;
  }
  return x;
}

/// A sequence of m numbers whose length 4 does not divide, written in full.
void transform_full(Wide* x, std::size_t m, const WideRoots& roots) {
  std::vector<Wide> full(m), other(m);
  for (std::size_t j = 0; j < m; ++j) full[j] = x[std::min(j, m - j)];
  std::copy_n(transform(full.data(), other.data(), m, roots), m / 2 + 1, x);
}

/// Takes x_1, x_3 … out of x_0 … x_2N in the order of the algorithm, and closes the gaps.
void split(Wide* x, std::size_t n, Wide* odd) {
  for (std::size_t j = 0; j < n; ++j) odd[j % 2 == 0 ? j / 2 : n - 1 - j / 2] = x[2 * j + 1];
  for (std::size_t j = 1; j <= n; ++j) x[j] = x[2 * j];
}

/// d from v, to another array or the same one.
void turn(const Wide* v, Wide* d, std::size_t n, const WideRoots& roots) {
  const std::size_t step = roots.order() / (4 * n);
  const auto turned = [&](std::size_t k, const Wide& there, const Wide& back) {
    const Wide root = roots[k * step];
    return product(root, there) + product(std::conj(root), back);
  };
  d[0] = v[0] + v[0];
  for (std::size_t k = 1; 2 * k <= n; ++k) {
    const Wide a = v[k], b = v[n - k];
    d[k] = turned(k, a, b);
    d[n - k] = turned(n - k, b, a);
  }
}

/// y from e, which is x_0 … x_N, and d, which lies behind it. What two pairs need and where they go
/// are the same four places.
void join(Wide* x, std::size_t n) {
  Wide* const d = x + n + 1;
  for (std::size_t k = 0, last = n - 1; 2 * k < n; ++k, --last) {
    const Wide even = x[k], odd = d[k], even_last = x[last], odd_last = d[last];
    x[k] = even + odd;
    d[last] = even - odd;
    x[last] = even_last + odd_last;
    d[k] = even_last - odd_last;
  }
}

/// x_0 … x_(m/2); `scratch` has m/4 numbers.
void transform_half(Wide* x, std::size_t m, Wide* scratch, const WideRoots& roots) {
  if (m % 4 != 0) return transform_full(x, m, roots);
  const std::size_t n = m / 4;
  Wide* const behind = x + n + 1;
  split(x, n, scratch);
  turn(transform(scratch, behind, n, roots), behind, n, roots);
  transform_half(x, m / 2, scratch, roots);
  join(x, n);
}

}  // namespace

void transform_even(std::vector<Wide>& half, std::size_t m) {
  const WideRoots roots(m);
  std::vector<Wide> scratch(m / 4);
  transform_half(half.data(), m, scratch.data(), roots);
}

std::size_t transform_even_bytes(std::size_t m) {
  std::size_t full = m;
  while (full % 4 == 0) full /= 2;
  return (WideRoots::kept(m) + m / 4 + 2 * full) * sizeof(Wide);
}

}  // namespace kinjo::fft::detail
