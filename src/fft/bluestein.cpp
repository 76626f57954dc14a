#include "fft/bluestein.hpp"

#include <algorithm>
#include <complex>

#include "fft/roots.hpp"
#include "fft/wide_transform.hpp"

namespace kinjo::fft::detail {

namespace {

/// c_j for j < n, and conj(c_j), with zeros behind, in long double.
template <class T>
std::vector<Wide> make_chirp(std::size_t n, std::size_t m, std::vector<T>& chirp) {
  std::vector<Wide> filter(m / 2 + 1);
  chirp.resize(2 * n);
  const Roots roots(2 * n);
  std::size_t square = 0;  // j² mod 2n
  for (std::size_t j = 0; j < n; square = next_square(square, j, 2 * n), ++j) {
    const ExactRoot root = roots.exact(square);
    const auto rounded = detail::rounded<T>(root);
    chirp[j] = rounded.real();
    chirp[n + j] = rounded.imag();
    filter[j] = {static_cast<long double>(root.real.high) + root.real.low,
                 -(static_cast<long double>(root.imaginary.high) + root.imaginary.low)};
  }
  return filter;
}

}  // namespace

template <class T>
BluesteinTables<T> bluestein_tables(std::size_t n, std::size_t m) {
  BluesteinTables<T> tables;
  std::vector<Wide> filter = make_chirp(n, m, tables.chirp);
  transform_even(filter, m);
  tables.filter.resize(2 * m);
  for (std::size_t k = 0; k < m; ++k) {
    const Wide value = filter[std::min(k, m - k)] / static_cast<long double>(m);
    tables.filter[k] = static_cast<T>(value.real());
    tables.filter[m + k] = static_cast<T>(value.imag());
  }
  return tables;
}

template BluesteinTables<float> bluestein_tables(std::size_t, std::size_t);
template BluesteinTables<double> bluestein_tables(std::size_t, std::size_t);

}  // namespace kinjo::fft::detail
