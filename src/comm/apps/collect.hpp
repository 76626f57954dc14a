/// What the programs of cells share: clocks that can be compared, and results that go to cell 0.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <kinjo/comm.hpp>

#include "comm/apps/archive.hpp"

namespace kinjo::comm::detail {

/// Tags of two-sided messages that the programs use; tags from 0 on are their steps'.
inline constexpr int kResultTag = 1 << 30;

/// Seconds of the monotonic clock, which all cells of one host share.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds up what each part of a cell's work takes.
class Lap {
 public:
  Lap() : last_(clock_seconds()) {}
  /// What passed since the last call belongs to `part`.
  void add_to(double& part) {
    const double now = clock_seconds();
    part += now - last_;
    last_ = now;
  }

 private:
  double last_;
};

/// Whether cells can be compared by the clock, on every cell the same. Collective.
bool share_clock(World& world);

/// From the first cell's begin to the last one's end; where hosts have clocks of their own, the
/// longest that a cell took. Collective: the same on every cell.
double whole_seconds(World& world, double begin, double end, bool shared_clock);

/// Each cell's bytes, at cell 0 in the order of the cells; empty elsewhere. Collective.
std::vector<std::string> collect_bytes(World& world, std::string own);

/// Each cell's value at cell 0. Collective.
template <class T>
std::vector<T> collect(World& world, const T& own) {
  std::vector<T> all;
  for (const std::string& bytes : collect_bytes(world, pack(own))) {
    all.push_back(unpack<T>(bytes));
  }
  return all;
}

/// Throws the same `Error` on every cell if `here` is false on one. Collective.
void need_everywhere(World& world, bool here, Errc code, const std::string& message);

}  // namespace kinjo::comm::detail
