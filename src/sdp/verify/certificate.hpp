/// Certificates that a problem has no solution.
#pragma once

#include <string>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// How far a certificate is from an exact one (kinjo/sdp_verify.hpp); infinite, with a reason,
/// where it is none at all.
struct CertificateCheck {
  double error = 0;
  std::string fault;
};

/// Y, that (P) has none.
CertificateCheck check_primal_certificate(const Problem& problem, const BlockMatrix& Y,
                                          double tolerance);
/// x, that (D) has none.
CertificateCheck check_dual_certificate(const Problem& problem, std::span<const double> x,
                                        double tolerance);

}  // namespace kinjo::sdp::detail
