/// Forking, joining and barriers of a team beside libgomp's. Usage: bench_team [ROUNDS]
#include <cstdlib>

#include <omp.h>
#include <kinjo/team.hpp>

#include "alternate.hpp"
#include "run_main.hpp"

namespace {

constexpr int kForks = 2000;
constexpr int kBarriers = 2000;

void fork_kinjo(kinjo::Team& team) {
  for (int i = 0; i < kForks; ++i)
    team.run([](const kinjo::Place&) { asm volatile("" ::: "memory"); });
}

void fork_libgomp(int threads) {
  for (int i = 0; i < kForks; ++i) {
#pragma omp parallel num_threads(threads)
    asm volatile("" ::: "memory");
  }
}

void barrier_kinjo(kinjo::Team& team) {
  team.run([&](const kinjo::Place& me) {
    for (int i = 0; i < kBarriers; ++i) team.barrier(me);
  });
}

void barrier_libgomp(int threads) {
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < kBarriers; ++i) {
#pragma omp barrier
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto& machine = kinjo::Topology::this_machine();
  const std::size_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 15;
  if (rounds == 0) {
    std::fprintf(stderr, "usage: bench_team [ROUNDS]\n");
    return 2;
  }
  return kinjo::bench::run_main("bench_team", [&] {
    // libgomp's threads inherit the mask of the thread that first needs them: let that be a free
    // one.
    fork_libgomp(static_cast<int>(machine.allowed_cpus().count()));
    for (auto caller : {kinjo::Caller::joins, kinjo::Caller::waits}) {
      for (std::size_t threads : {std::size_t{1}, machine.allowed_cpus().count()}) {
        const int n = static_cast<int>(threads);
        kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::scatter(), threads),
                         {.caller = caller});
        std::printf("%d threads, the caller %s\n", n,
                    caller == kinjo::Caller::joins ? "joins" : "waits");
        kinjo::bench::print_row(
            "  fork and join",
            kinjo::bench::alternate(
                rounds, 1e6 / kForks, [&] { fork_kinjo(team); }, [&] { fork_libgomp(n); }),
            "us");
        kinjo::bench::print_row(
            "  barrier",
            kinjo::bench::alternate(
                rounds, 1e6 / kBarriers, [&] { barrier_kinjo(team); }, [&] { barrier_libgomp(n); }),
            "us");
      }
    }
  });
}
