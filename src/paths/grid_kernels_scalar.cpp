/// What vectors are compared with, and what serves where there are none.
#include <algorithm>

#include "paths/grid_kernels.hpp"

namespace kinjo::paths::detail {

namespace {

#include "paths/grid_additions-inl.hpp"

template <std::size_t kLimbs>
constexpr GridKernelSet::Additions of() {
  return additions<ScalarNumbers<kLimbs>, ScalarNumbers<kLimbs>>();
}

}  // namespace

const GridKernelSet kScalarGridKernels = {additions<ScalarResidues, ScalarResidues>(),
                                          {of<1>(), of<2>(), of<3>(), of<4>()},
                                          send,
                                          spread,
                                          load_rows,
                                          store_rows,
                                          load_columns,
                                          store_columns,
                                          size};

GridMail GridMail::at(std::size_t words) const {
  GridMail rest = *this;
  for (Limb*& plane : rest.planes) {
    if (plane != nullptr) plane += words;
  }
  return rest;
}

void GridSize::add(const GridSize& other) {
  sum += other.sum;
  largest = std::max(largest, other.largest);
}

}  // namespace kinjo::paths::detail
