// Matrix multiplication in the guest:
//
//   gemm POLICY M N [PLAN]   C ← A·B for an A of M × N and a B of N × N, over a team on all CPUs,
//                            matrices placed by rows, by the plan that is chosen or by PLAN, once
//                            to have the buffers and once in the phase `multiply`; prints the plan.
//                            `a`, `b` and `c` are regions, and so are the copies of A and B.
#include <cstdio>
#include <cstdlib>
#include <kinjo/error.hpp>
#include <kinjo/gemm.hpp>
#include <kinjo/lab.hpp>

namespace {

using namespace kinjo;
using Matrix = gemm::PlacedMatrix<double>;

void fill(Matrix& m) {
  const auto v = m.view();
  for (std::size_t i = 0; i < v.rows; ++i) {
    for (std::size_t j = 0; j < v.columns; ++j) {
      *v.at(i, j) = static_cast<double>((i * 31 + j * 17) % 13) - 6;
    }
  }
}

/// Small integers are multiplied without error.
bool is_right(Matrix& a, Matrix& b, Matrix& c) {
  const std::size_t m = c.view().rows, n = c.view().columns;
  for (std::size_t i = 0; i < m; i += 7) {
    for (std::size_t j = 0; j < n; j += 5) {
      double sum = 0;
      for (std::size_t p = 0; p < n; ++p) sum += *a.view().at(i, p) * *b.view().at(p, j);
      if (*c.view().at(i, j) != sum) return false;
    }
  }
  return true;
}

int run(const char* policy, std::size_t m, std::size_t n, const char* text) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()),
            {.caller = Caller::joins});
  Matrix a(team, m, n), b(team, n, n), c(team, m, n);
  fill(a);
  fill(b);
  const RegionMark mark_a("a", a.array().data(), a.array().size() * sizeof(double));
  const RegionMark mark_b("b", b.array().data(), b.array().size() * sizeof(double));
  const RegionMark mark_c("c", c.array().data(), c.array().size() * sizeof(double));
  const gemm::View<const double> va = a.view(), vb = b.view();
  const gemm::Problem problem = problem_of(team, va, vb, c.view());
  const gemm::Plan plan = text ? gemm::Plan::parse(text, problem) : gemm::Plan::choose(problem);
  const auto multiply = [&] { gemm::multiply(team, 1.0, va, vb, 0.0, c.view(), plan); };
  multiply();
  {
    KINJO_PHASE("multiply");
    multiply();
  }
  std::printf("%s\n", plan.to_string().c_str());
  return is_right(a, b, c) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4 || argc == 5) {
      return run(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10),
                 argc == 5 ? argv[4] : nullptr);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 2;
}
