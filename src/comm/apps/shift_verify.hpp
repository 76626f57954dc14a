/// Whether a product by shifted blocks is right.
#pragma once

#include <string>

#include "comm/apps/shift_matrices.hpp"

namespace kinjo::comm::detail {

/// At cell 0 what is wrong with C, which it fetches from all cells; empty if nothing. Collective.
/// It takes three whole matrices of cell 0's own memory.
std::string shift_fault(World& world, const ShiftMatrices& matrices);

}  // namespace kinjo::comm::detail
