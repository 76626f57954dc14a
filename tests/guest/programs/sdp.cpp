// A semidefinite program in the guest:
//
//   sdp POLICY RULE
//
// solved over a team on all CPUs. The phases `sdp elements`, `sdp cholesky`, `sdp direction`,
// `sdp step` and `sdp others` are the library's own.
#include <cstdio>

#include <kinjo/error.hpp>
#include <kinjo/sdp_generators.hpp>

namespace {

using namespace kinjo;

int run(const char* policy, const char* rule) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()),
            {.caller = Caller::joins});
  const sdp::Solution solution = sdp::solve(team, sdp::problem_by_rule(rule));
  std::printf("%s %.3f\n", sdp::to_string(solution.status), solution.primal_objective);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) return run(argv[1], argv[2]);
  } catch (const Error& error) {
    std::fprintf(stderr, "sdp: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr, "usage: sdp POLICY RULE\n");
  return 2;
}
