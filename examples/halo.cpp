// Heat flows through a rod whose parts belong to cells, one for each allowed CPU. In each step a
// cell puts its first and last value into its neighbours' memory, with a flag, and needs theirs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinjo/comm_start.hpp>
#include <utility>
#include <vector>

using kinjo::comm::Until;

namespace {

constexpr std::size_t kPart = 1000;
constexpr std::uint64_t kSteps = 500;

/// The heat of all cells after the last step: what is inside of the rod never leaves it.
double run(kinjo::comm::World& world) {
  // The same offsets on every cell. Halo values twice: a neighbour may be a step ahead.
  const auto halo = world.allocate_array<double>(4);
  const auto flags = world.allocate_array<std::uint64_t>(2);  // of the left and the right neighbour
  const int left = world.cell() - 1, right = world.cell() + 1;
  std::vector<double> now(kPart, world.cell() == 0 ? 100.0 : 0.0), next(kPart);

  for (std::uint64_t step = 1; step <= kSteps; ++step) {
    const std::size_t turn = step % 2 * 2;
    double from_left = now.front(), from_right = now.back();  // nothing flows out at the ends
    if (left >= 0) {
      world.put_signal(left, halo.at(turn + 1), &now.front(), sizeof(double),
                       {.flag = flags.at(1), .value = step});
    }
    if (right < world.cells()) {
      world.put_signal(right, halo.at(turn), &now.back(), sizeof(double),
                       {.flag = flags.at(0), .value = step});
    }
    if (left >= 0) {
      world.wait_flag(flags.at(0), Until::at_least, step);
      from_left = world.local(halo)[turn];
    }
    if (right < world.cells()) {
      world.wait_flag(flags.at(1), Until::at_least, step);
      from_right = world.local(halo)[turn + 1];
    }
    for (std::size_t i = 0; i < kPart; ++i) {
      const double before = i == 0 ? from_left : now[i - 1];
      const double after = i + 1 == kPart ? from_right : now[i + 1];
      next[i] = now[i] + 0.25 * (before - 2 * now[i] + after);
    }
    std::swap(now, next);
  }
  double heat = 0;
  for (const double value : now) heat += value;
  return world.all_reduce(heat, kinjo::comm::ReduceOp::sum);
}

}  // namespace

int main() {
  const auto machine = kinjo::Topology::discover();
  // As many cells as CPUs, but two at least, so that there is somebody to talk to.
  const std::size_t cells = std::max<std::size_t>(2, machine.allowed_cpus().count());
  kinjo::Team team(
      kinjo::Mapping(machine, kinjo::Policy::compact(), cells, kinjo::Oversubscribe::wrap));
  double heat = 0;
  kinjo::comm::run_threads(team, {}, [&](kinjo::comm::World& world, const kinjo::Place&) {
    const double all = run(world);
    if (world.cell() == 0) heat = all;
  });
  std::printf("%s\n", std::abs(heat - 100.0 * kPart) < 1e-6 ? "no heat was lost" : "heat was lost");
}
