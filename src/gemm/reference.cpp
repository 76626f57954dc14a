/// The product as its definition has it. Compiled without automatic vectorisation.
#include <kinjo/gemm.hpp>

#include "gemm/arguments.hpp"

namespace kinjo::gemm {

template <class T>
void multiply_reference(T alpha, View<const T> a, View<const T> b, T beta, View<T> c) {
  check_arguments(a, b, c, factors_for(alpha));
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.columns; ++j) {
      T& result = *c.at(i, j);
      T value = beta == 0 ? T{0} : beta * result;
      if (alpha != 0 && a.columns > 0) {
        T sum = 0;
        for (std::size_t p = 0; p < a.columns; ++p) sum += *a.at(i, p) * *b.at(p, j);
        value += alpha * sum;
      }
      result = value;
    }
  }
}

template void multiply_reference(float, View<const float>, View<const float>, float, View<float>);
template void multiply_reference(double, View<const double>, View<const double>, double,
                                 View<double>);

}  // namespace kinjo::gemm
