// The greatest cut of a small network, bounded by a semidefinite program that is built entry by
// entry, solved, and verified.
#include <cmath>
#include <cstdio>

#include <kinjo/kinjo.hpp>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_verify.hpp>

namespace sdp = kinjo::sdp;

int main() {
  // A ring of five: whatever side each takes, at most four of the five edges are cut.
  constexpr std::size_t kVertices = 5;

  // maximise F_0 • Y over Y ⪰ 0 with a diagonal of ones, F_0 = L / 4 for the Laplacian L.
  sdp::ProblemBuilder builder({{kVertices, sdp::BlockKind::symmetric}},
                              std::vector<double>(kVertices, 1.0));
  for (std::size_t v = 0; v < kVertices; ++v) {
    builder.add(0, 0, v, v, 0.5);                      // two neighbours
    builder.add(0, 0, v, (v + 1) % kVertices, -0.25);  // both triangles
    builder.add(v + 1, 0, v, v, 1);                    // F_v: Y_vv = 1
  }
  const sdp::Problem problem = builder.finish();

  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::compact(), 1));
  const sdp::Solution solution = sdp::solve(team, problem);
  std::printf("%s after %zu iterations: at most %.4f of the edges are cut\n",
              sdp::to_string(solution.status), solution.iterations.back().number,
              solution.dual_objective);

  const sdp::Verification found = sdp::verify(problem, solution);
  if (!found.passed()) std::printf("%s\n", found.fault.c_str());
  const double expected = 5 * (1 + std::cos(std::acos(-1.0) / 5)) / 2;  // Lovász' bound for a ring
  return found.passed() && std::abs(solution.dual_objective - expected) < 1e-5 ? 0 : 1;
}
