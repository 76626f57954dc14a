#include "fft/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

namespace kinjo::fft::detail {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Errc::invalid_argument, fmt::format(format, std::forward<Args>(args)...));
}

std::vector<std::size_t> checked_axes(const std::vector<std::size_t>& shape,
                                      std::vector<std::size_t> axes) {
  if (axes.empty()) {
    axes.resize(shape.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
  }
  std::sort(axes.begin(), axes.end());
  if (axes.back() >= shape.size()) {
    refuse("fft: axis {} is not there: expected one of 0 to {}", axes.back(), shape.size() - 1);
  }
  const auto twice = std::adjacent_find(axes.begin(), axes.end());
  if (twice != axes.end()) refuse("fft: axis {} is named twice: expected each once", *twice);
  return axes;
}

}  // namespace

std::size_t Problem::stride(std::size_t axis) const {
  std::size_t product = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) product *= shape[i];
  return product;
}

Problem check_problem(const std::vector<std::size_t>& shape, const Options& options,
                      std::size_t element_bytes) {
  if (shape.empty()) refuse("fft: the shape has no axis: expected at least one");
  const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / element_bytes;
  Problem problem{shape, checked_axes(shape, options.axes), 1, 1, options.batch, options.distance};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) refuse("fft: axis {} has length 0: expected at least 1", i);
    if (problem.size > most / shape[i]) {
      refuse("fft: an array of shape {} exceeds the address space", fmt::join(shape, " × "));
    }
    problem.size *= shape[i];
  }
  for (const std::size_t axis : problem.axes) problem.transformed *= shape[axis];
  if (!options.cuts.empty() && options.cuts.size() != problem.axes.size()) {
    refuse("fft: {} cut{}: expected none, or one for each of {} transformed axes",
           options.cuts.size(), options.cuts.size() == 1 ? "" : "s", problem.axes.size());
  }
  if (problem.batch == 0) refuse("fft: the batch is 0: expected at least 1 transform");
  if (problem.distance == 0) problem.distance = problem.size;
  if (problem.distance < problem.size) {
    refuse("fft: transforms of {} elements lie {} apart: expected at least their size",
           problem.size, problem.distance);
  }
  if (problem.batch - 1 > (most - problem.size) / problem.distance) {
    refuse("fft: {} transforms {} elements apart exceed the address space", problem.batch,
           problem.distance);
  }
  return problem;
}

double factor_of(Scale scale, std::size_t n) {
  const double length = static_cast<double>(n);
  return scale == Scale::one ? 1 : scale == Scale::by_n ? 1 / length : 1 / std::sqrt(length);
}

}  // namespace kinjo::fft::detail
