#include "fft/bluestein.hpp"

#include <complex>

#include "fft/roots.hpp"
#include "fft/wide_transform.hpp"

namespace kinjo::fft::detail {

template <class T>
BluesteinTables<T> bluestein_tables(std::size_t n, std::size_t m) {
  using Wide = std::complex<long double>;
  BluesteinTables<T> tables;
  tables.chirp.resize(2 * n);
  std::vector<Wide> filter(m);
  const Roots roots(2 * n);
  for (std::size_t j = 0; j < n; ++j) {
    const ExactRoot root = roots.exact(j * j % (2 * n));
    const auto rounded = detail::rounded<T>(root);
    tables.chirp[j] = rounded.real();
    tables.chirp[n + j] = rounded.imag();
    filter[j] = {static_cast<long double>(root.real.high) + root.real.low,
                 -(static_cast<long double>(root.imaginary.high) + root.imaginary.low)};
    if (j > 0) filter[m - j] = filter[j];
  }
  filter = wide_transform(filter);
  tables.filter.resize(2 * m);
  for (std::size_t k = 0; k < m; ++k) {
    const Wide value = filter[k] / static_cast<long double>(m);
    tables.filter[k] = static_cast<T>(value.real());
    tables.filter[m + k] = static_cast<T>(value.imag());
  }
  return tables;
}

template BluesteinTables<float> bluestein_tables(std::size_t, std::size_t);
template BluesteinTables<double> bluestein_tables(std::size_t, std::size_t);

}  // namespace kinjo::fft::detail
