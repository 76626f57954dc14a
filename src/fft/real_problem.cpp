#include "fft/real_problem.hpp"

namespace kinjo::fft::detail {

bool RealProblem::pairs() const {
  return real.stride(axis) == 1 && real.shape[axis] % 2 == 0 &&
         (real.batch == 1 || real.distance % 2 == 0);
}

Problem RealProblem::halves() const {
  Problem half = real;
  half.shape[axis] /= 2;
  half.size /= 2;
  half.distance /= 2;
  return half;
}

RealProblem check_real_problem(const std::vector<std::size_t>& shape, const Options& options,
                               std::size_t element_bytes) {
  RealProblem p;
  p.real = check_problem(shape, options, element_bytes);
  p.axis = p.real.axes.back();
  std::vector<std::size_t> half = shape;
  half[p.axis] = half[p.axis] / 2 + 1;
  Options of_spectrum = options;
  of_spectrum.distance = options.spectrum_distance;
  p.spectrum = check_problem(half, of_spectrum, element_bytes);
  return p;
}

}  // namespace kinjo::fft::detail
