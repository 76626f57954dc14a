/// The least eigenvalue by a full decomposition (Eigen's, by QR): nothing that the solver's own
/// steps, which take Lanczos' method, have in common with it.
#include <Eigen/Eigenvalues>

#include "sdp/reference/cone.hpp"

namespace kinjo::sdp::detail::reference {

double least_eigenvalue(std::size_t n, const double* a) {
  const Eigen::Map<const Eigen::MatrixXd> matrix(a, static_cast<Eigen::Index>(n),
                                                 static_cast<Eigen::Index>(n));
  if (!matrix.allFinite()) return -std::numeric_limits<double>::infinity();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()[0];
}

}  // namespace kinjo::sdp::detail::reference
