// BLAS-1 in the guest:
//
//   blas1 LEVEL             kernels at every level that this CPU has give the same reproducible
//   bits;
//                           prints the level in use, which must be LEVEL, and those bits
//   blas1 POLICY ELEMENTS   every kernel once over a team on arrays `x` and `y`, each in a phase of
//                           its own, in both modes
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kinjo/blas1.hpp>
#include <kinjo/kinjo.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/simd.hpp>
#include <vector>

namespace {

using namespace kinjo;

std::vector<double> numbers(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i * 2654435761u % 1000003) / 1024 - 300;
  }
  return x;
}

int show_level(const char* expected) {
  const char* level = to_string(simd_level());
  const std::vector<double> x = numbers(10007);
  double fast = 0;
  for (std::size_t n = 0; n < 300; ++n) {
    fast += blas1::dot(blas1::View<const double>(&x[n], n), blas1::View<const double>(x.data(), n));
  }
  const auto mode = blas1::Mode::reproducible;
  std::printf("%s %a %a %a\n", level, blas1::sum(x, mode), blas1::norm2(x, mode),
              blas1::dot(x, x, mode));
  return std::strcmp(level, expected) != 0 || fast == 0;
}

/// Every kernel, each in its phase; the sum of all results.
double run_phases(Team& team, PartitionedArray<double>& x, PartitionedArray<double>& y) {
  double sink = 0;
  for (const auto mode : {blas1::Mode::fast, blas1::Mode::reproducible}) {
    {
      KINJO_PHASE("sums");
      sink += blas1::sum(team, x, mode) + blas1::asum(team, x, mode);
    }
    {
      KINJO_PHASE("norm");  // x is zero, which takes all of its passes
      sink += blas1::norm2(team, x, mode);
    }
    {
      KINJO_PHASE("dot");
      sink += blas1::dot(team, x, y, mode);
    }
  }
  {
    KINJO_PHASE("axpy");
    blas1::axpy(team, 2, x, y);
  }
  {
    KINJO_PHASE("copy");
    blas1::copy(team, x, y);
  }
  {
    KINJO_PHASE("scale");
    blas1::scale(team, 2, y);
  }
  KINJO_PHASE("max");
  return sink + static_cast<double>(blas1::max_abs_index(team, x));
}

int run_all(const char* policy, std::size_t elements) {
  const Topology& machine = Topology::this_machine();
  Team team(Mapping(machine, Policy::parse(policy), machine.allowed_cpus().count()),
            {.caller = Caller::joins});
  PartitionedArray<double> x(team, elements), y(team, elements);
  const RegionMark mark_x("x", x.data(), elements * sizeof(double));
  const RegionMark mark_y("y", y.data(), elements * sizeof(double));
  std::printf("%a\n", run_phases(team, x, y));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2) return show_level(argv[1]);
    if (argc == 3) return run_all(argv[1], std::strtoull(argv[2], nullptr, 10));
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 2;
}
