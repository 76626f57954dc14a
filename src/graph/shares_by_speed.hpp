/// Which part of a run of things each thread of a team takes, so that all are done at once.
///
/// Equal parts are not equal work: rows of one place are nearer than those of another, and a core
/// may be slower for a while. So a thread's share follows its speed in what came before. Every
/// thread has shares of its own and computes them from the same times, so they are the same for
/// all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

class SharesBySpeed {
 public:
  explicit SharesBySpeed(std::size_t threads);

  /// A thread's part of `count` things; the parts of all threads follow each other.
  Range of(std::size_t thread, std::size_t count) const;
  /// Sets what a thread took for its part, in ticks of whichever clock.
  void took(std::size_t thread, std::uint64_t ticks) { ticks_[thread] = ticks; }
  /// Once this is set for all.
  void adapt();

 private:
  std::vector<double> shares_;  ///< of 1
  std::vector<double> begins_;  ///< of the parts, of 1
  std::vector<double> fitting_;
  std::vector<std::uint64_t> ticks_;
};

}  // namespace kinjo::graph::detail
