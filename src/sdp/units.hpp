/// A problem in other units: F_0 divided by f and c by g, which makes x/f, X/f and Y/g of a
/// solution. Both are powers of two, so that nothing is rounded.
#pragma once

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

class Units {
 public:
  /// Such that the largest entries of F_0 and of c are from 1 to below 2; or 1 if all are 0.
  explicit Units(const Problem& problem);

  /// Whether one of them is far from 1.
  bool differ() const;
  Problem divided(const Problem& problem) const;
  Iteration multiplied(Iteration line) const;
  /// Of a solution of the divided problem, all but its errors; a certificate becomes one that is
  /// scaled as `Solution` says.
  void multiply(Solution& solution) const;

 private:
  double constant_ = 1, cost_ = 1;
};

}  // namespace kinjo::sdp::detail
