/// The reference solver: dense, serial, simple, in double or in about 32 digits.
#pragma once

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// What the reference works with and where it begins.
struct ReferenceOptions {
  Options options;
  /// x, X and Y to begin near; null: at multiples of the identity.
  const Solution* start = nullptr;
};

/// Solves a problem. `Real` is double or kinjo::detail::DoubleDouble. `dimacs_errors` and the
/// objectives are those of the rounded x, X and Y; `plan` is left empty. Of an infeasible problem
/// x and X, or Y, are the certificate, and the rest is 0. `max_iteration` holds for each of the
/// paths that are tried.
template <class Real>
Solution solve_reference(const Problem& problem, const ReferenceOptions& options);

/// Multiplications that one iteration takes, roughly: a core with AVX-512 does about 1e9 of them a
/// second in DoubleDouble, and a solution takes 20 to 40 iterations, hard ones 100 and more.
double reference_operations(const Problem& problem);

}  // namespace kinjo::sdp::detail
