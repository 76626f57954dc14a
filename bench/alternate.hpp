/// Two ways of doing the same, timed in turn so that the machine's drift hits both alike.
#pragma once

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "measure/statistics.hpp"

namespace kinjo::bench {

/// Seconds that `f` takes.
template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Pair {
  std::vector<double> kinjo;
  std::vector<double> peer;
};

/// `rounds` samples of each, in turn, after one that is not counted. `scale` turns seconds into the
/// unit of the samples.
template <class Kinjo, class Peer>
Pair alternate(std::size_t rounds, double scale, Kinjo&& kinjo, Peer&& peer) {
  Pair pair;
  seconds(kinjo);
  seconds(peer);
  // libgomp's threads spin for some milliseconds after their work; without a rest they would take
  // the other's CPUs.
  const auto rest = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  for (std::size_t r = 0; r < rounds; ++r) {
    rest();
    pair.kinjo.push_back(scale * seconds(kinjo));
    rest();
    pair.peer.push_back(scale * seconds(peer));
  }
  return pair;
}

/// One row: medians of both, and how many times faster kinjo is (peer's time over kinjo's), with
/// bounds of 95 %.
inline void print_row(const char* what, const Pair& pair, const char* unit) {
  const PairedComparison c = compare_paired(pair.peer, pair.kinjo);
  std::printf("%-34s kinjo %10.4g %-5s peer %10.4g %-5s  faster by %6.3f (%.3f to %.3f)\n", what,
              summarize(pair.kinjo).median, unit, summarize(pair.peer).median, unit, c.ratio.median,
              c.ratio.low, c.ratio.high);
}

}  // namespace kinjo::bench
