/// Which paths the reference follows, one after another until one leads to a solution.
#pragma once

#include <vector>

#include "sdp/reference.hpp"

namespace kinjo::sdp::detail::reference {

enum class Method { schur, least_squares };

/// One path.
struct Attempt {
  Method method = Method::schur;
  double lambda = 0;  ///< X and Y begin at this multiple of I; 0: near the solution that was given
  double gamma = 0;   ///< γ*
};

/// From the given solution, if there is one; as the options say; and then others. Problems without
/// interior on one side have solutions of the wanted accuracy only along certain paths, which no
/// rule tells beforehand: so several are tried, from near and far, by longer and shorter steps,
/// and with more digits where that is affordable.
std::vector<Attempt> attempts_for(const Problem& problem, const ReferenceOptions& options);

/// Multiplications of one iteration.
double operations(const Problem& problem, Method method);

/// No further path is begun after so many of them.
inline constexpr double kMostOperations = 3e10;

}  // namespace kinjo::sdp::detail::reference
