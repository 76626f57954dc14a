/// Sleeping until UCX has something.
///
/// Of a TCP connection whose other side has not answered yet, UCX 1.13 says again and again that it
/// can be written, so its descriptor ends every sleep at once, for nothing. Many cells on few CPUs
/// then keep the others from answering: Linux 6.18 lets those of another session or container wait
/// for seconds (docs/cells_hosts.md). Whoever is woken for nothing therefore sleeps a while without
/// the descriptor, longer each time.
#pragma once

#include <atomic>
#include <chrono>

namespace kinjo::comm::detail {

class Alarm {
 public:
  /// Until `descriptor` or `other` is readable, for at most `longest`; negative ones are left out.
  void sleep(int descriptor, int other, std::chrono::nanoseconds longest);
  /// Something has moved: there was reason to wake.
  void note_move() noexcept { rung_.store(0, std::memory_order_relaxed); }

 private:
  /// How long to be deaf to the descriptor.
  std::chrono::nanoseconds pause() const noexcept;

  std::atomic<unsigned> rung_{0};  ///< since something moved
};

}  // namespace kinjo::comm::detail
