/// What cells on two hosts cost each other; bench_cells_hosts.py starts it on both, beside its
/// peer.
///
///   cells_hosts latency ROUNDS       a put of 8 bytes with a flag to and fro: µs one way
///   cells_hosts bandwidth BYTES N    puts of BYTES, N of them, then `quiet`: MB/s
///   cells_hosts overlap BYTES        put and get of BYTES while computing, with and without
///   polling
///   cells_hosts start                any number of cells: s that `join` takes, on hosts that share
///                                    a clock (network namespaces, or one host)
///
/// Else a cell is pinned to the CPU of its number, modulo their count. Cell 0 prints.
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/comm.hpp>
#include <kinjo/comm_start.hpp>

namespace {

using kinjo::comm::Completion;
using kinjo::comm::Offset;
using kinjo::comm::Signal;
using kinjo::comm::Until;
using kinjo::comm::World;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Of the process, with UCX's and kinjo's threads, and of what the kernel does for it.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void pin_to(int number) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  int left = number % CPU_COUNT(&allowed);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && left-- == 0) CPU_SET(cpu, &one);
  }
  sched_setaffinity(0, sizeof(one), &one);
}

void latency(World& world, std::uint64_t rounds) {
  struct Line {
    std::uint64_t data, flag;
  };
  const auto line = world.allocate_array<Line>(1);
  const Offset data = line.offset, flag = line.offset + sizeof(std::uint64_t);
  const int other = 1 - world.cell();
  const std::uint64_t warm_up = rounds / 10;
  std::vector<double> times;
  world.barrier();
  for (std::uint64_t round = 1; round <= warm_up + rounds; ++round) {
    const auto begin = Clock::now();
    const Signal signal{.flag = flag, .value = round};
    if (world.cell() == 0) {
      world.put_signal(other, data, &round, sizeof(round), signal);
      world.wait_flag(flag, Until::equal, round);
    } else {
      world.wait_flag(flag, Until::equal, round);
      world.put_signal(other, data, &round, sizeof(round), signal);
    }
    if (round > warm_up) times.push_back(seconds_since(begin) / 2 * 1e6);
  }
  world.barrier();
  if (world.cell() != 0) return;
  double sum = 0;
  for (const double time : times) sum += time;
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  std::printf("median %.3f mean %.3f\n", times[times.size() / 2],
              sum / static_cast<double>(times.size()));
}

void bandwidth(World& world, std::size_t bytes, int count) {
  const auto target = world.allocate_array<std::byte>(bytes);
  const std::vector<std::byte> source(bytes, std::byte{1});
  world.barrier();
  if (world.cell() == 0) {
    const auto begin = Clock::now();
    Completion local;
    for (int i = 0; i < count; ++i) world.put(1, target.offset, source.data(), bytes, &local);
    world.quiet();
    std::printf("MB/s %.1f\n", static_cast<double>(bytes) * count / seconds_since(begin) / 1e6);
    world.wait(local);
  }
  world.barrier();
}

/// One step of computing, the same code wherever it is called.
[[gnu::noinline]] double compute_step(double value) {
  for (int i = 0; i < 100'000; ++i) value = value * 0.999999 + 1e-6;
  return value;
}

/// So many steps; after each, `between` is called.
template <class Between>
void compute(int steps, const Between& between) {
  static volatile double sink = 1;
  double value = sink;
  for (int step = 0; step < steps; ++step) {
    value = compute_step(value);
    between();
  }
  sink = value;
}

enum class Way { put, get };
enum class Looks { none, often };

/// One operation with so many steps of computing beside it; seconds until both are done.
double together(World& world, Way way, Looks looks, Offset there, std::vector<std::byte>& mine,
                int steps) {
  world.barrier();
  const auto begin = Clock::now();
  if (world.cell() == 0) {
    Completion done;
    if (way == Way::put) {
      world.put(1, there, mine.data(), mine.size(), &done);
    } else if (way == Way::get) {
      world.get(1, mine.data(), there, mine.size(), done);
    }
    compute(steps, [&] {
      if (looks == Looks::often) world.progress();
    });
    world.wait(done);
    world.quiet();
  } else {
    compute(steps, [&] {
      if (looks == Looks::often) world.progress();
    });
  }
  const double seconds = seconds_since(begin);
  world.barrier();
  return seconds;
}

double computing_alone(int steps) {
  const auto begin = Clock::now();
  compute(steps, [] {});
  return seconds_since(begin);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void overlap(World& world, std::size_t bytes, int rounds) {
  const auto area = world.allocate_array<std::byte>(bytes);
  std::vector<std::byte> mine(bytes, std::byte{2});
  for (const Way way : {Way::put, Way::get}) {
    // As many steps as the operation takes by itself, on every cell.
    std::vector<double> alone;
    for (int i = 0; i < 3; ++i)
      alone.push_back(together(world, way, Looks::none, area.offset, mine, 0));
    const double operation = world.all_reduce(median(alone), kinjo::comm::ReduceOp::max);
    const double step = computing_alone(500) / 500;
    const int steps =
        static_cast<int>(world.all_reduce(operation / step, kinjo::comm::ReduceOp::max));
    for (const Looks looks : {Looks::none, Looks::often}) {
      std::vector<double> shares, cpu;
      for (int round = 0; round < rounds; ++round) {
        world.barrier();
        const double communication = together(world, way, Looks::none, area.offset, mine, 0);
        world.barrier();
        const double computation =
            world.all_reduce(computing_alone(steps), kinjo::comm::ReduceOp::max);
        const double before = cpu_seconds();
        const double both = together(world, way, looks, area.offset, mine, steps);
        cpu.push_back(world.all_reduce(cpu_seconds() - before, kinjo::comm::ReduceOp::sum));
        shares.push_back((communication + computation - both) /
                         std::min(communication, computation));
        if (world.cell() == 0) {
          std::printf(
              "# %s %s: communication %.4f s, computation %.4f s, both %.4f s, CPU %.4f s\n",
              way == Way::put ? "put" : "get",
              looks == Looks::none ? "without polling" : "with polling", communication, computation,
              both, cpu.back());
        }
      }
      if (world.cell() != 0) continue;
      std::printf("%s %s: overlap %.1f %%, CPU seconds of both cells %.4f for %.4f of computing\n",
                  way == Way::put ? "put" : "get",
                  looks == Looks::none ? "without polling" : "with polling", 100 * median(shares),
                  median(cpu), 2 * step * steps);
    }
  }
}

int start() {
  const auto begin = Clock::now();
  World world = kinjo::comm::join({.heap_bytes = 4096, .patience = std::chrono::minutes(1)});
  const auto end = Clock::now();
  const auto latest = [&](Clock::time_point time) {
    const auto seconds = std::chrono::duration<double>(time.time_since_epoch()).count();
    return world.all_reduce(seconds, kinjo::comm::ReduceOp::max);
  };
  const double longest = world.all_reduce(std::chrono::duration<double>(end - begin).count(),
                                          kinjo::comm::ReduceOp::max);
  const double after = latest(end) - latest(begin);
  if (world.cell() == 0) {
    std::printf("%d cells: join %.4f s, %.4f after the last has come to it\n", world.cells(),
                longest, after);
  }
  world.barrier();
  return 0;
}

int run(int count, char** words) {
  const auto word = [&](int index) { return index < count ? std::string_view(words[index]) : ""; };
  const auto number = [&](int index, long otherwise) {
    return index < count ? std::atol(words[index]) : otherwise;
  };
  if (word(1) == "start") return start();
  const char* const rank = std::getenv("PMIX_RANK");
  pin_to(rank == nullptr ? 0 : std::atoi(rank));
  World world = kinjo::comm::join({.heap_bytes = std::size_t{256} << 20});
  if (world.cells() != 2) throw kinjo::Error(kinjo::Errc::usage, "expected two cells");
  if (word(1) == "latency") {
    latency(world, static_cast<std::uint64_t>(number(2, 20'000)));
  } else if (word(1) == "bandwidth") {
    bandwidth(world, static_cast<std::size_t>(number(2, 1 << 20)),
              static_cast<int>(number(3, 500)));
  } else {
    overlap(world, static_cast<std::size_t>(number(2, 20'000'000)), static_cast<int>(number(3, 5)));
  }
  world.barrier();
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cells_hosts: %s\n", error.what());
    return 1;
  }
}
