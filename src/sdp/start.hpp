/// Where the iterations begin: X and Y are multiples of the identity, cone by cone, large enough
/// for the sizes of the data (after the choice in K.-C. Toh, M. J. Todd, R. H. Tütüncü, SDPT3,
/// 1999).
#pragma once

#include "sdp/model.hpp"

namespace kinjo::sdp::detail {

struct StartScale {
  double primal = 10, dual = 10;  ///< X = primal · I, Y = dual · I
};

StartScale start_scale(const Cone& cone, const std::vector<double>& costs);
StartScale start_scale(const Linear& linear, const std::vector<double>& costs);

}  // namespace kinjo::sdp::detail
