#include "fft/real_problem.hpp"

#include <algorithm>

namespace kinjo::fft::detail {

bool RealProblem::pairs() const {
  return real.stride(axis) == 1 && real.shape[axis] % 2 == 0 &&
         (real.batch == 1 || real.distance % 2 == 0);
}

std::size_t RealProblem::line_numbers() const {
  const std::size_t n = real.shape[axis];
  return n % 2 == 0 ? n / 2 : n;
}

Problem RealProblem::halves() const {
  Problem half = real;
  half.shape[axis] /= 2;
  half.size /= 2;
  half.distance /= 2;
  return half;
}

std::size_t copied_line(std::size_t n, std::size_t part_bytes) {
  const std::size_t unit = 64 / (2 * part_bytes), numbers = n % 2 == 0 ? n / 2 + 1 : n;
  return ((numbers + unit - 1) / unit | 1) * unit;
}

std::size_t lanes_together(std::size_t n, std::size_t side_by_side, const Conditions& conditions) {
  const std::size_t bytes = copied_line(n, conditions.element_bytes / 2) * conditions.element_bytes;
  const std::size_t cache = std::max(conditions.l2, conditions.l3 / conditions.threads) / 2;
  const std::size_t most = std::min(128 / conditions.element_bytes, cache / bytes);
  std::size_t lanes = 1;
  for (std::size_t count = 2; count <= most; ++count) {
    if (side_by_side % count == 0) lanes = count;
  }
  return lanes;
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
