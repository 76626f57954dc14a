/// How many bytes a count may take.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>

#include <kinjo/memory.hpp>
#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// So many bytes there are, if there is no limit: to read what the system has available takes
/// longer than to count in a small graph.
inline constexpr std::uint64_t kLittleMemory = std::uint64_t{16} << 20;

/// A limit that was given, or else what the system has available. That is asked only when more than
/// a little is held, or when somebody has to know.
class MemoryBound {
 public:
  /// `given` bytes; 0: what is available.
  explicit MemoryBound(std::uint64_t given) : given_(given) {}

  /// Bytes that all threads together may hold, while they hold so many. May be called by several
  /// threads.
  std::uint64_t where(std::uint64_t held) {
    return given_ == 0 && held <= kLittleMemory ? kNoBound : known(held);
  }
  /// The same, also of a little.
  std::uint64_t known(std::uint64_t held) {
    if (given_ != 0) return given_;
    std::call_once(asked_, [&] {
      const std::uint64_t available = available_memory_bytes();
      available_ = available == 0 ? kNoBound : held + available - available / kOthers;
    });
    return available_;
  }

 private:
  /// Also where the system does not say what it has.
  static constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();
  /// Other programs take some of what is available, and where nothing is left the system kills one.
  static constexpr std::uint64_t kOthers = 16;

  std::uint64_t given_;
  std::once_flag asked_;
  std::uint64_t available_ = 0;  ///< and what was held, once it is asked for
};

/// Throws `Error` (`out_of_memory`) where to begin with a graph, whatever is counted, takes more
/// than `limit` bytes; 0: what the system has available.
void check_graph(const Network& network, std::uint64_t limit);
/// The same of a graph of so many vertices and edges. Throws `Error` (`not_supported`) of more
/// edges than have all their ends numbered in 32 bits.
void check_graph(std::uint64_t vertices, std::uint64_t edges, std::uint64_t limit);

}  // namespace kinjo::paths::detail
