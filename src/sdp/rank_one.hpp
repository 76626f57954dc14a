/// Finds matrices of rank one by their entries.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sdp/model.hpp"

namespace kinjo::sdp::detail {

/// A = scale · v vᵀ, scale 1 or −1; v is empty if A is not so up to rounding.
struct RankOne {
  std::vector<double> v;
  double scale = 0;
};

/// Of a symmetric matrix by the entries of its upper triangle, each once.
RankOne find_rank_one(std::span<const Term> terms, std::size_t order);

}  // namespace kinjo::sdp::detail
