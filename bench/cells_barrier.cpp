/// The barrier of N cells, whether or not there are as many CPUs: microseconds, the median of 11
/// batches. What bench_cells.py runs beside MPI's.
///
///     cells_barrier threads|processes CELLS
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <kinjo/comm_start.hpp>
#include <kinjo/topology.hpp>

namespace {

constexpr int kBatches = 11;
constexpr int kBarriers = 2000;

std::string barrier_us(kinjo::comm::World& world) {
  std::vector<double> batches;
  for (int batch = 0; batch < kBatches; ++batch) {
    world.barrier();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kBarriers; ++i) world.barrier();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    batches.push_back(took.count() / kBarriers);
  }
  std::nth_element(batches.begin(), batches.begin() + kBatches / 2, batches.end());
  return std::to_string(batches[kBatches / 2]);
}

}  // namespace

int main(int count, char** arguments) {
  const int cells = count == 3 ? std::atoi(arguments[2]) : 0;
  if (cells < 1) {
    std::fputs("usage: cells_barrier threads|processes CELLS\n", stderr);
    return 2;
  }
  const kinjo::Mapping mapping(kinjo::Topology::discover(), kinjo::Policy::scatter(),
                               static_cast<std::size_t>(cells), kinjo::Oversubscribe::wrap);
  std::string result;
  if (std::string(arguments[1]) == "threads") {
    kinjo::Team team(mapping);
    kinjo::comm::run_threads(team, {}, [&](kinjo::comm::World& world, const kinjo::Place&) {
      const std::string own = barrier_us(world);
      if (world.cell() == 0) result = own;
      world.barrier();
    });
  } else {
    const auto ends =
        kinjo::comm::run_processes(mapping, {}, [](kinjo::comm::World& world, const kinjo::Place&) {
          std::string own = barrier_us(world);
          world.barrier();
          return own;
        });
    result = ends.front().output;
  }
  std::puts(result.c_str());
}
