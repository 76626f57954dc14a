/// Stockham's algorithm: a pass for each prime factor p combines p transforms of length l to one of
/// length p·l, from one array to another.
#include "fft/wide_transform.hpp"

#include "fft/roots.hpp"

namespace kinjo::fft::detail {

namespace {

using Wide = std::complex<long double>;

std::vector<Wide> wide_roots(std::size_t n) {
  const Roots roots(n);
  std::vector<Wide> list(n);
  for (std::size_t k = 0; k < n; ++k) {
    const ExactRoot root = roots.exact(k);
    list[k] = {static_cast<long double>(root.real.high) + root.real.low,
               static_cast<long double>(root.imaginary.high) + root.imaginary.low};
  }
  return list;
}

Wide product(const Wide& a, const Wide& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

std::vector<Wide> wide_transform(const std::vector<Wide>& x) {
  const std::size_t n = x.size();
  const std::vector<Wide> roots = wide_roots(n);
  std::vector<Wide> from = x, to(n);
  for (std::size_t length = 1; length < n;) {
    std::size_t p = 2;
    while (n / length % p != 0) ++p;
    const std::size_t others = n / (length * p);
    for (std::size_t o = 0; o < others; ++o) {
      for (std::size_t k = 0; k < p * length; ++k) {
        Wide sum = 0;
        for (std::size_t j = 0; j < p; ++j) {
          const Wide& term = from[(j * others + o) * length + k % length];
          sum += product(term, roots[j * k * others % n]);
        }
        to[o * p * length + k] = sum;
      }
    }
    length *= p;
    from.swap(to);
  }
  return from;
}

}  // namespace kinjo::fft::detail
